import { describe, expect, it } from '@jest/globals';
import { addressQuota, signInQuota, wrongTryQuota } from '../../../src/use-cases/quota-admission.ts';
import type { ApiDependencies, Caller } from '../../../src/use-cases/api-dependencies.ts';
import type { Ask, Decision } from '../../../src/quota/quota-port.ts';

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
