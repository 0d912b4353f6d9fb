import { describe, expect, it } from '@jest/globals';
import {
  addressQuota,
  quotaOf,
  refusal,
  signInQuota,
  wholeQuotaOf,
  wrongTryQuota,
} from '../../../src/use-cases/quota-admission.ts';
import type { ApiDependencies, Caller } from '../../../src/use-cases/api-dependencies.ts';
import type { Ask, Decision } from '../../../src/quota/quota-port.ts';
import { decideQuota, decisionOf, nothingSpent } from '../../../src/quota/quota-decision.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';

/** Whose budget is asked where no account pays: a wrong number, or one budget for two, lets a stranger lock others out. */

async function asks(
  ask: (dependencies: ApiDependencies) => Promise<Decision>,
): Promise<readonly (readonly [string, number])[]> {
  const seen: Ask[] = [];
  const limiter = {
    decide: (one: Ask) => {
      seen.push(one);
      return Promise.resolve({ kind: 'allowed' } as Decision);
    },
  };
  await ask({ limiter } as unknown as ApiDependencies);
  expect(seen.every(({ spend, limits, key }) => spend === 1 && limits.perDay === null && key === null)).toBe(true);
  return seen.map(({ budget, limits }) => [budget, limits.perMinute ?? 0]);
}

const caller = { apiKey: { spec: { keyId: 'k1' } } } as unknown as Caller;

describe('what is asked of the limiter in a minute', () => {
  it.each<[string, (dependencies: ApiDependencies) => Promise<Decision>, readonly (readonly [string, number])[]]>([
    ['without a valid key', (dependencies) => addressQuota(dependencies, '192.0.2.1'), [['ip:192.0.2.1', 60]]],
    [
      'at sign-in by a correct key, whatever the address',
      (dependencies) => signInQuota(dependencies, caller),
      [['si:k1', 20]],
    ],
    [
      'at sign-in by a key that nobody has',
      (dependencies) => wrongTryQuota(dependencies, '192.0.2.1', null),
      [['sa:192.0.2.1', 30]],
    ],
    [
      'at sign-in by a wrong secret of a key',
      (dependencies) => wrongTryQuota(dependencies, '192.0.2.1', 'k1'),
      [
        ['sa:192.0.2.1', 30],
        ['sw:k1', 10],
      ],
    ],
  ])('%s', async (_, ask, expected) => {
    expect(await asks(ask)).toEqual(expected);
  });
});

describe('what a key’s bans are kept under', () => {
  async function nameOf(keyId: string): Promise<string | null> {
    const api = createInMemoryApi();
    const { caller: known, dependencies } = api.as(api.account('acme', 'pro'));
    const named = { ...known, apiKey: { ...known.apiKey, spec: { ...known.apiKey.spec, keyId } } };
    const seen: Ask[] = [];
    const decide = (one: Ask) => (seen.push(one), dependencies.limiter.decide(one));
    await quotaOf({ ...dependencies, limiter: { ...dependencies.limiter, decide } }, named, 1);
    api.stop();
    return seen[0]?.key ?? null;
  }

  it('is its id where that is as short as those that we draw', async () => {
    expect(await nameOf('0123456789abcdef')).toBe('0123456789abcdef');
  });

  // Would fail if the ban of one key of an account were the other's, as a state has room for sixteen characters.
  it('is another one for each longer id, as short', async () => {
    const names = await Promise.all(['acmeproduction0001', 'acmeproduction0002'].map(nameOf));
    expect(names.map((name) => name?.length)).toEqual([16, 16]);
    expect(new Set(names).size).toBe(2);
  });
});

