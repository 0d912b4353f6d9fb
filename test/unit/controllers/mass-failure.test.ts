import { describe, expect, it } from '@jest/globals';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import type { FailureCounts } from '../../../src/rules/domain-state.ts';
import { isMassFailure } from '../../../src/rules/domain-state.ts';
import { suspendAnnotation } from '../../../src/rules/claim-suspension.ts';
import { decideProjectDomain } from '../../../src/controllers/project-domain/decide-project-domain.ts';
import { certificateIn, claim, domain, heldBy, route, verdict, now, snapshot } from '../../support/snapshot.ts';

const day = 24 * 3_600_000;
const at = (ago: number) => new Date(now - ago).toISOString().replace('.000', '');

describe('domains fail at once', () => {
  it.each<[sentence: string, counts: readonly [number, number, number, number], answer: boolean]>([
    ['when more than a tenth do, in many accounts', [1_000, 101, 500, 60], true],
    ['not when it is a tenth', [1_000, 100, 500, 60], false],
    ['not when it is nine of twenty: a few say nothing', [20, 9, 20, 9], false],
    ['when it is ten of twenty', [20, 10, 20, 10], true],
    ['not when one account of many has let all of its domains go', [1_000, 400, 500, 1], false],
    ['not when two have', [1_000, 400, 10, 2], false],
    ['when there is but one account', [20, 10, 1, 1], true],
    ['not when few accounts of very many have let a third of all domains go', [3_000, 1_000, 500, 50], false],
  ])('%s', (_, [served, failing, namespaces, failingNamespaces], answer) => {
    expect(isMassFailure({ served, failing, namespaces, failingNamespaces })).toBe(answer);
  });
});

const quiet: FailureCounts = { served: 100, failing: 1, namespaces: 50, failingNamespaces: 1 };
const allAtOnce: FailureCounts = { served: 100, failing: 60, namespaces: 50, failingNamespaces: 40 };

const condition = (type: string, status: 'True' | 'False', ago: number) => ({
  type,
  status,
  reason: 'x',
  message: 'x',
  lastTransitionTime: at(ago),
});

/** Held, served, and without its record for so long. */
function failing(state: 'Live' | 'Degraded' | 'Suspended', ago: number): ProjectDomain {
  const dns = condition('DNSVerified', state === 'Live' ? 'True' : 'False', ago);
  const routed = condition('Routed', state === 'Suspended' ? 'False' : 'True', ago);
  const check = {
    startedAt: at(ago),
    checkedAt: at(60_000),
    failures: 9,
    failingSince: at(ago),
    routing: 'No' as const,
  };
  return domain({ status: { state, conditions: [dns, routed], check } });
}

function stateAfter(subject: ProjectDomain, failureCounts: FailureCounts, annotations = {}): unknown {
  const routing = { verdict: 'no' as const, code: 'RecordMissing' as const, by: null };
  const held = { ...heldBy, claim: { ...claim(), metadata: { ...claim().metadata, annotations } } };
  const actions = decideProjectDomain(
    snapshot({
      ...held,
      domain: subject,
      certificate: certificateIn(true),
      route: subject.status?.state === 'Suspended' ? undefined : route,
      verdict: verdict({ routing }),
      failureCounts,
    }),
  );
  const write = actions.writes.find(({ verb }) => verb === 'applyStatus');
  if (write?.verb !== 'applyStatus') throw new Error('the plan writes no status');
  expect(actions.requeueAt ?? Infinity).toBeGreaterThan(now);
  return (write.object.status as { state: string }).state;
}

describe('a held domain whose record is gone', () => {
  it.each<[sentence: string, before: 'Live' | 'Degraded' | 'Suspended', ago: number, after: string, spared: string]>([
    ['is degraded after three failures over an hour', 'Live', 2 * 3_600_000, 'Degraded', 'Live'],
    ['is suspended after seven days of grace', 'Degraded', 8 * day, 'Suspended', 'Degraded'],
    ['that is suspended stays so', 'Suspended', 8 * day, 'Suspended', 'Suspended'],
  ])('%s, and while very many fail at once nothing is taken away or given back', (_, before, ago, after, spared) => {
    expect(stateAfter(failing(before, ago), quiet)).toBe(after);
    expect(stateAfter(failing(before, ago), allAtOnce)).toBe(spared);
  });

  it("is suspended by an administrator's word whatever happens around it", () => {
    const word = { [suspendAnnotation]: 'abuse' };
    expect(stateAfter(failing('Live', 2 * 3_600_000), allAtOnce, word)).toBe('Suspended');
  });
});
