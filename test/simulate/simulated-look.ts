import { isDeepStrictEqual } from 'node:util';
import type { CheckStatus } from '../../src/controllers/project-domain/check-status.ts';
import { readCheckStatus, withVerdict } from '../../src/controllers/project-domain/check-status.ts';
import { evaluateProjectDomain } from '../../src/controllers/project-domain/decide-project-domain.ts';
import type { ProjectDomainSnapshot } from '../../src/controllers/project-domain/project-domain-snapshot.ts';
import { verificationFindings } from '../../src/controllers/project-domain/steps/verification-step.ts';
import type { DnsVerdict } from '../../src/dns/verdict/dns-verdict.ts';
import { fullCheckTimes } from '../../src/rules/check-schedule.ts';
import { isTrue } from '../../src/rules/conditions.ts';
import { nextDnsCheck, shareOf } from '../../src/rules/next-dns-check.ts';
import { domain, snapshot } from '../support/snapshot.ts';
import type { DnsAnswer } from './simulated-faults.ts';
import { confirmationOf, verdictOf } from './simulated-verdicts.ts';

/** What the operator knows of a name between two looks. */
export interface NameHistory {
  readonly checks: CheckStatus;
  /** Live, or else Degraded */
  readonly isLive: boolean;
  /** milliseconds */
  readonly driftInterval: number;
}

export interface Asked {
  /** of the ProjectDomain */
  readonly uid: string;
  readonly at: number;
  readonly answer: DnsAnswer;
  readonly failureCounts: ProjectDomainSnapshot['failureCounts'];
}

export interface Look extends Pick<Asked, 'at' | 'answer'> {
  readonly verdict: DnsVerdict;
  readonly isWritten: boolean;
  readonly after: NameHistory;
}

/** One look by the operator's own history and findings. */
export function lookAt(before: NameHistory, { uid, at, answer, failureCounts }: Asked): Look {
  const { checks, isLive } = before;
  const isFullDue = fullCheckTimes(shareOf(uid), at).last > (checks.fullyCheckedAt ?? 0);
  const mayConfirm = isQuiet(before) && !isFullDue;
  const verdict = answer === 'yes' && mayConfirm ? confirmationOf(answer) : verdictOf(answer);
  const checked = { ...withVerdict(checks, verdict, at), successes: 0 };
  const verified = isVerified({ now: at, verdict, failureCounts }, checked, isLive);
  const isWritten = verified !== isLive || hasChanged(checks, checked);
  return {
    at,
    answer,
    verdict,
    isWritten,
    after: { checks: checked, isLive: verified, driftInterval: before.driftInterval },
  };
}

/** When the name is looked at next. */
export const nextAt = (uid: string, { checks, isLive, driftInterval }: NameHistory, now: number): number =>
  nextDnsCheck({ uid, state: isLive ? 'Live' : 'Degraded', isHeld: true, checks, driftInterval }, now) ??
  Number.POSITIVE_INFINITY;

/** Live, with nothing that the next look has to confirm. */
export const isQuiet = ({ checks, isLive }: NameHistory): boolean =>
  isLive && checks.failingSince === null && checks.unknownSince === null;

/** True when more is another than the times of the last check, which are not written on their own. */
function hasChanged(before: CheckStatus, after: CheckStatus): boolean {
  return (Object.keys(after) as (keyof CheckStatus)[]).some(
    (field) => !unwritten.has(field) && !isDeepStrictEqual(before[field], after[field]),
  );
}

const unwritten: ReadonlySet<keyof CheckStatus> = new Set(['checkedAt', 'fullyCheckedAt']);

const live = { ...withVerdict(readCheckStatus(domain()), verdictOf('yes'), 0), successes: 0 };

const withCondition = (status: 'True' | 'False') =>
  domain({
    status: {
      conditions: [
        {
          type: 'DNSVerified',
          status,
          reason: 'RecordMissing',
          message: '',
          lastTransitionTime: '2026-01-01T00:00:00Z',
        },
      ],
    },
  });

const heldWith = (status: 'True' | 'False') =>
  evaluateProjectDomain(snapshot({ claimRelation: { kind: 'Held', epoch: 1 }, domain: withCondition(status) }));
const domains = { live: heldWith('True'), lost: heldWith('False') };

/** Does the name still count as verified after this look? */
function isVerified(
  look: Pick<ProjectDomainSnapshot, 'now' | 'verdict' | 'failureCounts'>,
  checks: CheckStatus,
  wasVerified: boolean,
): boolean {
  const held = wasVerified ? domains.live : domains.lost;
  return isTrue(verificationFindings({ ...held, ...look, checks }).DNSVerified);
}

/** A Live domain that was last looked at, and that fully, at a time. */
export const liveSince = (at: number, driftInterval: number): NameHistory => ({
  driftInterval,
  checks: { ...live, startedAt: 0, checkedAt: at, fullyCheckedAt: at },
  isLive: true,
});
