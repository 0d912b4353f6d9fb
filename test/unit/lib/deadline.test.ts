import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { withinDeadline } from '../../../src/lib/deadline.ts';
import { turnsOfLoop } from '../../support/turns-of-loop.ts';

const timers = () => process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length;
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

describe('work within a deadline', () => {
  it('is told with a TimeoutError that its time is over', async () => {
    await expect(withinDeadline({ ms: 5 }, untilAborted)).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('is told with the reason of whoever stops it before', async () => {
    const stop = new AbortController();
    const work = withinDeadline({ ms: 60_000, signal: stop.signal }, untilAborted);
    stop.abort(new Error('the process ends'));
    await expect(work).rejects.toThrow('the process ends');
  });

  it('has its signal aborted from the start when it was stopped before', async () => {
    const signal = AbortSignal.abort();
    expect(await withinDeadline({ ms: 60_000, signal }, (ends) => Promise.resolve(ends.aborted))).toBe(true);
  });

  it('leaves its result or its error as they are', async () => {
    expect(await withinDeadline({ ms: 60_000 }, () => Promise.resolve(7))).toBe(7);
    await expect(withinDeadline({ ms: 60_000 }, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  });

  it.each([
    ['that succeeds', () => turnsOfLoop(1)],
    ['that fails', () => Promise.reject(new Error('broken'))],
  ])('leaves no timer and no listener behind, for work %s', async (_which, work) => {
    const { signal } = new AbortController();
    const before = timers();
    const signals: AbortSignal[] = [];
    await Promise.allSettled(
      Array.from({ length: 50 }, () =>
        withinDeadline({ ms: 60_000, signal }, (ends) => {
          signals.push(ends);
          return work();
        }),
      ),
    );
    expect(timers()).toBeLessThanOrEqual(before);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(signals.some(({ aborted }) => aborted)).toBe(false);
  });
});
