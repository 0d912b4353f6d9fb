import { describe, expect, it } from '@jest/globals';
import { createUnfinishedWork } from '../../../src/controller-runtime/unfinished-work.ts';
import { createWorkQueue } from '../../../src/controller-runtime/work-queue.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

const endless = new AbortController().signal;

function queueWith() {
  const unfinished = createUnfinishedWork();
  const clock = createFakeClock(0);
  const queue = createWorkQueue(clock, { shareOf: () => '', workers: 64, unfinished });
  return { unfinished, clock, queue };
}

describe('an epoch', () => {
  it('without work is done', () => {
    const unfinished = createUnfinishedWork();
    expect(unfinished.isDone(unfinished.nextEpoch())).toBe(true);
  });

  it('is done once its own work and that of every epoch before it is', () => {
    const unfinished = createUnfinishedWork();
    const first = unfinished.begin();
    unfinished.nextEpoch();
    const second = unfinished.begin();
    unfinished.end(second);
    expect(unfinished.isDone(second)).toBe(false);
    unfinished.end(first);
    expect(unfinished.isDone(second)).toBe(true);
  });

  it('is not held up by work that began later', () => {
    const unfinished = createUnfinishedWork();
    const ended = unfinished.nextEpoch();
    unfinished.begin();
    expect(unfinished.isDone(ended)).toBe(true);
  });
});

describe('a key that an event added', () => {
  it('is unfinished while it waits and while it is reconciled', async () => {
    const { unfinished, queue } = queueWith();
    queue.add('a');
    const epoch = unfinished.nextEpoch();
    expect(unfinished.isDone(epoch)).toBe(false);
    await queue.take(endless);
    expect(unfinished.isDone(epoch)).toBe(false);
    queue.done('a');
    expect(unfinished.isDone(epoch)).toBe(true);
  });

  it('and again while it was reconciled, is unfinished until the second reconcile has ended', async () => {
    const { unfinished, queue } = queueWith();
    queue.add('a');
    await queue.take(endless);
    queue.add('a');
    const epoch = unfinished.nextEpoch();
    queue.done('a');
    expect(unfinished.isDone(epoch)).toBe(false);
    await queue.take(endless);
    queue.done('a');
    expect(unfinished.isDone(epoch)).toBe(true);
  });

  it('belongs to the first event that added it, however often and in whatever lane it is added', async () => {
    const { unfinished, queue } = queueWith();
    queue.add('a', { priority: 'low' });
    const first = unfinished.nextEpoch();
    queue.add('a');
    queue.recheck('a', 0);
    const second = unfinished.nextEpoch();
    expect(unfinished.isDone(first)).toBe(false);
    await queue.take(endless);
    queue.done('a');
    expect(unfinished.isDone(second)).toBe(true);
  });

  it('and that waits for its recheck, is unfinished although the recheck was there first', async () => {
    const { unfinished, queue } = queueWith();
    queue.recheck('a', 60_000);
    queue.add('a');
    const epoch = unfinished.nextEpoch();
    expect(unfinished.isDone(epoch)).toBe(false);
    await queue.take(endless);
    queue.done('a');
    expect(unfinished.isDone(epoch)).toBe(true);
  });
});

describe('a key that no event added', () => {
  it.each<[string, (queue: ReturnType<typeof queueWith>['queue']) => void]>([
    ['for a recheck', (queue) => queue.recheck('a', 0)],
    [
      'after a fault: it fails for as long as its cause lasts, and nothing else must wait for that',
      (queue) => queue.retry('a'),
    ],
  ])('holds nothing up: %s', (_why, enqueue) => {
    const { unfinished, queue } = queueWith();
    enqueue(queue);
    expect(unfinished.isDone(unfinished.nextEpoch())).toBe(true);
  });
});

describe('a key that a sweep found', () => {
  it('is of the epoch of the event that started the sweep, also when a later event had added it', async () => {
    const { unfinished, queue } = queueWith();
    const sweep = unfinished.begin();
    unfinished.nextEpoch();
    queue.add('a');
    queue.add('a', { epoch: sweep });
    queue.add('b', { epoch: sweep });
    unfinished.end(sweep);
    for (const key of ['a', 'b']) {
      expect(unfinished.isDone(sweep)).toBe(false);
      expect(await queue.take(endless)).toBe(key);
      queue.done(key);
    }
    expect(unfinished.isDone(unfinished.nextEpoch())).toBe(true);
  });
});

describe('a visit though nothing happened', () => {
  it('holds up no epoch, and comes at its time however much its share has to do', async () => {
    const { unfinished, clock, queue } = queueWith();
    for (let index = 0; index < 10_000; index += 1) queue.visit(`k${index}`, 100 + index);
    expect(unfinished.isDone(unfinished.nextEpoch())).toBe(true);
    expect(queue.depth()).toBe(0);
    await clock.advance(100 + 9_999);
    expect(await queue.take(endless)).toBe('k0');
    expect(queue.depth()).toBe(9_999);
  });
});
