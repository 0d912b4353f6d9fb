import { describe, expect, it } from '@jest/globals';
import {
  createDelegationMemory,
  delegationMemoryLimits,
  isFresh,
  knownDelegation,
} from '../../../../src/dns/lookup/delegation-memory.ts';

const cut = (apex: string) => ({ apex, servers: [], cuts: [] });
const hour = 3_600_000;

describe('the delegation of a domain, for looks that only confirm', () => {
  it.each<[string, number, number]>([
    ['for as long as the registry says', 600, 600_000],
    ['for twelve hours at most', 172_800, 12 * hour],
    ['not at all where the registry says so', 0, 0],
  ])('is fresh %s', (_, ttl, ms) => {
    const known = knownDelegation(cut('example.com'), { names: ['b.test', 'a.test'], ttl }, 1_000);
    expect(known).toEqual({ cut: cut('example.com'), names: ['a.test', 'b.test'], until: 1_000 + ms });
    expect([isFresh(known, 1_000 + ms), isFresh(known, 999 + ms)]).toEqual([false, true]);
  });

  it('is kept for 200,000 domains, and the oldest goes', () => {
    expect(delegationMemoryLimits.entries).toBe(200_000);
    const memory = createDelegationMemory();
    for (let index = 0; index <= delegationMemoryLimits.entries; index += 1) {
      memory.set(`d${index}.com`, knownDelegation(cut(`d${index}.com`), { names: [], ttl: 60 }, 0));
    }
    expect([memory.get('d0.com'), memory.get('d1.com')?.cut.apex]).toEqual([undefined, 'd1.com']);
  });
});
