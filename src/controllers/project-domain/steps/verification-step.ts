import type { Finding } from '../../../rules/conditions.ts';
import { findingIn, findingsOf, isTrue } from '../../../rules/conditions.ts';
import type { VerifiedReason } from '../../../rules/reasons.ts';
import { challengeName } from '../../../rules/desired-records.ts';
import { isWarning } from '../../../rules/issue-acts.ts';
import { verifiedReasons } from '../../../rules/codes/verified-reasons.ts';
import { messageOfCode } from '../../../rules/issue-params.ts';
import { verdictCodes } from '../../../rules/verdict-codes.ts';
import { isMassFailure } from '../../../rules/domain-state.ts';
import type { DnsIssue, DnsVerdict, Verdict } from '../../../dns/verdict/dns-verdict.ts';
import type { OverlappingClaim } from '../../../rules/hostname-claims.ts';
import { overlapElsewhere } from '../../../rules/hostname-claims.ts';
import type { CheckStatus } from '../check-status.ts';
import { failuresToLose } from '../check-status.ts';
import { days, hours } from '../../../rules/check-schedule.ts';
import type { EvaluatedProjectDomain } from '../project-domain-snapshot.ts';

/** The failed checks in a row that lose a held name are spread over at least this long. */
const loseAfter = hours;
const unknownIsDegradedAfter = 30 * days;

const { no, unknown, yes } = findingsOf(verifiedReasons);

type VerifiedFinding = Finding<VerifiedReason>;

export interface VerificationFindings {
  readonly OwnershipVerified: VerifiedFinding;
  readonly DNSVerified: VerifiedFinding;
}

/** The two proofs, reported separately: that the hostname points here, and that the domain's owner wants it in this account. */
export function verificationFindings(snapshot: EvaluatedProjectDomain): VerificationFindings {
  if (snapshot.claimRelation.kind === 'Held')
    return { OwnershipVerified: ownershipProven(), DNSVerified: stillRouted(snapshot) };
  if (!isTrue(snapshot.accepted)) {
    const waiting = unknown('Waiting', 'waiting until the domain is accepted');
    return { OwnershipVerified: waiting, DNSVerified: waiting };
  }
  if (snapshot.verdict) return fromVerdict(snapshot);
  return fromBefore(snapshot);
}

const ownershipProven = (): VerifiedFinding => yes('Verified', 'ownership was proven');

function fromVerdict(snapshot: EvaluatedProjectDomain): VerificationFindings {
  const { verdict, claimRelation } = snapshot;
  if (!verdict) throw new Error('the snapshot has no DNS verdict');
  const DNSVerified = isUncorroborated(verdict) ? uncorroborated() : finding(snapshot, verdict.routing);
  const ownership = finding(snapshot, verdict.ownership);
  const overlap = isTrue(ownership) ? overlapElsewhere(snapshot.account?.spec.id, snapshot.overlaps) : null;
  if (overlap !== null) return { DNSVerified, OwnershipVerified: overlaps(snapshot, overlap) };
  if (claimRelation.kind !== 'Foreign' && claimRelation.kind !== 'Releasing')
    return { DNSVerified, OwnershipVerified: ownership };
  return { DNSVerified, OwnershipVerified: contested(ownership) };
}

/** True when only one name server confirms the records, although the zone has two. */
const isUncorroborated = ({ routing, ownership, corroborated }: DnsVerdict): boolean =>
  routing.verdict === 'yes' && ownership.verdict === 'yes' && !corroborated;

const uncorroborated = (): VerifiedFinding => unknown('OneServerAlone');

/** A name that another account proved is never taken at once: the TXT record starts a transfer (docs/concepts/proof.md). */
function contested(ownership: VerifiedFinding): VerifiedFinding {
  if (isTrue(ownership)) return unknown('Transferring');
  return no('HeldElsewhere');
}

/** Who has proven the hostname may know that the other one is taken, as both are in its own zone. */
function overlaps({ domain }: EvaluatedProjectDomain, { hostname }: OverlappingClaim): VerifiedFinding {
  return no('OverlapsElsewhere', { held: hostname, hostname: domain.spec.hostname });
}

/** The reason is the code of the verdict, and the message what that says. */
function finding(
  { verdict, domain }: EvaluatedProjectDomain,
  { verdict: found, code }: Verdict,
  issues: readonly DnsIssue[] = verdict?.issues ?? [],
): VerifiedFinding {
  if (found === 'yes') return yes('Verified', 'DNS is set up correctly');
  const { hostname } = domain.spec;
  const name = code.startsWith('Txt') ? (challengeName(hostname) ?? hostname) : hostname;
  const errors = issues.filter((issue) => !isWarning(issue));
  const message = messageOfCode(code, errors, { name, zone: verdict?.zone ?? hostname });
  return { status: found === 'no' ? 'False' : 'Unknown', reason: code, message };
}

function fromBefore({ before, checks }: EvaluatedProjectDomain): VerificationFindings {
  const waiting = unknown('Waiting', 'the first DNS check has not finished');
  if (checks.checkedAt === null) return { OwnershipVerified: waiting, DNSVerified: waiting };
  return {
    OwnershipVerified: findingIn(before.OwnershipVerified, reasons) ?? waiting,
    DNSVerified: findingIn(before.DNSVerified, reasons) ?? waiting,
  };
}

/** A condition with another reason was written by another version of the operator. */
const reasons = { ...verifiedReasons, ...verdictCodes };

/**
 * A held name counts as verified until three checks in a row failed over an hour; unknown verdicts count against it only
 * after thirty days. During a mass failure no domain loses its verification.
 */
function stillRouted(snapshot: EvaluatedProjectDomain): VerifiedFinding {
  const { unknownSince, checkedAt } = snapshot.checks;
  const at = checkedAt ?? snapshot.now;
  const before = snapshot.before.DNSVerified;
  if (before && isTrue(before) && isMassFailure(snapshot.failureCounts)) return yes('Verified', before.message);
  const lost = hasLeft(snapshot.checks, at) ? lostBy(snapshot) : null;
  if (lost !== null) return lost;
  if (unknownSince !== null && at - unknownSince >= unknownIsDegradedAfter) {
    return unknown('Unreachable');
  }
  return yes('Verified', 'DNS is set up correctly');
}

/**
 * Why a name is lost whose checks failed for long enough; null while it is not. An unknown verdict neither loses it nor
 * says why it was lost.
 */
function lostBy(snapshot: EvaluatedProjectDomain): VerifiedFinding | null {
  const { before, verdict } = snapshot;
  if (verdict?.routing.verdict === 'no') return finding(snapshot, verdict.routing);
  if (isTrue(before.DNSVerified)) return null;
  return findingIn(before.DNSVerified, reasons) ?? finding(snapshot, { verdict: 'no', code: 'WrongTarget' }, []);
}

const hasLeft = ({ failures, failingSince }: CheckStatus, at: number): boolean =>
  failingSince !== null && failures >= failuresToLose && at - failingSince >= loseAfter;
