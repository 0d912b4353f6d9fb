import type { Condition, Finding } from '../../../rules/conditions.ts';
import { findCondition, isTrue, no, unknown, yes } from '../../../rules/conditions.ts';
import { isMassFailure } from '../../../rules/mass-failure.ts';
import { verifiedReasons as reasons } from '../../../rules/reasons.ts';
import type { DnsVerdict } from '../../../dns/verdict/dns-verdict.ts';
import type { CheckStatus } from '../check-status.ts';
import { days, hours } from '../check-schedule.ts';
import type { ProjectDomainSnapshot } from '../project-domain-snapshot.ts';

/** A held name stops counting as verified after this many agreeing failures, at least this far apart. */
const failuresToLose = 3;
const loseAfter = hours;
const unknownIsDegradedAfter = 30 * days;

export interface VerificationFindings {
  readonly OwnershipVerified: Finding;
  readonly DNSVerified: Finding;
}

/** The two proofs, kept apart: that DNS leads here, and that the account's owner says so. */
export function verificationFindings(
  snapshot: ProjectDomainSnapshot,
  checkStatus: CheckStatus,
  accepted: Finding,
): VerificationFindings {
  if (snapshot.claimRelation.kind === 'Held')
    return { OwnershipVerified: owned(), DNSVerified: stillRouted(snapshot, checkStatus) };
  if (!isTrue(accepted)) {
    const waiting = unknown(reasons.Waiting, 'waits until the domain is accepted');
    return { OwnershipVerified: waiting, DNSVerified: waiting };
  }
  if (snapshot.verdict) return fromVerdict(snapshot);
  return fromBefore(snapshot, checkStatus);
}

const owned = (): Finding => yes(reasons.Verified, 'ownership was proven');

function fromVerdict(snapshot: ProjectDomainSnapshot): VerificationFindings {
  const { verdict, claimRelation } = snapshot;
  if (!verdict) throw new Error('there is no judgement to read');
  const DNSVerified = isAlone(verdict) ? alone() : finding(verdict.routing, describe(snapshot));
  const ownership = finding(verdict.ownership, describe(snapshot));
  if (claimRelation.kind !== 'Foreign' && claimRelation.kind !== 'Releasing')
    return { DNSVerified, OwnershipVerified: ownership };
  return { DNSVerified, OwnershipVerified: contested(ownership) };
}

/** Right by one name server's word, where the zone has two. */
const isAlone = ({ routing, ownership, corroborated }: DnsVerdict): boolean =>
  routing.verdict === 'yes' && ownership.verdict === 'yes' && !corroborated;

const alone = (): Finding =>
  unknown(
    reasons.OneServerAlone,
    'the records are right by the word of one name server alone; a hostname is proven once two of them say the same: mend the name servers that do not answer',
  );

/** A name another account proved is never simply taken: the TXT record starts a transfer (docs/concepts/proof.md). */
function contested(ownership: Finding): Finding {
  if (isTrue(ownership))
    return unknown(reasons.Transferring, 'the proof holds; the name moves once the other record is gone');
  return no(reasons.HeldElsewhere, 'another account proved this hostname; create the TXT record shown to claim it');
}

const finding = (verdict: { verdict: 'yes' | 'no' | 'unknown'; code: string }, why: string): Finding => {
  if (verdict.verdict === 'yes') return yes(reasons.Verified, 'DNS is right');
  return (verdict.verdict === 'no' ? no : unknown)(verdict.code, why);
};

/** One sentence for the condition: the first issue's, which says what to change. */
function describe({ verdict, domain }: ProjectDomainSnapshot): string {
  const first = verdict?.issues[0];
  return first ? `${first.message}; ${first.fix}` : `the records of ${domain.spec.hostname} are not visible yet`;
}

function fromBefore({ domain }: ProjectDomainSnapshot, checkStatus: CheckStatus): VerificationFindings {
  const waiting = unknown(reasons.Waiting, 'the first DNS check has not finished');
  const conditions = domain.status?.conditions;
  if (checkStatus.checkedAt === null) return { OwnershipVerified: waiting, DNSVerified: waiting };
  return {
    OwnershipVerified: earlier(conditions, 'OwnershipVerified') ?? waiting,
    DNSVerified: earlier(conditions, 'DNSVerified') ?? waiting,
  };
}

function earlier(conditions: readonly Condition[] | undefined, type: string): Finding | undefined {
  const before = findCondition(conditions, type);
  return before && { status: before.status, reason: before.reason, message: before.message };
}

/**
 * A held name is believed until failures agree (three over an hour); not knowing is no failure for thirty days. While
 * very many domains fail at once none of them is believed to have left.
 */
function stillRouted(snapshot: ProjectDomainSnapshot, checkStatus: CheckStatus): Finding {
  const { unknownSince, checkedAt } = checkStatus;
  const at = checkedAt ?? snapshot.now;
  const before = earlier(snapshot.domain.status?.conditions, 'DNSVerified');
  if (before && isTrue(before) && isMassFailure(snapshot.failureCounts)) return before;
  if (hasLeft(checkStatus, at)) {
    if (snapshot.verdict) return no(snapshot.verdict.routing.code, describe(snapshot));
    return before ?? no('RecordMissing', 'DNS leads elsewhere');
  }
  if (unknownSince !== null && at - unknownSince >= unknownIsDegradedAfter) {
    return unknown('Unreachable', 'the name servers of the hostname have given no usable answer for thirty days');
  }
  return yes(reasons.Verified, 'DNS is right');
}

const hasLeft = ({ failures, failingSince }: CheckStatus, at: number): boolean =>
  failingSince !== null && failures >= failuresToLose && at - failingSince >= loseAfter;
