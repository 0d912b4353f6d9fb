import { describe, expect, it } from '@jest/globals';
import { isCheckDue, nextReconcileAt } from '../../../src/controllers/project-domain/check-due.ts';
import { decideProjectDomain } from '../../../src/controllers/project-domain/decide-project-domain.ts';
import type { ProjectDomainSnapshot } from '../../../src/controllers/project-domain/project-domain-snapshot.ts';
import { no } from '../../../src/rules/conditions.ts';
import { domain, heldBy, now, snapshot, verdict } from '../../support/snapshot.ts';

/** Which check answers a Verify: one that began after it was seen, or none. */

const second = 1_000;
/** Between two scheduled checks. */
const at = now + 60 * second;
const value = '2026-01-01T11:59:58Z';
const joins = { kind: 'asked', value, fresh: false } as const;
const fresh = { kind: 'asked', value, fresh: true } as const;

/** A Live domain that was checked so long ago. */
const asked = (ago: number, changes: Partial<ProjectDomainSnapshot>): ProjectDomainSnapshot => {
  const live = snapshot({
    ...heldBy,
    domain: domain({ status: { state: 'Live' } }),
    verdict: null,
    now: at,
    ...changes,
  });
  return { ...live, checkStatus: { ...live.checkStatus, checkedAt: at - ago, fullyCheckedAt: at - ago } };
};

function statusOf(of: ProjectDomainSnapshot): { readonly check?: { readonly verifySeen?: string } } {
  const write = decideProjectDomain(of).writes.find(
    ({ verb, kind }) => verb === 'applyStatus' && kind.kind === 'ProjectDomain',
  );
  if (write?.verb !== 'applyStatus') throw new Error('no status is written');
  return write.object.status as object;
}

describe('a Verify', () => {
  it.each<[string, number, Partial<ProjectDomainSnapshot>, boolean]>([
    ['has its check at once', 0, { verify: fresh }, true],
    ['that joins another has it five seconds after the last check', 5 * second, { verify: joins }, true],
    ['that joins another does not have it before', 4 * second, { verify: joins }, false],
    ['of a domain that is not checked has none', 60 * second, { verify: fresh, target: null }, false],
  ])('%s', (_, ago, changes, isDue) => {
    expect(isCheckDue(asked(ago, changes))).toBe(isDue);
  });

  // Would fail if a request were answered by what a check before it had found.
  it.each<[string, ProjectDomainSnapshot, string | undefined]>([
    ['is answered by the check that was made for it', asked(60 * second, { verify: fresh, verdict: verdict() }), value],
    ['that joins is not answered while its check is ahead', asked(4 * second, { verify: joins }), undefined],
    ['that joins is answered by the next check', asked(5 * second, { verify: joins, verdict: verdict() }), value],
    [
      'of what is not checked is answered at once',
      snapshot({ verify: fresh, verdict: null, accepted: no('PlanUpgradeRequired', 'no') }),
      value,
    ],
  ])('%s', (_, of, seen) => {
    expect(statusOf(of).check?.verifySeen).toBe(seen);
  });

  it('that joins brings the domain back for its check', () => {
    const nothingElse = { nextAt: null, settledUntil: null, unansweredSince: null };
    expect(nextReconcileAt(asked(4 * second, { verify: joins }), 'Live', nothingElse)).toBe(at + second);
  });
});
