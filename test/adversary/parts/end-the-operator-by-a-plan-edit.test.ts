/**
 * Many accounts and one change that concerns them all, or an account that changes a thing of its own ever again: the
 * operator would go through everything once for each account, say nothing on /livez and lose its lease. Indexes, and
 * sweeps in slices of five milliseconds, hold it off.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Crowd } from '../../support/crowd.ts';
import { createCrowd } from '../../support/crowd.ts';
import { longestHold } from '../../support/longest-hold.ts';

const size = { accounts: 4_000, domainsEach: 2 };
/** A slice is 5 ms; the rest is for a machine whose processors are busy with other work. A scan would take many seconds. */
const heldAtMostMs = 1_500;

let crowd: Crowd;

beforeAll(async () => {
  crowd = createCrowd(size);
  await crowd.lead();
});

afterAll(() => crowd.close());

const plan = () => {
  const found = crowd.stores.plans.get({ namespace: '', name: 'pro' });
  if (!found) throw new Error('there is no plan');
  return found;
};
const account = (index: number) => {
  const found = crowd.stores.accounts.get({ namespace: '', name: `a${index}` });
  if (!found) throw new Error('there is no account');
  return found;
};
const customDomains = (maxPerProject: number) => ({ customDomains: { enabled: true, maxPerProject } });

async function depthReaches(name: 'projectDomain' | 'account', keys: number): Promise<void> {
  while (crowd.queues[name].depth() < keys) await new Promise((done) => setTimeout(done, 5));
}

describe('with 4,000 accounts and 8,000 domains on one plan', () => {
  it('an edit of the plan wakes every account and domain without holding the event loop', async () => {
    const held = await longestHold(async () => {
      crowd.change(crowd.stores.plans, plan(), { spec: customDomains(51) });
      await depthReaches('projectDomain', size.accounts * size.domainsEach);
    });
    expect(crowd.queues.account.depth()).toBe(size.accounts);
    expect(held).toBeLessThan(heldAtMostMs);
  });

  it('a hundred edits in a row cost no more than two: the sweep under way is repeated once', async () => {
    const held = await longestHold(async () => {
      for (let edit = 0; edit < 100; edit += 1) {
        crowd.change(crowd.stores.plans, plan(), { spec: customDomains(100 + edit) });
      }
      await depthReaches('account', size.accounts);
    });
    expect(held).toBeLessThan(heldAtMostMs);
  });

  it('a rate limit that is changed concerns no domain', async () => {
    const quiet = createCrowd({ accounts: 3, domainsEach: 2 });
    await quiet.lead();
    const found = quiet.stores.plans.get({ namespace: '', name: 'pro' });
    if (!found) throw new Error('there is no plan');
    quiet.change(quiet.stores.plans, found, { spec: { rateLimit: { requestsPerMinute: 1, requestsPerDay: 1 } } });
    await new Promise((done) => setTimeout(done, 20));
    quiet.close();
    expect([quiet.queues.account.depth(), quiet.queues.projectDomain.depth()]).toEqual([0, 0]);
  });

  it('a thousand edited accounts are paid for by their own objects alone', async () => {
    const held = await longestHold(async () => {
      for (let index = 0; index < 1_000; index += 1) {
        crowd.change(crowd.stores.accounts, account(index), { spec: { plan: 'business' } });
        if (index % 10 === 9) await new Promise((done) => setImmediate(done));
      }
    });
    expect(held).toBeLessThan(heldAtMostMs);
  });

  it('a thousand deleted projects let go of what they held without a look at anybody else', async () => {
    const held = await longestHold(async () => {
      for (let index = 0; index < 1_000; index += 1) {
        const project = crowd.stores.projects.get({ namespace: `a${index}`, name: 'shop' });
        if (project) crowd.stores.projects.drop(project);
        if (index % 10 === 9) await new Promise((done) => setImmediate(done));
      }
    });
    expect(held).toBeLessThan(heldAtMostMs);
  });
});
