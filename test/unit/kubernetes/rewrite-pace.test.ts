import { expect, it } from '@jest/globals';
import { createRewritePace } from '../../../src/kubernetes/rewrite-pace.ts';

/** Writers that come at these times; who is told to come back later does. Gives the times at which the writes were allowed. */
function allowedAt(writers: number, arriveAt: (writer: number) => number): readonly number[] {
  let now = 0;
  const pace = createRewritePace(() => now);
  const waiting = Array.from({ length: writers }, (_, writer) => arriveAt(writer));
  const allowed: number[] = [];
  while (waiting.length > 0) {
    waiting.sort((a, b) => b - a);
    now = waiting.pop() ?? now;
    const wait = pace.turn();
    if (wait === 0) allowed.push(now);
    else waiting.push(now + wait);
  }
  return allowed;
}

const most = (times: readonly number[], withinMs: number): number =>
  Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + withinMs).length));

it('a small installation waits for nothing', () => {
  expect(allowedAt(100, () => 0).every((at) => at === 0)).toBe(true);
});

it.each<[sentence: string, arriveAt: (writer: number) => number]>([
  ['a large one that comes all at once', () => 0],
  ['a large one that is visited over half a minute', (writer) => writer * 10],
])('%s is never faster than the rate, and through hardly later than it allows', (_, arriveAt) => {
  const allowed = allowedAt(3_000, arriveAt);
  expect(allowed).toHaveLength(3_000);
  expect(most(allowed, 1_000)).toBeLessThanOrEqual(141);
  expect(most(allowed.slice(200), 1_000)).toBeLessThanOrEqual(81);
  expect(Math.max(...allowed)).toBeLessThan(2 * (3_000 / 40) * 1_000);
});

it('says how many wait, none any more once their time has come', () => {
  let now = 0;
  const pace = createRewritePace(() => now);
  for (let writer = 0; writer < 300; writer += 1) pace.turn();
  expect(pace.postponed()).toBe(200);
  now = 2_500;
  expect(pace.postponed()).toBe(100);
  now = 60_000;
  expect(pace.postponed()).toBe(0);
});
