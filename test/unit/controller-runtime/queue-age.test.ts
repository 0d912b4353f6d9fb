import { describe, expect, it } from '@jest/globals';
import { createWorkQueue } from '../../../src/controller-runtime/work-queue.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

const forever = new AbortController().signal;
const shareOf = (key: string) => key.split('/')[0] ?? '';

describe('the age of what waits in the queue', () => {
  it('is the time since the oldest key of a priority became due, whatever its share, and 0 where none waits', async () => {
    const clock = createFakeClock();
    const queue = createWorkQueue(clock, { shareOf, workers: 4 });
    queue.add('a/1');
    await clock.advance(1_000);
    queue.add('b/1', { priority: 'low', delayMs: 2_000 });
    expect(queue.ages()).toEqual({ high: 1_000, low: 0, slow: 0 });
    await clock.advance(5_000);
    queue.add('c/1', { priority: 'low' });
    expect(queue.ages()).toEqual({ high: 6_000, low: 3_000, slow: 0 });
    expect(await queue.take(forever)).toBe('a/1');
    expect(queue.ages()).toEqual({ high: 0, low: 3_000, slow: 0 });
  });

  it('of a key whose last reconcile took long is told apart', async () => {
    const clock = createFakeClock();
    const queue = createWorkQueue(clock, { shareOf, workers: 4 });
    queue.add('a/1', { priority: 'low' });
    await queue.take(forever);
    queue.done('a/1', 6_000);
    queue.add('a/1', { priority: 'low' });
    await clock.advance(700);
    expect(queue.ages()).toEqual({ high: 0, low: 0, slow: 700 });
  });
});
