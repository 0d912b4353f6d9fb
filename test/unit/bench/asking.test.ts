import { describe, expect, it } from '@jest/globals';
import type { Ask, Served } from '../../bench/edge/asking.ts';
import { answersWith, isGone, untilAllAnswered, untilAnswered } from '../../bench/edge/asking.ts';
import { visit, visitedText } from '../../bench/edge/visitors.ts';
import { shareOf } from '../../bench/share-of.ts';

const served = ['a', 'b', 'c'].map((hostname): Served => ({ hostname, body: `of ${hostname}` }));
const silent = () => undefined;

/** Answers rightly from the third time on that a hostname is asked. */
function answersAtLast(): Ask {
  const asked = new Map<string, number>();
  return (hostname) => {
    const count = (asked.get(hostname) ?? 0) + 1;
    asked.set(hostname, count);
    return Promise.resolve(count < 3 ? { refused: '404' } : { body: `of ${hostname}` });
  };
}

describe('asking all hostnames', () => {
  it('goes on until each has answered rightly', async () => {
    const seen = await untilAllAnswered(served, { ask: answersAtLast(), withinMs: 50_000, progress: silent });
    expect(seen.count).toBe(3);
    expect(seen.firstAt).toBeLessThanOrEqual(seen.lastAt);
    expect(seen.refused).toEqual({});
  });

  it('ends in time where some never do, and says what these answer', async () => {
    const ask: Ask = (hostname) => Promise.resolve(hostname === 'a' ? { body: 'of a' } : { body: 'of a neighbour' });
    const seen = await untilAllAnswered(served, { ask, withinMs: 250, progress: silent });
    expect(seen.count).toBe(1);
    expect(seen.refused).toEqual({ 'another body': 2 });
  });
});

describe('asking one hostname', () => {
  it('does not take one right answer for it where the next is wrong', async () => {
    const answers = [{ refused: 'ECONNRESET' }, { body: 'of a' }];
    const ask: Ask = () => Promise.resolve(answers.shift() ?? { refused: '404' });
    await untilAnswered(ask, 'a', isGone);
    expect(answers).toEqual([]);
  });

  it.each(['timeout', 'ECONNREFUSED', '503'])('takes %s for no sign that it is gone', (refused) => {
    expect(isGone({ refused })).toBe(false);
    expect(answersWith('of a')({ refused })).toBe(false);
  });
});

describe('visitors', () => {
  it('ask each hostname in turn and count what fails, with its reason', async () => {
    const asked: string[] = [];
    const twice = Promise.withResolvers<void>();
    const visits = visit(served, (hostname) => {
      asked.push(hostname);
      if (asked.length === 2 * served.length) twice.resolve();
      return Promise.resolve(hostname === 'b' ? { refused: 'ECONNREFUSED' } : { body: `of ${hostname}` });
    });
    await twice.promise;
    const seen = await visits.end();
    expect(asked.slice(0, 6)).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
    expect(seen.asked).toBe(asked.length);
    const failed = asked.filter((hostname) => hostname === 'b').length;
    expect(visitedText(seen)).toBe(`${failed} of ${asked.length} (ECONNREFUSED ${failed})`);
  });
});

describe('a share of all', () => {
  it.each([
    [[3, 1, 2, 4], 0.5, 2],
    [[3, 1, 2, 4], 1, 4],
    [[3, 1, 2, 4], 0, 1],
    [Array.from({ length: 100 }, (_, index) => index + 1), 0.95, 95],
    [[], 0.5, Number.NaN],
  ])('of %j, %d is at most %d', (all, part, expected) => {
    expect(shareOf(all, part)).toBe(expected);
  });
});
