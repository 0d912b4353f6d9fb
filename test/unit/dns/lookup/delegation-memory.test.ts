import { describe, expect, it } from '@jest/globals';
import { createDelegationMemory, delegationMemoryLimits } from '../../../../src/dns/lookup/delegation-memory.ts';

const cut = (apex: string) => ({ apex, servers: [], cuts: [] });
const hour = 3_600_000;

describe('the delegation of a domain, for looks that only confirm', () => {
  it.each<[string, number, number]>([
    ['for as long as the registry says', 600, 600_000],
    ['for twelve hours at most', 172_800, 12 * hour],
    ['not at all where the registry says so', 0, 0],
  ])('is fresh %s', (_, ttlSeconds, ms) => {
    const memory = createDelegationMemory();
    memory.keep(cut('example.com'), { names: ['b.test', 'a.test'], ttlSeconds, now: 0 });
    expect(memory.recall('example.com', ms)).toMatchObject({ names: ['a.test', 'b.test'], isFresh: false });
    if (ms > 0) expect(memory.recall('example.com', ms - 1)?.isFresh).toBe(true);
  });

  it('is kept for 200,000 domains, and the oldest goes', () => {
    expect(delegationMemoryLimits.entries).toBe(200_000);
    const memory = createDelegationMemory();
    for (let index = 0; index <= delegationMemoryLimits.entries; index += 1) {
      memory.keep(cut(`d${index}.com`), { names: [], ttlSeconds: 60, now: 0 });
    }
    expect([memory.recall('d0.com', 1), memory.recall('d1.com', 1)?.isFresh]).toEqual([undefined, true]);
  });
});
