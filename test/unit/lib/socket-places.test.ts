import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Phase, Place, SocketPlaces } from '../../../src/lib/socket-places.ts';
import { createSocketPlaces } from '../../../src/lib/socket-places.ts';

/** Who goes when there is no room for a newcomer: no sockets, no time. */

interface Named extends Place {
  readonly name: string;
}

let gone: string[];
let finished: Set<string>;
let places: SocketPlaces<Named>;

const start = (connections: number, perGroup = connections) => {
  gone = [];
  finished = new Set();
  places = createSocketPlaces<Named>(
    { connections, perGroup },
    { isWorking: ({ name }) => finished.has(name), evict: ({ name }) => gone.push(name) },
  );
};
const of = new Map<string, Named>();
function take(name: string, phase: Phase = 'unfinished', group = name.slice(0, 1)): boolean {
  const place: Named = { name, group, phase: 'unfinished' };
  of.set(name, place);
  const taken = places.take(place);
  places.enter(place, phase);
  return taken;
}
const enter = (name: string, phase: Phase) => {
  const place = of.get(name);
  if (place) places.enter(place, phase);
};

beforeEach(() => start(10));

const fill = (group: string, count: number, phase: Phase = 'unfinished') => {
  for (let index = 0; index < count; index += 1) take(`${group}${index}`, phase);
};

describe('a newcomer, where all places are taken', () => {
  it('ends the oldest unfinished one of the address that has most of them', () => {
    fill('a', 6);
    fill('b', 4);
    expect([take('c0'), take('c1'), take('c2')]).toEqual([true, true, true]);
    expect(gone).toEqual(['a0', 'a1', 'b0']);
  });

  it('never ends itself while an older one waits for its client', () => {
    fill('a', 9, 'working');
    take('b0');
    for (let index = 1; index < 100; index += 1) expect(take(`b${index}`)).toBe(true);
    expect(gone).toEqual(Array.from({ length: 99 }, (_, index) => `b${index}`));
  });

  it('ends no idle one while an address has unusually many unfinished ones', () => {
    fill('i', 5, 'idle');
    fill('a', 5);
    take('c0');
    expect(gone).toEqual(['a0']);
  });

  it('ends the longest idle one of the address with most of them where nobody has unusually many unfinished ones', () => {
    start(100);
    fill('i', 90, 'idle');
    fill('j', 9, 'idle');
    take('h0');
    enter('i0', 'working');
    enter('i0', 'idle');
    take('h1');
    expect(gone).toEqual(['i1']);
  });

  it('is refused where every socket is being worked on', () => {
    fill('a', 10, 'working');
    expect(take('b0')).toBe(false);
    expect(gone).toEqual([]);
  });

  it('spares one whose request turns out to be whole', () => {
    fill('a', 10);
    finished.add('a0').add('a1');
    take('b0');
    expect(gone).toEqual(['a2']);
    expect([of.get('a0')?.phase, of.get('a1')?.phase]).toEqual(['working', 'working']);
  });

  it('finds room where somebody left', () => {
    fill('a', 10);
    const first = of.get('a0');
    if (first) places.leave(first);
    if (first) places.leave(first);
    expect(take('b0')).toBe(true);
    expect(gone).toEqual([]);
    expect([...places.all()]).toHaveLength(10);
  });
});

describe('an address with as many as one may have', () => {
  beforeEach(() => start(10, 3));

  it('ends its own: an unfinished one, or else the longest idle one', () => {
    fill('b', 2, 'idle');
    take('a0', 'idle');
    take('a1', 'idle');
    take('a2');
    take('a3', 'working');
    take('a4', 'working');
    expect(gone).toEqual(['a2', 'a0']);
  });

  it('gets no more where all of its sockets are being worked on, and others do', () => {
    fill('a', 3, 'working');
    expect([take('a3'), take('b0')]).toEqual([false, true]);
    expect(gone).toEqual([]);
  });

  it('gets more where each of its sockets is a group of its own', () => {
    for (let index = 0; index < 10; index += 1) expect(take(`p${index}`, 'working', `p${index}`)).toBe(true);
    expect(gone).toEqual([]);
  });
});

/** A proxy with 40 idle connections, each a group of its own, beside 26 addresses that open 20 each. */
describe('a flood from many addresses', () => {
  const idleOfProxy = Array.from({ length: 40 }, (_, index) => `p${index}`);
  const addresses = Array.from({ length: 26 }, (_, index) => String.fromCodePoint(65 + index));
  const flood = (phase: Phase) => {
    for (let round = 0; round < 20; round += 1) for (const address of addresses) take(`${address}${round}`, phase);
  };
  const isOfProxy = (name: string) => name.startsWith('p');

  it.each<[string, Phase, Phase]>([
    ['half requests', 'unfinished', 'idle'],
    ['idle sockets', 'idle', 'idle'],
    ['half requests, while the proxy’s are whole ones', 'unfinished', 'working'],
    ['idle sockets, while the proxy’s are half ones', 'idle', 'unfinished'],
  ])('of %s ends none of a proxy’s', (_, phase, proxys) => {
    start(500, 30);
    for (const name of idleOfProxy) take(name, proxys, name);
    flood(phase);
    for (let index = 0; index < 20; index += 1) take(`q${index}`, 'idle', `q${index}`);
    expect(gone.length).toBe(40 + 20 * 26 + 20 - 500);
    expect(gone.filter(isOfProxy)).toEqual([]);
  });

  it('ends the longest idle of a proxy’s own where all are a proxy’s', () => {
    start(10);
    for (const name of idleOfProxy) take(name, 'idle', name);
    expect(gone).toEqual(idleOfProxy.slice(0, 30));
  });

  it('that left, or was answered, is not counted as unfinished any more', () => {
    start(100);
    const unfinished = Array.from({ length: 56 }, (_, index) => `u${index}`);
    for (const name of unfinished) take(name, 'unfinished', name);
    for (const name of unfinished.slice(0, 10)) enter(name, 'working');
    for (const place of [...places.all()].slice(10, 20)) places.leave(place);
    fill('i', 54, 'idle');
    take('j0');
    expect(gone).toEqual(['i0']);
  });
});
