import type { Finding } from '../../../rules/conditions.ts';
import type { CertificateReason } from '../../../rules/reasons.ts';
import { findCondition, no, unknown } from '../../../rules/conditions.ts';
import { lifetimeLeft } from '../../../issuing/order-history.ts';
import type { CheckStatus } from '../check-status.ts';
import { seconds } from '../check-schedule.ts';
import type { GatheredProjectDomain, ProjectDomainSnapshot } from '../project-domain-snapshot.ts';

/** An order rests on a look at DNS and CAA that is at most this old. */
const freshFor = 60 * seconds;

/** With less of its lifetime left a renewal need not wait for an answer that nobody gives. */
const lastFifth = 1 / 5;

/** What the last look says to an order. Hysteresis keeps routes; it never places an order. */
export interface OrderEvidence {
  /** what stands against an order; null when nothing does */
  readonly obstacle: Finding<CertificateReason> | null;
  /** nobody could tell, and the order is let through because little is left of the holder's certificate */
  readonly unconfirmed: boolean;
}

/** True when an earlier check of DNS is recent enough for an order. */
export const isRecentlyChecked = ({ checkStatus, now }: Pick<GatheredProjectDomain, 'checkStatus' | 'now'>): boolean =>
  checkStatus.checkedAt !== null && now - checkStatus.checkedAt <= freshFor;

/** True when a request may be decided on what is known: DNS was checked in this reconcile, or a moment ago. */
export const isFresh = (snapshot: ProjectDomainSnapshot): boolean =>
  snapshot.verdict !== null || isRecentlyChecked(snapshot);

/**
 * A no always stops an order. An unknown does too, but not the renewal of the same holder in the last fifth of its
 * certificate's lifetime whose last definite answer was yes: our own faults, or a silent name server, must not end it.
 */
export function orderEvidence(snapshot: ProjectDomainSnapshot, checkStatus: CheckStatus): OrderEvidence {
  const refuted = refutation(snapshot, checkStatus);
  if (refuted) return { obstacle: refuted, unconfirmed: false };
  const open = uncertainty(checkStatus);
  const excused = open !== null && checkStatus.lastDefinite === 'Yes' && isInLastFifth(snapshot);
  return { obstacle: excused ? null : open, unconfirmed: excused };
}

function isInLastFifth({ certificate, now }: ProjectDomainSnapshot): boolean {
  const left = lifetimeLeft(certificate, now);
  return left !== null && left > 0 && left < lastFifth;
}

function refutation(
  snapshot: ProjectDomainSnapshot,
  { routing, ownership, caa }: CheckStatus,
): Finding<CertificateReason> | null {
  if (routing === 'No' || ownership === 'No') return no('DNSWrongNow', describeDns(snapshot));
  return caa === 'No' ? no('CAAForbids', describeCaa(snapshot)) : null;
}

function uncertainty({ routing, ownership, caa, corroborated }: CheckStatus): Finding<CertificateReason> | null {
  if (routing !== 'Yes' || ownership !== 'Yes')
    return unknown(
      'DNSUnknownNow',
      'the last look could not tell whether DNS leads here and proves it; no order until it does',
    );
  if (caa !== 'Yes') return unknown('CAAUnknown', 'the CAA records of the hostname could not be read');
  if (corroborated === true) return null;
  return unknown(
    'NotCorroborated',
    'only one of the name servers answered; an order waits until two of them say the same',
  );
}

function describeDns({ verdict, domain }: ProjectDomainSnapshot): string {
  const issue = verdict ? verdict.issues[0] : domain.status?.issues?.[0];
  const said = issue ? `${issue.message}; ${issue.fix}` : 'create the records shown';
  return `the last look at DNS found other records, and no certificate is ordered on them: ${said}`;
}

function describeCaa({ verdict, domain }: ProjectDomainSnapshot): string {
  const before = findCondition(domain.status?.conditions, 'CertificateIssued');
  if (!verdict) return before?.reason === 'CAAForbids' ? before.message : 'a CAA record forbids the certificate';
  const issue = verdict.issues.find((candidate) => candidate.code === verdict.caa.code) ?? verdict.issues[0];
  return issue ? `${issue.message}; ${issue.fix}` : 'a CAA record forbids the certificate';
}
