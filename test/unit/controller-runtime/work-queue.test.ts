import { describe, expect, it } from '@jest/globals';
import type { WorkQueue } from '../../../src/controller-runtime/work-queue.ts';
import { createWorkQueue } from '../../../src/controller-runtime/work-queue.ts';
import type { FakeClock } from '../../support/fake-clock.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { fc } from '../../support/property.ts';

/** One share, and no limit of it. */
const unbounded = { shareOf: () => '', workers: Infinity };

const forever = new AbortController().signal;

/** One fault and the visit after it. */
async function endVisit(queue: WorkQueue, clock: FakeClock): Promise<void> {
  queue.retry('a');
  await clock.advance(300_000);
  await queue.take(forever);
  queue.done('a');
}

describe('the queue', () => {
  it('holds a key once, however often it is added', async () => {
    const queue = createWorkQueue(createFakeClock(), unbounded);
    queue.add('a');
    queue.add('a');
    expect(await queue.take(forever)).toBe('a');
    expect(queue.depth()).toBe(0);
  });

  it('never gives a key that runs to a second worker, and gives it again afterwards', async () => {
    const queue = createWorkQueue(createFakeClock(), unbounded);
    queue.add('a');
    await queue.take(forever);
    queue.add('a');
    queue.add('b');
    expect(await queue.take(forever)).toBe('b');
    expect(queue.depth()).toBe(0);
    queue.done('a');
    expect(await queue.take(forever)).toBe('a');
  });

  it('gives a key that was added while it ran to a worker that waits, as soon as the first is done', async () => {
    const clock = createFakeClock();
    const queue = createWorkQueue(clock, unbounded);
    queue.add('a');
    await queue.take(forever);
    queue.add('a');
    let got: string | null | undefined;
    void queue.take(forever).then((key) => (got = key));
    await clock.advance(1_000);
    expect(got).toBeUndefined();
    queue.done('a');
    await clock.advance(0);
    expect(got).toBe('a');
  });

  it('gives a delayed key in time although the wall clock was set back meanwhile', async () => {
    const clock = createFakeClock(Date.parse('2026-01-01T00:00:00Z'));
    const queue = createWorkQueue(clock, unbounded);
    queue.add('a', { delayMs: 5_000 });
    clock.step(-3_600_000);
    await clock.advance(5_000);
    expect(queue.depth()).toBe(1);
  });

  it('gives what people wait for first', async () => {
    const queue = createWorkQueue(createFakeClock(), unbounded);
    queue.add('resync', { priority: 'low' });
    queue.add('edit', { priority: 'high' });
    expect(await queue.take(forever)).toBe('edit');
  });

  it('gives keys whose turn has come before the others of their share, and no share more often for that', async () => {
    const clock = createFakeClock();
    const queue = createWorkQueue(clock, { shareOf: (key) => key.split('/')[0] ?? '', workers: 64 });
    for (const key of ['a/1', 'a/2', 'a/3', 'b/1', 'b/2']) {
      queue.add(key);
      await clock.advance(1);
    }
    queue.add('a/sweep', { priority: 'low' });
    queue.add('a/4', { isAhead: true });
    queue.add('a/2', { isAhead: true });
    const taken: (string | null)[] = [];
    while (queue.depth() > 1) taken.push(await queue.take(forever));
    expect(taken).toEqual(['a/2', 'b/1', 'a/4', 'b/2', 'a/1', 'a/3']);
  });

  // Would fail if a route that was just made were probed after all that an import of its account has begun.
  it('gives a recheck that somebody waits for in time, before all others of its share, and not stretched by them', async () => {
    const clock = createFakeClock();
    const queue = createWorkQueue(clock, { shareOf: () => 'a', workers: 64 });
    for (let key = 0; key < 1_000; key += 1) queue.recheck(`often-${key}`, 10);
    for (const key of ['first', 'second']) queue.add(key);
    queue.recheckAhead('awaited', 200, 10);
    await clock.advance(199);
    expect(await queue.take(forever)).toBe('first');
    await clock.advance(1);
    expect([await queue.take(forever), await queue.take(forever)]).toEqual(['awaited', 'second']);
  });

  // Would fail if an account whose backends accept and never answer had its probes take the workers that others wait for.
  it('gives one whose reconcile took long in the slow lane', async () => {
    const clock = createFakeClock();
    const queue = createWorkQueue(clock, { shareOf: () => 'a', workers: 64 });
    queue.add('silent');
    await queue.take(forever);
    queue.recheckAhead('silent', 200, 5_000);
    queue.done('silent', 5_000);
    await clock.advance(200);
    expect([queue.slow(), queue.depth()]).toEqual([1, 0]);
  });

  it('keeps the turn of a key that has to run first', async () => {
    const queue = createWorkQueue(createFakeClock(), { shareOf: () => 'a', workers: 64 });
    queue.add('running');
    await queue.take(forever);
    queue.add('running', { isAhead: true });
    queue.add('running');
    queue.add('other');
    queue.done('running');
    expect([await queue.take(forever), await queue.take(forever)]).toEqual(['running', 'other']);
  });

  it('of two adds the higher priority and the earlier time win', async () => {
    const clock = createFakeClock();
    const queue = createWorkQueue(clock, unbounded);
    queue.add('x', { priority: 'low' });
    queue.add('a', { priority: 'low', delayMs: 10_000 });
    queue.add('a', { priority: 'high', delayMs: 1_000 });
    queue.add('a', { priority: 'low', delayMs: 60_000 });
    await clock.advance(1_000);
    expect(await queue.take(forever)).toBe('a');
  });

  it('a worker that waits gets a delayed key when it is due, not before', async () => {
    const clock = createFakeClock();
    const queue = createWorkQueue(clock, unbounded);
    queue.add('a', { delayMs: 5_000 });
    let got: string | null | undefined;
    void queue.take(forever).then((key) => (got = key));
    await clock.advance(4_999);
    expect(got).toBeUndefined();
    await clock.advance(1);
    expect(got).toBe('a');
  });

  it('an earlier add wakes a worker that waits for a later time', async () => {
    const clock = createFakeClock();
    const queue = createWorkQueue(clock, unbounded);
    queue.add('late', { delayMs: 50_000 });
    let got: string | null | undefined;
    void queue.take(forever).then((key) => (got = key));
    await clock.advance(10);
    queue.add('now');
    await clock.advance(0);
    expect(got).toBe('now');
  });

  it.each([
    [1, 1_000],
    [2, 2_000],
    [5, 16_000],
    [9, 256_000],
    [10, 300_000],
    [30, 300_000],
  ])('after fault number %i in a row it waits between half of %i ms and all of it', async (faults, bound) => {
    const clock = createFakeClock();
    const queue = createWorkQueue(clock, unbounded);
    for (let fault = 1; fault < faults; fault += 1) await endVisit(queue, clock);
    queue.retry('a');
    await clock.advance(bound / 2 - 1);
    expect(queue.depth()).toBe(0);
    await clock.advance(bound / 2 + 1);
    expect(queue.depth()).toBe(1);
  });

  it('after a success the next fault waits from the start', async () => {
    const clock = createFakeClock();
    const queue = createWorkQueue(clock, unbounded);
    for (let fault = 1; fault < 9; fault += 1) await endVisit(queue, clock);
    queue.forget('a');
    queue.retry('a');
    await clock.advance(1_000);
    expect(queue.depth()).toBe(1);
  });

  it('holds as many keys as a big cluster has, each with its time', async () => {
    const clock = createFakeClock();
    const queue = createWorkQueue(clock, unbounded);
    for (let at = 0; at < 200_000; at += 1) queue.add(`key-${at}`, { delayMs: 200_000 - at });
    const taken = queue.take(forever);
    await clock.advance(1);
    expect(await taken).toBe('key-199999');
  });

  it('no worker stays idle while a key is due, however adds, delays and ends interleave', async () => {
    const step = fc.record({
      verb: fc.constantFrom('add', 'add', 'end', 'wait'),
      key: fc.constantFrom('a', 'b', 'c', 'd'),
      ms: fc.constantFrom(0, 0, 10, 50, 70_000),
    });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.array(step, { maxLength: 40 }), async (workers, steps) => {
        const clock = createFakeClock();
        const queue = createWorkQueue(clock, unbounded);
        const busy = new Map<string, () => void>();
        const stop = new AbortController();
        const work = async () => {
          for (let key = await queue.take(stop.signal); key !== null; key = await queue.take(stop.signal)) {
            expect(busy.has(key)).toBe(false);
            const { promise, resolve } = Promise.withResolvers<void>();
            busy.set(key, resolve);
            await promise;
            busy.delete(key);
            queue.done(key);
          }
        };
        const working = Promise.all(Array.from({ length: workers }, work));
        for (const { verb, key, ms } of steps) {
          if (verb === 'add') queue.add(key, { delayMs: ms });
          if (verb === 'end') busy.get(key)?.();
          await clock.advance(verb === 'wait' ? ms : 0);
          expect(queue.depth() === 0 || busy.size === workers).toBe(true);
        }
        stop.abort();
        busy.forEach((resolve) => resolve());
        await working;
      }),
    );
  });

  it('take ends with null when the signal aborts', async () => {
    const stop = new AbortController();
    const queue = createWorkQueue(createFakeClock(), unbounded);
    const taken = queue.take(stop.signal);
    stop.abort();
    expect(await taken).toBeNull();
  });

  it('loses no key and never runs one twice at a time, whatever the order of adds and dones', async () => {
    const step = fc.record({ verb: fc.constantFrom('add', 'take', 'done'), key: fc.constantFrom('a', 'b', 'c') });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const queue = createWorkQueue(createFakeClock(), unbounded);
        const owed = new Set<string>();
        const running = new Set<string>();
        const takeOne = async () => {
          const key = (await queue.take(forever)) ?? '';
          expect(running.has(key)).toBe(false);
          expect(owed.delete(key)).toBe(true);
          running.add(key);
        };
        for (const { verb, key } of steps) {
          if (verb === 'add') {
            queue.add(key);
            owed.add(key);
          }
          if (verb === 'take' && queue.depth() > 0) await takeOne();
          if (verb === 'done' && running.delete(key)) queue.done(key);
        }
        running.forEach((key) => queue.done(key));
        running.clear();
        while (queue.depth() > 0) await takeOne();
        expect([...owed]).toEqual([]);
      }),
    );
  });
});

