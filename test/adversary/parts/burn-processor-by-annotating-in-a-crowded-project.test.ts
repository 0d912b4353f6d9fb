/**
 * A tenant fills one project with 10,000 ProjectDomains and edits them: each edit would wake all siblings, and each of
 * their visits would rank all rivals. An edit wakes whom it concerns, and the ranking is kept change by change.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { acceptanceFinding } from '../../../src/rules/acceptance.ts';
import { comparePrecedence, competitorsOf } from '../../../src/rules/precedence.ts';
import { gatherProjectDomain } from '../../../src/controllers/project-domain/gather-project-domain.ts';
import type { Crowd } from '../../support/crowd.ts';
import type { Steps } from '../../support/counted-slices.ts';
import { createCrowd } from '../../support/crowd.ts';
import { settings, recentChecks } from '../../support/snapshot.ts';
import { keysIn, swept } from '../../support/swept.ts';

const domains = 10_000;
/** More than this many siblings are never read in one visit: the cap of the plan, and one. */
const readAtMost = 51;

let crowd: Crowd;
let sweeps: Steps;

beforeAll(async () => {
  crowd = createCrowd({ accounts: 1, domainsEach: domains });
  sweeps = await crowd.lead();
});

afterAll(() => crowd.close());

describe('in a project with 10,000 domains', () => {
  it.each<[string, Readonly<Record<string, string>>]>([
    ['Verify', { 'projectdomain.io/verify-requested-at': '2026-01-01T00:00:00Z' }],
    ['an annotation of the tenant', { note: 'x' }],
  ])('%s wakes that domain and no other', async (_, annotations) => {
    crowd.change(crowd.stores.domains, crowd.domain(0, 7), { annotations });
    await swept(sweeps);
    expect(await keysIn(crowd.queues.projectDomain)).toEqual(['a0/d7']);
    expect(await keysIn(crowd.queues.project)).toEqual([]);
  });

  it('where a redirect leads is nobody else’s matter', async () => {
    crowd.change(crowd.stores.domains, crowd.domain(0, 8), { spec: { redirect: { to: 'elsewhere.test' } } });
    await swept(sweeps);
    expect(await keysIn(crowd.queues.projectDomain)).toEqual(['a0/d8']);
  });

  it('a visit reads as many siblings as the plan allows domains, whichever of them it is', () => {
    for (const index of [0, 49, 5_000, domains - 1]) {
      const { siblings } = gatherProjectDomain(
        { caches: crowd.stores, settings, recentChecks },
        crowd.domain(0, index),
        0,
      );
      expect(siblings.length).toBeLessThanOrEqual(readAtMost);
    }
  });

  it('and decides as if it had read them all', () => {
    const all = crowd.stores.domains.byIndex('project', 'a0/shop');
    const claimOf = () => undefined;
    for (const index of [0, 10, 49, 50, 51, 5_000, domains - 1]) {
      const seen = {
        ...gatherProjectDomain({ caches: crowd.stores, settings, recentChecks }, crowd.domain(0, index), 0),
        platformDomains: [],
      };
      const whole = { ...seen, siblings: competitorsOf(seen.domain, all, { accountId: undefined, claimOf }) };
      expect(acceptanceFinding(seen)).toEqual(acceptanceFinding(whole));
    }
  });

  it('the ranking follows every change of role, claim and existence', () => {
    const subject = crowd.domain(0, 9_000);
    const holder = { namespace: 'a0', name: subject.metadata.name };
    const proof = { method: 'CNAME' as const, at: '2026-01-02T00:00:00Z' };
    const spec = { account: 'id-a0', holder, phase: 'Held' as const, epoch: 1, proof };
    const claim = {
      apiVersion: 'projectdomain.io/v1alpha1',
      kind: 'HostnameClaim',
      metadata: { name: subject.spec.hostname, uid: 'c', resourceVersion: '1' },
      spec,
    };
    crowd.stores.claims.put(claim);
    expect(crowd.stores.precedenceIndex.ofProject('a0', 'shop')[0]?.name).toBe('d9000');
    crowd.stores.claims.drop(claim);
    crowd.stores.domains.drop(crowd.domain(0, 3));
    crowd.change(crowd.stores.domains, crowd.domain(0, 4), { spec: { role: 'Primary' } });
    const ranked = crowd.stores.precedenceIndex.ofProject('a0', 'shop');
    const ranks = ranked.map(({ precedence }) => precedence);
    expect(ranks).toEqual(ranks.toSorted(comparePrecedence));
    expect(ranked.length).toBe(domains - 1);
    expect(ranked.find(({ name }) => name === 'd4')?.role).toBe('Primary');
  });
});