describe('a limit that is tried out', () => {
  const minute = { limit: 5, remaining: 0, resetsAtMs: 0 };

  /** Asks for one request of an account on a plan with a shadow limit; Redis says no to that budget alone. */
  async function tried(shadow: boolean, spend: number) {
    const memory = createInMemoryApi();
    const key = memory.account('acme', 'pro');
    const { caller } = memory.as(key);
    const [asked, told]: [Ask[], string[]] = [[], []];
    const decide = (one: Ask) => {
      asked.push(one);
      return Promise.resolve({ kind: one.budget.startsWith('s:') ? 'limited' : 'allowed', minute } as Decision);
    };
    const limiter = { recall: () => null, decide, close: () => Promise.resolve() };
    const shadowed = (of: Caller, { kind }: Decision) => told.push(`${of.account.spec.plan} ${kind}`);
    const limits = shadow ? { requestsPerMinute: 5, requestsPerDay: 50 } : null;
    const { kind } = await quotaOf({ ...memory.dependencies, limiter, shadowed }, { ...caller, shadow: limits }, spend);
    await new Promise(setImmediate);
    return {
      kind,
      told,
      asked: asked.map(({ budget, limits: of, key: id }) => [budget, of.perMinute, of.perDay, id !== null]),
    };
  }

  // Would fail if a limit that is only tried out refused somebody, or counted towards a ban.
  it('is asked beside the one in force, refuses nothing, and is told', async () => {
    expect(await tried(true, 1)).toEqual({
      kind: 'allowed',
      told: ['pro limited'],
      asked: expect.arrayContaining([
        ['s:id-of-acme', 5, 50, false],
        ['a:id-of-acme', 300, 10_000, true],
      ]),
    });
  });

  // Would fail if an account whose limit was agreed upon were told of a limit that it would not have.
  it('is below what was agreed upon with an account', () => {
    const api = createInMemoryApi();
    const key = api.account('acme', 'pro');
    const pro = api.dependencies.caches.plans.get({ namespace: '', name: 'pro' });
    const shadowRateLimit = { requestsPerMinute: 5, requestsPerDay: 50 };
    api.put({ ...pro, spec: { ...pro?.spec, shadowRateLimit } });
    expect(api.as(key).caller.shadow).toEqual(shadowRateLimit);
    const account = api.dependencies.caches.accounts.get({ namespace: '', name: 'acme' });
    api.put({ ...account, spec: { ...account?.spec, overrides: { rateLimit: { requestsPerMinute: 900 } } } });
    expect(api.as(key).caller.shadow).toEqual({ requestsPerMinute: 900, requestsPerDay: 50 });
    api.stop();
  });

  it.each<[string, boolean, number]>([
    ['where no plan has one', false, 1],
    ['for what spends nothing', true, 0],
  ])('is not asked %s', async (_, shadow, spend) => {
    const { asked, told } = await tried(shadow, spend);
    expect(asked).toHaveLength(1);
    expect(told).toEqual([]);
  });
});

describe('what is done as a whole or not at all', () => {
  const limits = { requestsPerMinute: 300, requestsPerDay: 10_000 };
  const acme = {
    ...{ apiKey: { metadata: {}, spec: { keyId: 'k1' } }, account: { metadata: { name: 'acme' }, spec: {} } },
    ...{ limits: { rateLimit: limits }, shadow: null },
  } as unknown as Caller;

  /** An account's quota with a clock of its own. */
  function quota() {
    const state = { now: Date.parse('2026-01-01T12:00:00Z'), quota: nothingSpent };
    const decide = (ask: Ask) => {
      const { figures, after } = decideQuota(state.quota, ask, state.now);
      state.quota = after;
      return Promise.resolve(decisionOf(figures, ask));
    };
    const dependencies = { limiter: { decide } } as unknown as ApiDependencies;
    return {
      wait: (seconds: number) => void (state.now += seconds * 1_000),
      one: () => quotaOf(dependencies, acme, 1),
      /** a call with so many items: one request, and the others as a whole */
      call: async (items: number) => {
        const first = await quotaOf(dependencies, acme, 1);
        return first.kind === 'allowed' && items > 1 ? wholeQuotaOf(dependencies, acme, items - 1) : first;
      },
    };
  }

  it.each([2, 150, 299, 300])('takes %d of 300 in a minute that is whole', async (items) => {
    const { call } = quota();
    expect(await call(items)).toMatchObject({ kind: 'allowed', minute: { remaining: 300 - items } });
  });

  // Would fail if the request that the next try spends were forgotten.
  it.each([2, 150, 298, 299, 300])(
    'of %d passes when it is told to come back, whatever was spent before',
    async (items) => {
      const { one, call, wait } = quota();
      for (let at = 0; at < 10; at += 1) {
        await one();
        wait(3);
      }
      for (let spent = 0; spent < 280; spent += 1) await one();
      const { kind, retryAfter } = await call(items);
      expect(kind === 'allowed').toBe(items === 2);
      if (kind === 'allowed') return;
      wait(retryAfter ?? 0);
      expect(await call(items)).toMatchObject({ kind: 'allowed' });
    },
  );

  it('keeps nobody from what needs less, and is told what is left', async () => {
    const { one, call } = quota();
    for (let spent = 0; spent < 100; spent += 1) await one();
    const refused = await call(250);
    expect(refused).toMatchObject({ kind: 'limited', minute: { limit: 300, remaining: 199 } });
    expect(refusal(refused, 250)?.message).toMatch(
      /^this counts as 250 requests, and 199 are left of the minute; nothing was done; wait \d+ s/,
    );
    expect((await one()).kind).toBe('allowed');
  });
});