describe('a key is scheduled, so that nothing else needs to be looked at,', () => {
  const minute = 60_000;
  const visited = async (queue: WorkQueue) => {
    await queue.take(forever);
    queue.done('a');
  };
  it.each<[string, (queue: WorkQueue, clock: FakeClock) => void | Promise<void>, boolean]>([
    ['where its time for a recheck has come', (queue) => queue.recheck('a', minute), true],
    ['not where it was added', (queue) => queue.add('a'), false],
    ['not by the first visit of a new leader', (queue) => queue.visit('a', minute), false],
    ['not after a fault', (queue) => queue.retry('a'), false],
    [
      'not where it was added while it waited for its recheck',
      (queue) => {
        queue.recheck('a', minute);
        queue.add('a', { delayMs: minute });
      },
      false,
    ],
    [
      'not where it was added before its recheck was asked for',
      (queue) => {
        queue.add('a', { delayMs: minute });
        queue.recheck('a', minute);
      },
      false,
    ],
    [
      'not where it was added while it ran',
      async (queue) => {
        queue.add('a');
        await queue.take(forever);
        queue.add('a');
        queue.recheck('a', minute);
        queue.done('a');
      },
      false,
    ],
    [
      'again after what it was added for is done',
      async (queue) => {
        queue.add('a');
        await visited(queue);
        queue.recheck('a', minute);
      },
      true,
    ],
  ])('%s', async (_, happens, expected) => {
    const clock = createFakeClock();
    const queue = createWorkQueue(clock, unbounded);
    await happens(queue, clock);
    await clock.advance(2 * minute);
    expect(await queue.take(forever)).toBe('a');
    expect(queue.isScheduled('a')).toBe(expected);
    queue.done('a');
    expect(queue.isScheduled('a')).toBe(false);
  });
});
