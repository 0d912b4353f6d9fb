import type { CheckStatus } from '../../src/controllers/project-domain/check-status.ts';
import { checkStatusFields, readCheckStatus, withVerdict } from '../../src/controllers/project-domain/check-status.ts';
import type { ProjectDomainSnapshot } from '../../src/controllers/project-domain/project-domain-snapshot.ts';
import { verificationFindings } from '../../src/controllers/project-domain/steps/verification-step.ts';
import type { DnsVerdict } from '../../src/dns/verdict/dns-verdict.ts';
import { hours } from '../../src/rules/check-schedule.ts';
import { isTrue } from '../../src/rules/conditions.ts';
import { nextDnsCheck } from '../../src/rules/next-dns-check.ts';
import { domain, snapshot } from '../support/snapshot.ts';
import type { DnsAnswer } from './simulated-faults.ts';
import { confirmationOf, verdictOf } from './simulated-verdicts.ts';

/** What the operator knows of a name between two looks. */
export interface NameHistory {
  readonly checks: CheckStatus;
  /** Live, or else Degraded */
  readonly isLive: boolean;
}

export interface Asked {
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
export function lookAt(before: NameHistory, { at, answer, failureCounts }: Asked): Look {
  const { checks, isLive } = before;
  const mayConfirm = isLive && isQuiet(before) && at - (checks.fullyCheckedAt ?? 0) < fullLookEvery;
  const verdict = answer === 'yes' && mayConfirm ? confirmationOf(answer) : verdictOf(answer);
  const checked = withVerdict(checks, verdict, at);
  const verified = isVerified({ now: at, verdict, failureCounts }, checked, isLive);
  const isWritten = verified !== isLive || hasChanged(checks, checked);
  return { at, answer, verdict, isWritten, after: { checks: checked, isLive: verified } };
}

/** When the name is looked at next. */
export const nextAt = (uid: string, { checks, isLive }: NameHistory): number =>
  nextDnsCheck({ uid, state: isLive ? 'Live' : 'Degraded', isHeld: true, checks }) ?? Number.POSITIVE_INFINITY;

/** Live, with nothing that the next look has to confirm. */
export const isQuiet = ({ checks, isLive }: NameHistory): boolean =>
  isLive && checks.failingSince === null && checks.unknownSince === null;

const hasChanged = (before: CheckStatus, after: CheckStatus): boolean =>
  JSON.stringify(checkStatusFields(before)) !== JSON.stringify(checkStatusFields(after));

const fullLookEvery = 24 * hours;

const live = withVerdict(readCheckStatus(domain()), verdictOf('yes'), 0);

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

const held = snapshot({ claimRelation: { kind: 'Held', epoch: 1 } });
const domains = { live: withCondition('True'), lost: withCondition('False') };

/** Does the name still count as verified after this look? */
function isVerified(
  look: Pick<ProjectDomainSnapshot, 'now' | 'verdict' | 'failureCounts'>,
  checks: CheckStatus,
  wasVerified: boolean,
): boolean {
  const seen = { ...held, ...look, domain: wasVerified ? domains.live : domains.lost };
  return isTrue(verificationFindings(seen, checks).DNSVerified);
}

/** A Live domain that was last looked at, and last fully, at these times. */
export const liveSince = (checkedAt: number, fullyCheckedAt: number): NameHistory => ({
  checks: { ...live, checkedAt, fullyCheckedAt },
  isLive: true,
});
