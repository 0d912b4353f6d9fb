import type { Finding } from '../../../rules/conditions.ts';
import type { CertificateReason } from '../../../rules/reasons.ts';
import { findCondition, findingsOf } from '../../../rules/conditions.ts';
import { certificateReasons } from '../../../rules/codes/certificate-reasons.ts';
import { headlineIssue } from '../../../rules/headline.ts';
import { isWarning } from '../../../rules/issue-acts.ts';
import type { ToldIssue } from '../../../rules/issue-params.ts';
import { messageOfIssue } from '../../../rules/issue-params.ts';
import { lifetimeLeft } from '../../../issuing/order-history.ts';
import { isWildcard } from '../../../rules/wildcard.ts';
import type { CheckStatus } from '../check-status.ts';
import { days, seconds } from '../../../rules/check-schedule.ts';
import type { GatheredProjectDomain, ProjectDomainSnapshot } from '../project-domain-snapshot.ts';

const { no, unknown } = findingsOf(certificateReasons);

/** An order requires a check of DNS and CAA that is at most this old. */
export const freshFor = 60 * seconds;

/** With less of the certificate's lifetime left than this, a renewal need not wait for a definite answer. */
const lastFifth = 1 / 5;

/** What the last check means for an order. The tolerance for failed checks keeps routes; it never places an order. */
export interface OrderEvidence {
  /** why no order may be placed; null when one may */
  readonly obstacle: Finding<CertificateReason> | null;
  /** the check was inconclusive, and the order is allowed because the holder's certificate expires soon */
  readonly unconfirmed: boolean;
  /** when DNS was last checked for an order, milliseconds since the Unix epoch; null before that */
  readonly checkedAt: number | null;
  /** the label of the challenge zone where the order's challenges are answered; null where the redirector answers them */
  readonly delegation: string | null;
  /** names of the issuer's accounts that CAA permits; null where that restricts nothing */
  readonly permittedAccounts: readonly string[] | null;
}

/** True when an earlier full check of DNS is recent enough for an order. */
export const isRecentlyChecked = ({ checkStatus, now }: Pick<GatheredProjectDomain, 'checkStatus' | 'now'>): boolean =>
  checkStatus.fullyCheckedAt !== null && now - checkStatus.fullyCheckedAt <= freshFor;

/** True when the result of a DNS check is recent enough to decide a request: from this reconcile, or just before. */
export const isFresh = (snapshot: ProjectDomainSnapshot): boolean =>
  (snapshot.verdict !== null && !snapshot.verdict.isConfirmation) || isRecentlyChecked(snapshot);

/**
 * A no always prevents an order. So does an unknown, except for a renewal by the same holder in the last fifth of the
 * certificate's lifetime whose last definite answer was yes: our own faults, or a name server that does not answer, must
 * not let the certificate expire. Broken DNSSEC is no such case: the authority validates too, so the order would fail.
 */
export function orderEvidence(snapshot: ProjectDomainSnapshot, checkStatus: CheckStatus): OrderEvidence {
  const { fullyCheckedAt: checkedAt, routedBy, permittedAccounts } = checkStatus;
  const isByDns01 = routedBy === 'delegation' || isWildcard(snapshot.domain.spec.hostname);
  const delegation = isByDns01 ? (snapshot.delegation?.label ?? null) : null;
  const found = { checkedAt, delegation, permittedAccounts };
  const stopped = (obstacle: Finding<CertificateReason>) => ({ ...found, obstacle, unconfirmed: false });
  const contradiction = contradictionIn(snapshot, checkStatus) ?? notSwitched(snapshot, checkStatus);
  if (contradiction) return stopped(contradiction);
  if (checkStatus.dnssec === 'Bogus') return stopped(bogus(snapshot));
  const doubt = doubtIn(checkStatus);
  const excused = doubt !== null && checkStatus.lastDefinite === 'Yes' && isInLastFifth(snapshot);
  return { ...found, obstacle: excused ? null : doubt, unconfirmed: excused };
}

function isInLastFifth({ certificate, now }: ProjectDomainSnapshot): boolean {
  const left = lifetimeLeft(certificate, now);
  return left !== null && left > 0 && left < lastFifth;
}

function contradictionIn(
  snapshot: ProjectDomainSnapshot,
  { routing, ownership, caa }: CheckStatus,
): Finding<CertificateReason> | null {
  if (routing === 'No' || ownership === 'No') return no('DNSWrongNow', { problem: problemOf(snapshot) });
  return caa === 'No' ? no('CAAForbids', describeCaa(snapshot)) : null;
}

/** What was prepared and not switched for so long is given up: its certificates would be renewed for nobody. */
const preparedForMs = 30 * days;

function notSwitched(
  { claim, now }: ProjectDomainSnapshot,
  { routedBy }: CheckStatus,
): Finding<CertificateReason> | null {
  const preparedAt = Date.parse(claim?.spec.proof.at ?? '') || now;
  if (routedBy !== 'delegation' || now - preparedAt < preparedForMs) return null;
  return no('NotSwitched');
}

function doubtIn({ routing, ownership, caa, corroborated }: CheckStatus): Finding<CertificateReason> | null {
  if (routing !== 'Yes' || ownership !== 'Yes') return unknown('DNSUnknownNow');
  if (caa !== 'Yes') return unknown('CAAUnknown');
  return corroborated === true ? null : unknown('NotCorroborated');
}

function bogus({ verdict, domain }: ProjectDomainSnapshot): Finding<CertificateReason> {
  const issues = verdict ? verdict.issues : (domain.status?.issues ?? []);
  const issue = issues.find(({ code }) => code === 'DnssecBogus');
  return unknown('DNSSECBroken', { problem: issue ? messageOfIssue(issue) : '' });
}

function problemOf({ verdict, domain }: ProjectDomainSnapshot): string {
  const issues: readonly (ToldIssue & { readonly severity?: string })[] = verdict
    ? verdict.issues
    : (domain.status?.issues ?? []);
  const issue = headlineIssue(
    'DNSWrongNow' satisfies CertificateReason,
    issues.filter((one) => !isWarning(one)),
  );
  return issue ? messageOfIssue(issue) : 'create the records shown';
}

function describeCaa({ verdict, domain }: ProjectDomainSnapshot): string {
  const before = findCondition(domain.status?.conditions, 'CertificateIssued');
  if (!verdict) return before?.reason === 'CAAForbids' ? before.message : 'a CAA record forbids the certificate';
  const issue = verdict.issues.find(({ code }) => code === verdict.caa.code);
  return issue ? messageOfIssue(issue) : 'a CAA record forbids the certificate';
}
