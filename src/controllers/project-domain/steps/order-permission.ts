import type { Finding } from '../../../rules/conditions.ts';
import type { CertificateReason } from '../../../rules/reasons.ts';
import { findingsOf } from '../../../rules/conditions.ts';
import { certificateReasons } from '../../../rules/codes/certificate-reasons.ts';
import { headlineIssue } from '../../../rules/headline.ts';
import type { ToldIssue } from '../../../rules/issue-params.ts';
import { messageOfIssue } from '../../../rules/issue-params.ts';
import { isWarning } from '../../../rules/issue-acts.ts';
import { isUnplaced, lifetimeLeft } from '../../../issuing/order-history.ts';
import { accountsForName } from '../../../rules/order-ledger/hostname-orders.ts';
import { permittedOf } from '../../../rules/order-ledger/order-limits.ts';
import type { OrderWait } from '../../../rules/order-ledger/order-limits.ts';
import { isWildcard } from '../../../rules/wildcard.ts';
import { days, seconds } from '../../../rules/check-schedule.ts';
import type { OrderingAccount } from '../../acme-issuer/ordering-accounts.ts';
import type { EvaluatedProjectDomain, GatheredProjectDomain } from '../project-domain-snapshot.ts';

const { no, unknown } = findingsOf(certificateReasons);

/** An order requires a check of DNS and CAA that is at most this old. */
export const freshFor = 60 * seconds;

/** With less of the certificate's lifetime left than this, a renewal need not wait for a definite answer. */
const lastFifth = 1 / 5;

/** What an order rests on: the last check. The tolerance for failed checks keeps routes; it never places an order. */
interface OrderEvidence {
  /** the check was inconclusive, and the order is allowed because the holder's certificate expires soon */
  readonly unconfirmed: boolean;
  /** when DNS was last checked for an order, milliseconds since the Unix epoch; null before that */
  readonly checkedAt: number | null;
  /** the label of the challenge zone where the order's challenges are answered; null where the redirector answers them */
  readonly delegation: string | null;
  /** names of the issuer's accounts that CAA permits; null where that restricts nothing */
  readonly permittedAccounts: readonly string[] | null;
}

/** Whether an order may be placed now. */
export interface OrderPermission extends OrderEvidence {
  /** why none may; null when one may */
  readonly obstacle: Finding<CertificateReason> | null;
  /** set where the obstacle is a limit that ends with time */
  readonly wait: OrderWait | null;
  /** the accounts it may be placed with, as far as CAA and the hostname's own earlier orders decide that */
  readonly accounts: readonly OrderingAccount[];
}

const noEvidence = { unconfirmed: false, checkedAt: null, delegation: null, permittedAccounts: null };

/**
 * What prevents an order now. The obstacles are checked in the order in which users should fix them: the domain may not have one, DNS
 * contradicts or cannot tell, the hostname's own earlier orders have to leave their windows.
 */
export function orderPermission(snapshot: EvaluatedProjectDomain, mayCreate: boolean): OrderPermission {
  if (!mayCreate) {
    const obstacle = unknown('Waiting', 'waiting until the domain is accepted and its DNS is set up correctly');
    return { ...noEvidence, obstacle, wait: null, accounts: [] };
  }
  const evidence = evidenceOf(snapshot);
  const contradiction = contradictionIn(snapshot) ?? notSwitched(snapshot) ?? brokenDnssec(snapshot);
  if (contradiction) return { ...evidence, obstacle: contradiction, wait: null, accounts: [] };
  const doubt = doubtIn(snapshot);
  if (doubt && !isExcused(snapshot)) return { ...evidence, obstacle: doubt, wait: null, accounts: [] };
  const { open, wait } = accountsLeft(snapshot);
  const obstacle = wait && no(wait.reason, { permitted: evidence.permittedAccounts });
  return { ...evidence, unconfirmed: doubt !== null, obstacle, wait, accounts: open };
}

function evidenceOf({ domain, delegation, checks }: EvaluatedProjectDomain): OrderEvidence {
  const { fullyCheckedAt: checkedAt, routedBy, permittedAccounts } = checks;
  const isByDns01 = routedBy === 'delegation' || isWildcard(domain.spec.hostname);
  return {
    unconfirmed: false,
    checkedAt,
    delegation: isByDns01 ? (delegation?.label ?? null) : null,
    permittedAccounts,
  };
}

