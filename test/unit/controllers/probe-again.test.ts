import { describe, expect, it } from '@jest/globals';
import { decideProjectDomain } from '../../../src/controllers/project-domain/decide-project-domain.ts';
import type { ProjectDomainSnapshot } from '../../../src/controllers/project-domain/project-domain-snapshot.ts';
import { certificateIn, heldBy, now, route, snapshot, verdict } from '../../support/snapshot.ts';

/** When a route that does not answer is probed again: soon after it was made, and ever less where it never answers. */

const [second, minute] = [1_000, 60_000];
const silent = { ok: false, code: 'NoAnswer', detail: 'connect ECONNREFUSED' } as const;
const probed = (changes: Partial<ProjectDomainSnapshot>) =>
  decideProjectDomain(snapshot({ ...heldBy, verdict: verdict(), certificate: certificateIn(true), route, ...changes }));

describe('a route that does not answer', () => {
  it.each<[string, number | null, number, boolean]>([
    ['at once where it was not probed before', null, 200, true],
    ['at once for a moment', 400, 200, true],
    ['soon for a few seconds, as controllers follow within moments', 4 * second, second, true],
    ['after a quarter of the time that it has not', 20 * second, 5 * second, true],
    ['soon still for some minutes', 2 * minute, 30 * second, true],
    ['in its turn after ten minutes', 10 * minute, minute, false],
    ['every minute where it has not for long', 60 * minute, minute, false],
  ])('is probed again %s', (_, unansweredFor, afterMs, isAwaited) => {
    const since = unansweredFor === null ? null : now - unansweredFor;
    const { requeueAt, recentCheck, ...actions } = probed({ probe: silent, unansweredSince: since });
    expect(actions.isAwaited).toBe(isAwaited);
    expect(requeueAt).toBe(now + afterMs);
    expect(recentCheck.unansweredSince).toBe(since ?? now);
  });
});

describe('a route that answers', () => {
  it('is as if it had never been silent, so that its next change is followed at once', () => {
    const { recentCheck, isAwaited } = probed({ probe: { ok: true }, unansweredSince: now - minute });
    expect([recentCheck.unansweredSince, isAwaited]).toEqual([null, false]);
  });
});
