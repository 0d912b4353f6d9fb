import type { Finding } from '../../../rules/conditions.ts';
import { findCondition, findingIn, isTrue, no, unknown, yes } from '../../../rules/conditions.ts';
import type { VerifiedReason } from '../../../rules/reasons.ts';
import { verifiedReasons } from '../../../rules/reasons.ts';
import { verdictCodes } from '../../../rules/verdict-codes.ts';
import type { ProjectDomain } from '../../../generated/project-domain.ts';
import { isMassFailure } from '../../../rules/domain-state.ts';
import type { DnsVerdict, Verdict } from '../../../dns/verdict/dns-verdict.ts';
import type { CheckStatus } from '../check-status.ts';
import { days, hours } from '../check-schedule.ts';
import type { ProjectDomainSnapshot } from '../project-domain-snapshot.ts';

/** A held name stops counting as verified after this many agreeing failures, at least this far apart. */
const failuresToLose = 3;
const loseAfter = hours;
const unknownIsDegradedAfter = 30 * days;

type VerifiedFinding = Finding<VerifiedReason>;

export interface VerificationFindings {
  readonly OwnershipVerified: VerifiedFinding;
  readonly DNSVerified: VerifiedFinding;
}

/** The two proofs, kept apart: that DNS leads here, and that the account's owner says so. */
export function verificationFindings(snapshot: ProjectDomainSnapshot, checkStatus: CheckStatus): VerificationFindings {
  if (snapshot.claimRelation.kind === 'Held')
    return { OwnershipVerified: owned(), DNSVerified: stillRouted(snapshot, checkStatus) };
  if (!isTrue(snapshot.accepted)) {
    const waiting = unknown('Waiting', 'waits until the domain is accepted');
    return { OwnershipVerified: waiting, DNSVerified: waiting };
  }
  if (snapshot.verdict) return fromVerdict(snapshot);
  return fromBefore(snapshot, checkStatus);
}

const owned = (): VerifiedFinding => yes('Verified', 'ownership was proven');

function fromVerdict(snapshot: ProjectDomainSnapshot): VerificationFindings {
  const { verdict, claimRelation } = snapshot;
  if (!verdict) throw new Error('there is no verdict to read');
  const DNSVerified = isAlone(verdict) ? alone() : finding(verdict.routing, describe(snapshot));
  const ownership = finding(verdict.ownership, describe(snapshot));
  if (claimRelation.kind !== 'Foreign' && claimRelation.kind !== 'Releasing')
    return { DNSVerified, OwnershipVerified: ownership };
  return { DNSVerified, OwnershipVerified: contested(ownership) };
}

/** Right by one name server's word, where the zone has two. */
const isAlone = ({ routing, ownership, corroborated }: DnsVerdict): boolean =>
  routing.verdict === 'yes' && ownership.verdict === 'yes' && !corroborated;

const alone = (): VerifiedFinding =>
  unknown(
    'OneServerAlone',
    'the records are right by the word of one name server alone; a hostname is proven once two of them say the same: mend the name servers that do not answer',
  );

/** A name another account proved is never simply taken: the TXT record starts a transfer (docs/concepts/proof.md). */
function contested(ownership: VerifiedFinding): VerifiedFinding {
  if (isTrue(ownership))
    return unknown('Transferring', 'the proof holds; the name moves once the other record is gone');
  return no('HeldElsewhere', 'another account proved this hostname; create the TXT record shown to claim it');
}

const finding = (verdict: Verdict, why: string): VerifiedFinding => {
  if (verdict.verdict === 'yes') return yes('Verified', 'DNS is right');
  return (verdict.verdict === 'no' ? no : unknown)(verdict.code, why);
};

/** One sentence for the condition: the first issue's, which says what to change. */
function describe({ verdict, domain }: ProjectDomainSnapshot): string {
  const first = verdict?.issues[0];
  return first ? `${first.message}; ${first.fix}` : `the records of ${domain.spec.hostname} are not visible yet`;
}

function fromBefore({ domain }: ProjectDomainSnapshot, checkStatus: CheckStatus): VerificationFindings {
  const waiting = unknown('Waiting', 'the first DNS check has not finished');
  if (checkStatus.checkedAt === null) return { OwnershipVerified: waiting, DNSVerified: waiting };
  return {
    OwnershipVerified: earlier(domain, 'OwnershipVerified') ?? waiting,
    DNSVerified: earlier(domain, 'DNSVerified') ?? waiting,
  };
}

const reasons = { ...verifiedReasons, ...verdictCodes };

/** What the status said before; undefined where it said nothing, or what another version of the operator meant. */
const earlier = ({ status }: ProjectDomain, type: keyof VerificationFindings): VerifiedFinding | undefined =>
  findingIn(findCondition(status?.conditions, type), reasons);

/**
 * A held name is believed until failures agree (three over an hour); not knowing is no failure for thirty days. While
 * very many domains fail at once none of them is believed to have left.
 */
function stillRouted(snapshot: ProjectDomainSnapshot, checkStatus: CheckStatus): VerifiedFinding {
  const { unknownSince, checkedAt } = checkStatus;
  const at = checkedAt ?? snapshot.now;
  const before = findCondition(snapshot.domain.status?.conditions, 'DNSVerified');
  if (before && isTrue(before) && isMassFailure(snapshot.failureCounts)) return yes('Verified', before.message);
  if (hasLeft(checkStatus, at)) {
    if (snapshot.verdict) return no(snapshot.verdict.routing.code, describe(snapshot));
    return earlier(snapshot.domain, 'DNSVerified') ?? no('RecordMissing', 'DNS leads elsewhere');
  }
  if (unknownSince !== null && at - unknownSince >= unknownIsDegradedAfter) {
    return unknown('Unreachable', 'the name servers of the hostname have given no usable answer for thirty days');
  }
  return yes('Verified', 'DNS is right');
}

const hasLeft = ({ failures, failingSince }: CheckStatus, at: number): boolean =>
  failingSince !== null && failures >= failuresToLose && at - failingSince >= loseAfter;