/** True when an earlier full check of DNS is recent enough for an order. */
export const isRecentlyChecked = ({ checkStatus, now }: Pick<GatheredProjectDomain, 'checkStatus' | 'now'>): boolean =>
  checkStatus.fullyCheckedAt !== null && now - checkStatus.fullyCheckedAt <= freshFor;

/** True when the result of a DNS check is recent enough to decide a request: from this reconcile, or just before. */
export const isFresh = (snapshot: EvaluatedProjectDomain): boolean =>
  (snapshot.verdict !== null && !snapshot.verdict.isConfirmation) || isRecentlyChecked(snapshot);

/**
 * A no always prevents an order. So does an unknown, except for a renewal by the same holder in the last fifth of the
 * certificate's lifetime whose last definite answer was yes: our own faults, or a name server that does not answer, must
 * not let the certificate expire. Broken DNSSEC is no such case: the authority validates too, so the order would fail.
 */
function isExcused({ checks, certificate, now }: EvaluatedProjectDomain): boolean {
  const left = lifetimeLeft(certificate, now);
  return checks.lastDefinite === 'Yes' && left !== null && left > 0 && left < lastFifth;
}

function contradictionIn(snapshot: EvaluatedProjectDomain): Finding<CertificateReason> | null {
  const { routing, ownership, caa } = snapshot.checks;
  if (routing === 'No' || ownership === 'No') return no('DNSWrongNow', { problem: problemOf(snapshot) });
  return caa === 'No' ? no('CAAForbids', describeCaa(snapshot)) : null;
}

/** What was prepared and not switched for so long is given up: its certificates would be renewed for nobody. */
const preparedForMs = 30 * days;

function notSwitched({ claim, checks, now }: EvaluatedProjectDomain): Finding<CertificateReason> | null {
  const preparedAt = Date.parse(claim?.spec.proof.at ?? '') || now;
  if (checks.routedBy !== 'delegation' || now - preparedAt < preparedForMs) return null;
  return no('NotSwitched');
}

function doubtIn({ checks }: EvaluatedProjectDomain): Finding<CertificateReason> | null {
  const { routing, ownership, caa, corroborated } = checks;
  if (routing !== 'Yes' || ownership !== 'Yes') return unknown('DNSUnknownNow');
  if (caa !== 'Yes') return unknown('CAAUnknown');
  return corroborated === true ? null : unknown('NotCorroborated');
}

/** Of this reconcile's check, or of the last one. */
const issuesOf = ({
  verdict,
  domain,
}: EvaluatedProjectDomain): readonly (ToldIssue & { readonly severity?: string })[] =>
  verdict ? verdict.issues : (domain.status?.issues ?? []);

function brokenDnssec(snapshot: EvaluatedProjectDomain): Finding<CertificateReason> | null {
  if (snapshot.checks.dnssec !== 'Bogus') return null;
  const issue = issuesOf(snapshot).find(({ code }) => code === 'DnssecBogus');
  return unknown('DNSSECBroken', { problem: issue ? messageOfIssue(issue) : '' });
}

function problemOf(snapshot: EvaluatedProjectDomain): string {
  const errors = issuesOf(snapshot).filter((one) => !isWarning(one));
  const issue = headlineIssue('DNSWrongNow' satisfies CertificateReason, errors);
  return issue ? messageOfIssue(issue) : 'create the records shown';
}

function describeCaa({ verdict, before: { CertificateIssued: before } }: EvaluatedProjectDomain): string {
  const issue = verdict?.issues.find(({ code }) => code === verdict.caa.code);
  if (issue) return messageOfIssue(issue);
  return !verdict && before?.reason === 'CAAForbids' ? before.message : 'a CAA record forbids the certificate';
}

/**
 * The accounts that the hostname's next order may be placed with, as far as CAA and its own earlier orders decide that. Orders already
 * recorded for open requests are no obstacle to those requests.
 */
function accountsLeft({ claim, requests, openRequests, issuerAccounts, checks, now }: EvaluatedProjectDomain) {
  const open = openRequests.map(({ metadata }) => metadata.uid);
  const others = (claim?.spec.orders ?? []).filter(
    (order) => !open.includes(order.request) && !isUnplaced(order, requests),
  );
  return accountsForName(others, permittedOf(issuerAccounts, checks.permittedAccounts), now);
}
