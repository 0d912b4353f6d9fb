import { describe, expect, it } from '@jest/globals';
import type { Conduct, SimulatedName, YearReport } from '../../../support/simulated-year.ts';
import { day, hour, percentile, simulateYear } from '../../../support/simulated-year.ts';
import { orderLimits } from '../../../support/snapshot.ts';

/**
 * 50,000 domains of 3,000 accounts, a year at Let's Encrypt's limits. What breaks it: an order beyond a limit, a renewal that
 * comes late, or a neighbour that makes others wait.
 */

const weights = [1, 1, 1, 1, 1, 1, 1, 1, 4, 16] as const;

/** Accounts of five to thirty domains, most with two names below each registered domain, added over eight weeks. */
function honest(): readonly SimulatedName[] {
  const names: SimulatedName[] = [];
  for (let account = 0; names.length < 50_000; account = (account + 1) % 3_000) {
    const index = names.length;
    const pair = Math.floor(index / 2);
    names.push({
      account: `honest${account}`,
      weight: weights[account % weights.length] ?? 1,
      hostname: `${index % 2 === 0 ? 'www' : 'shop'}.honest${pair}.example`,
      domain: `honest${pair}.example`,
      conduct: 'honest',
      arrivesAt: Math.floor((index / 50_000) * 56 * day),
    });
  }
  return names;
}

interface Attack {
  readonly account: (index: number) => string;
  readonly count: number;
  readonly conduct: Conduct;
  /** registered domain of a name; its own unless said */
  readonly domain?: string;
  readonly from: number;
}

const attack = ({ account, count, conduct, domain, from }: Attack): readonly SimulatedName[] =>
  Array.from({ length: count }, (_, index) => {
    const own = domain ?? `${account(index)}-${index}.test`;
    return { account: account(index), weight: 1, hostname: `n${index}.${own}`, domain: own, conduct, arrivesAt: from };
  });

const hostile: readonly SimulatedName[] = [
  ...attack({ account: () => 'deletes', count: 300, conduct: 'deletes its Secret', from: 2 * day }),
  ...attack({ account: () => 'one-domain', count: 10_000, conduct: 'honest', domain: 'agency.test', from: 3 * day }),
  ...attack({ account: () => 'fails', count: 2_000, conduct: 'fails', from: 4 * day }),
  ...attack({ account: (index) => `split${index % 100}`, count: 2_000, conduct: 'honest', from: 8 * day }),
  ...attack({
    account: (index) => `split-one${index % 50}`,
    count: 1_000,
    conduct: 'honest',
    domain: 'split.test',
    from: 8 * day,
  }),
];

const honestFirst = ({ firstOrders }: YearReport): number =>
  [...firstOrders].filter(([account]) => account.startsWith('honest')).reduce((sum, [, count]) => sum + count, 0);

const quiet = simulateYear(honest(), orderLimits);

describe('a year of 50,000 domains', () => {
  it('oversteps no limit of the authority and renews everything with four weeks to spare', () => {
    expect(quiet.violations).toBe(0);
    expect(honestFirst(quiet)).toBe(50_000);
    expect(quiet.renewals).toBeGreaterThan(200_000);
    expect(quiet.leastLeft).toBeGreaterThan(28 * day);
  });

  it('has every first certificate the moment orders are shared out', () => {
    expect(percentile(quiet.honestWaits, 1)).toBe(0);
  });
});

describe('the same year beside who deletes Secrets, orders 10,000 names of one domain, only fails, and is 150 accounts', () => {
  const beset = simulateYear([...honest(), ...hostile], orderLimits);

  it('oversteps no limit either, and renews as early', () => {
    expect(beset.violations).toBe(0);
    expect(beset.leastLeft).toBe(quiet.leastLeft);
  });

  it('gives every honest domain its certificate', () => {
    expect(honestFirst(beset)).toBe(50_000);
  });

  it('keeps honest domains waiting hardly longer: 99 of 100 not at all, and none for longer than six hours', () => {
    expect(percentile(beset.honestWaits, 0.99)).toBe(0);
    expect(percentile(beset.honestWaits, 1)).toBeLessThanOrEqual(6 * hour);
  });

  it('lets the names of one registered domain have 50 certificates a week, whoever orders them', () => {
    const weeks = 53;
    const split = [...beset.firstOrders].filter(([account]) => account.startsWith('split-one'));
    expect(beset.firstOrders.get('one-domain') ?? 0).toBeLessThanOrEqual(weeks * 50);
    expect(split.reduce((sum, [, count]) => sum + count, 0)).toBeLessThanOrEqual(weeks * 50);
  });
});
