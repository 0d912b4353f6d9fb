import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from '@jest/globals';
import { createLeapingTimers } from '../../support/leaping-clock/leaping-timers.ts';

/** Real time stands still here: whatever runs was leapt over. */
function leapingTimers(startsAhead = 0) {
  const armed: number[] = [];
  let settlings = 0;
  const timers = createLeapingTimers(
    {
      elapsed: () => 1_000,
      start: (_, ms) => {
        armed.push(ms);
        return { ref: () => undefined, unref: () => undefined } as unknown as NodeJS.Timeout;
      },
      stop: () => undefined,
      settled: () => {
        settlings += 1;
        return Promise.resolve();
      },
    },
    startsAhead,
  );
  return { timers, armed, settlings: () => settlings };
}

/** Fails when a process whose clock leaps does other things, or in another order, than one that waited as long. */
describe('timers that leap', () => {
  it('run what becomes due in its order, also what is begun on the way, and each at its own moment', async () => {
    const { timers } = leapingTimers();
    const ran: string[] = [];
    const note = (what: string) => () => void ran.push(`${what} at ${timers.ahead()}`);
    timers.start(note('late'), 900);
    timers.start(note('second'), 101);
    timers.start(() => {
      note('first')();
      timers.start(note('begun on the way'), 500);
    }, 100);
    timers.start(note('never'), 1_001);
    await timers.leap(1_000);
    expect(ran).toEqual(['first at 100', 'second at 101', 'begun on the way at 600', 'late at 900']);
    expect(timers.ahead()).toBe(1_000);
  });

  it('run again and again where they repeat, until they are stopped', async () => {
    const { timers } = leapingTimers();
    let runs = 0;
    const timer = timers.start(() => (runs += 1), 100, true);
    await timers.leap(350);
    expect(runs).toBe(3);
    timers.stop(Number(timer));
    await timers.leap(1_000);
    expect(runs).toBe(3);
  });

  it('begin anew when they are refreshed, before they ran and after', async () => {
    const { timers } = leapingTimers();
    let runs = 0;
    const timer = timers.start(() => (runs += 1), 300);
    await timers.leap(200);
    timer.refresh();
    await timers.leap(200);
    expect(runs).toBe(0);
    await timers.leap(100);
    expect(runs).toBe(1);
    timer.refresh();
    await timers.leap(300);
    expect(runs).toBe(2);
  });

  it('go on in real time with what is left of them after a leap', async () => {
    const { timers, armed } = leapingTimers();
    timers.start(() => undefined, 5_000);
    await timers.leap(4_000);
    expect(armed).toEqual([5_000, 1_000]);
  });

  it('let what they began come to its end before more time goes by, at least four times a second', async () => {
    const { timers, settlings } = leapingTimers();
    await timers.leap(10_000);
    expect(settlings()).toBe(40);
  });

  it('leap one after the other where two are told to', async () => {
    const { timers } = leapingTimers(500);
    await Promise.all([timers.leap(1_000), timers.leap(2_000)]);
    expect(timers.ahead()).toBe(3_500);
  });

  it('run in the context in which they were begun', async () => {
    const { timers } = leapingTimers();
    const context = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    context.run('request 1', () => timers.start(() => void seen.push(context.getStore()), 10));
    await timers.leap(10);
    expect(seen).toEqual(['request 1']);
  });
});
