import { describe, expect, it } from '@jest/globals';
import { createBoundedMap } from '../../../src/lib/bounded-map.ts';

type Step = (map: ReturnType<typeof createBoundedMap<number>>) => unknown;

const set =
  (key: string, value = 0): Step =>
  (map) =>
    map.set(key, value);

/** Fails when a memory of name servers grows without end, or drops what is in use instead of what is old. */
describe('of a map for three entries', () => {
  it.each<[string, readonly Step[], string]>([
    ['all are kept while there is room', [set('a'), set('b'), set('c')], 'abc'],
    ['the oldest makes room for a fourth', [set('a'), set('b'), set('c'), set('d')], 'bcd'],
    ['one that is set again is the newest', [set('a'), set('b'), set('c'), set('a'), set('d')], 'acd'],
    ['one that is only read grows old', [set('a'), set('b'), set('c'), (map) => map.get('a'), set('d')], 'bcd'],
    ['what is deleted leaves room', [set('a'), set('b'), set('c'), (map) => map.delete('b'), set('d')], 'acd'],
    ['setting the same again costs no other its place', [set('a'), set('b'), set('c'), set('c'), set('c')], 'abc'],
  ])('%s', (_, steps, kept) => {
    const map = createBoundedMap<number>(3);
    for (const step of steps) step(map);
    expect([...'abcd'].filter((key) => map.get(key) !== undefined).join('')).toBe(kept);
  });

  it('the latest value counts', () => {
    const map = createBoundedMap<number>(3);
    for (const step of [set('a', 1), set('a', 2)]) step(map);
    expect(map.get('a')).toBe(2);
  });

  it('its values are in the order in which they were set last', () => {
    const map = createBoundedMap<number>(3);
    for (const [at, key] of [...'abacdbb'].entries()) map.set(key, at);
    map.delete('c');
    map.delete('x');
    expect([...map.values()]).toEqual([4, 6]);
  });
});
