/**
 * Many accounts and one change that concerns them all, or an account that changes a thing of its own ever again: the
 * operator would go through everything once for each account, say nothing on /livez and lose its lease. Indexes, and
 * sweeps in slices of five milliseconds, hold it off.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { systemClock } from '../../../src/lib/clock.ts';
import type { Crowd } from '../../support/crowd.ts';
import type { Steps } from '../../support/counted-slices.ts';
import { createCrowd } from '../../support/crowd.ts';
import { mostPerTurn, tickingClock } from '../../support/most-per-turn.ts';
import { countReads } from '../../support/store-reads.ts';
import { keysIn, swept } from '../../support/swept.ts';
import { turnsOfLoop } from '../../support/turns-of-loop.ts';

const size = { accounts: 4_000, domainsEach: 2 };
/** Keys that are queued between two turns of the event loop: a slice has a hundred parts here, each of an account and its two domains at most. */
const inOneGo = 500;
/** Objects that one change reads at most, of thousands. */
const readEach = 20;

let crowd: Crowd;
let sweeps: Steps;

beforeAll(async () => {
  crowd = createCrowd(size, { ...systemClock, elapsed: tickingClock() });
  sweeps = await crowd.lead();
});

afterAll(() => crowd.close());

const plan = (of = crowd) => {
  const found = of.stores.plans.get({ namespace: '', name: 'pro' });
  if (!found) throw new Error('there is no plan');
  return found;
};
const account = (index: number) => {
  const found = crowd.stores.accounts.get({ namespace: '', name: `a${index}` });
  if (!found) throw new Error('there is no account');
  return found;
};
const customDomains = (maxPerProject: number) => ({ customDomains: { enabled: true, maxPerProject } });

type Name = 'account' | 'projectDomain';

async function depthReaches(name: Name, keys: number): Promise<void> {
  while (crowd.queues[name].depth() < keys) await turnsOfLoop(1);
}

afterEach(async () => {
  jest.restoreAllMocks();
  for (const queue of Object.values(crowd.queues)) await keysIn(queue);
});

describe('with 4,000 accounts and 8,000 domains on one plan', () => {
  it('an edit of the plan wakes every account and domain, a few in each turn of the event loop', async () => {
    const added = [jest.spyOn(crowd.queues.account, 'add'), jest.spyOn(crowd.queues.projectDomain, 'add')];
    const woken = () => added.reduce((sum, { mock }) => sum + mock.calls.length, 0);
    const most = await mostPerTurn(woken, async () => {
      crowd.change(crowd.stores.plans, plan(), { spec: customDomains(51) });
      await depthReaches('projectDomain', size.accounts * size.domainsEach);
      await depthReaches('account', size.accounts);
    });
    expect(most).toBeLessThanOrEqual(inOneGo);
  });

  it('a hundred edits in a row cost no more than two: the sweep under way is repeated once', async () => {
    const accounts = 400;
    const fresh = createCrowd({ accounts, domainsEach: 2 }, { ...systemClock, elapsed: tickingClock() });
    await fresh.lead();
    const added = jest.spyOn(fresh.queues.account, 'add');
    for (let edit = 0; edit < 100; edit += 1)
      fresh.change(fresh.stores.plans, plan(fresh), { spec: customDomains(100 + edit) });
    // The last of a hundred sweeps side by side would come to the last account after a hundred times as many keys.
    while (fresh.queues.account.depth() < accounts) await turnsOfLoop(1);
    expect(added.mock.calls.length).toBeLessThanOrEqual(2 * accounts);
    fresh.close();
  });

  it('a rate limit that is changed concerns no domain', async () => {
    const quiet = createCrowd({ accounts: 3, domainsEach: 2 });
    const sweeps = await quiet.lead();
    quiet.change(quiet.stores.plans, plan(quiet), { spec: { rateLimit: { requestsPerMinute: 1, requestsPerDay: 1 } } });
    await swept(sweeps);
    expect(await keysIn(quiet.queues.account)).toEqual([]);
    expect(await keysIn(quiet.queues.projectDomain)).toEqual([]);
    quiet.close();
  });

  it('a thousand edited accounts are paid for by their own objects alone', async () => {
    const edited = 1_000;
    const reads = countReads(crowd.stores);
    for (let index = 0; index < edited; index += 1) {
      crowd.change(crowd.stores.accounts, account(index), { spec: { plan: 'business' } });
      if (index % 10 === 9) await turnsOfLoop(1);
    }
    await depthReaches('projectDomain', edited * size.domainsEach);
    await swept(sweeps);
    expect(await keysIn(crowd.queues.account)).toHaveLength(edited);
    expect(await keysIn(crowd.queues.projectDomain)).toHaveLength(edited * size.domainsEach);
    expect(reads.end()).toBeLessThanOrEqual(edited * readEach);
  });

  it('a thousand deleted projects let go of what they held without a look at anybody else', async () => {
    const deleted = 1_000;
    const reads = countReads(crowd.stores);
    for (let index = 0; index < deleted; index += 1) {
      const project = crowd.stores.projects.get({ namespace: `a${index}`, name: 'shop' });
      if (project) crowd.stores.projects.drop(project);
      if (index % 10 === 9) await turnsOfLoop(1);
    }
    await swept(sweeps);
    expect(reads.end()).toBeLessThanOrEqual(deleted * readEach);
  });
});
