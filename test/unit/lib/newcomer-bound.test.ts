import { describe, expect, it } from '@jest/globals';
import { createNewcomerBound } from '../../../src/lib/newcomer-bound.ts';

/** Who is closed before anything is made for its connection: fails if a usual client is, or if a flood is not. */

const networks: Readonly<Record<string, string>> = { '192.0.2.1': 'loud', '192.0.2.2': 'quiet', '192.0.2.3': 'loud' };

let now = 0;

const start = () =>
  createNewcomerBound({
    networkOf: (address) => networks[address] ?? null,
    holdsUnusuallyMany: (network) => network === 'loud',
    elapsed: () => now,
  });
const accepted = (bound: ReturnType<typeof start>, addresses: readonly string[]): number =>
  addresses.filter((address) => !bound.check(address)).length;
const times = (count: number, address: string) => Array.from({ length: count }, () => address);

describe('of a hundred connections at once', () => {
  it.each<[string, string, number]>([
    ['a network that holds unusually many has sixteen accepted', '192.0.2.1', 16],
    ['one that holds few has all accepted', '192.0.2.2', 100],
    ['a trusted proxy, which has many clients, has all accepted', '192.0.2.9', 100],
  ])('%s', (_, address, count) => {
    expect(accepted(start(), times(100, address))).toBe(count);
  });

  it('those of two addresses of one network count together', () => {
    expect(accepted(start(), [...times(10, '192.0.2.1'), ...times(10, '192.0.2.3')])).toBe(16);
  });

  it('those of the next quarter of a second count anew', () => {
    const bound = start();
    accepted(bound, times(100, '192.0.2.1'));
    now += 249;
    expect(accepted(bound, times(100, '192.0.2.1'))).toBe(0);
    now += 1;
    expect(accepted(bound, times(100, '192.0.2.1'))).toBe(16);
  });
});
