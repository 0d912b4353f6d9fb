import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Child } from '../../../src/operator/supervisor/supervise.ts';
import { supervise } from '../../../src/operator/supervisor/supervise.ts';
import { silentLog } from '../../../src/lib/log.ts';
import type { FakeClock } from '../../support/fake-clock.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

/** What keeps the operator's container running while the operator in it is not. */

interface Run {
  readonly at: number;
  readonly signals: string[];
  end(status: number | null): void;
}

const minute = 60_000;
let clock: FakeClock;
let runs: Run[];
let handedOver: boolean;
let alive: boolean;
let switched: boolean;
let ended: AbortController;

beforeEach(() => {
  clock = createFakeClock();
  runs = [];
  handedOver = true;
  alive = true;
  switched = false;
  ended = new AbortController();
});

function start(): Child {
  const { promise, resolve: end } = Promise.withResolvers<number | null>();
  const signals: string[] = [];
  runs.push({ at: clock.elapsed(), signals, end });
  return {
    ended: promise,
    signal(name) {
      signals.push(name);
      if (name === 'SIGUSR2') return;
      end(name === 'SIGKILL' ? null : 0);
    },
  };
}

const begin = () =>
  supervise(
    {
      start,
      isAlive: () => Promise.resolve(alive),
      hasHandedOver: () => handedOver,
      isLevelSwitched: () => switched,
      checkEveryMs: 5_000,
      clock,
      log: silentLog,
    },
    ended.signal,
  );

const last = () => runs.at(-1) as Run;

describe('an operator that ends', () => {
  it('before it has handed over what the API needs, ends the container with its own status', async () => {
    handedOver = false;
    const status = begin();
    last().end(3);
    expect(await status).toBe(3);
    expect(runs).toHaveLength(1);
  });

  it('afterwards is started again, later each time and once a minute at last', async () => {
    const status = begin();
    const pauses: number[] = [];
    for (let deaths = 0; deaths < 10; deaths += 1) {
      const diedAt = clock.elapsed();
      last().end(1);
      await clock.advance(minute);
      pauses.push((last().at - diedAt) / 1_000);
    }
    expect(pauses).toEqual([2, 4, 8, 16, 32, 60, 60, 60, 60, 60]);
    ended.abort();
    expect(await status).toBe(0);
  });

  it('after it ran well is started again at once', async () => {
    const status = begin();
    for (let deaths = 0; deaths < 8; deaths += 1) {
      last().end(1);
      await clock.advance(minute);
    }
    await clock.advance(10 * minute);
    last().end(1);
    const count = runs.length;
    await clock.advance(2_000);
    expect(runs).toHaveLength(count + 1);
    ended.abort();
    await status;
  });
});

describe('an operator that is silent', () => {
  it('for four looks is killed and started again', async () => {
    const status = begin();
    await clock.advance(5_000);
    alive = false;
    await clock.advance(15_000);
    expect(last().signals).toEqual([]);
    await clock.advance(5_000);
    expect(runs[0]?.signals).toEqual(['SIGKILL']);
    alive = true;
    await clock.advance(minute);
    expect(runs).toHaveLength(2);
    ended.abort();
    await status;
  });

  it('because it still starts has two minutes, or a slow node would never see it run', async () => {
    const status = begin();
    alive = false;
    await clock.advance(115_000);
    expect(last().signals).toEqual([]);
    alive = true;
    await clock.advance(5_000);
    alive = false;
    await clock.advance(15_000);
    expect(runs).toHaveLength(1);
    expect(last().signals).toEqual([]);
    await clock.advance(5_000);
    expect(last().signals).toEqual(['SIGKILL']);
    ended.abort();
    await status;
  });

  it('from its start on for two minutes is killed all the same', async () => {
    const status = begin();
    alive = false;
    await clock.advance(120_000);
    expect(last().signals).toEqual(['SIGKILL']);
    ended.abort();
    await status;
  });

  it('for less is left alone', async () => {
    const status = begin();
    for (const answers of [false, true, false, true, false]) {
      alive = answers;
      await clock.advance(10_000);
    }
    expect(runs).toHaveLength(1);
    expect(last().signals).toEqual([]);
    ended.abort();
    await status;
  });
});

describe('an operator that is to log at another level', () => {
  it('is told once, and once more when it is not to any longer', async () => {
    const status = begin();
    await clock.advance(10_000);
    expect(last().signals).toEqual([]);
    switched = true;
    await clock.advance(minute);
    expect(last().signals).toEqual(['SIGUSR2']);
    switched = false;
    await clock.advance(minute);
    expect(last().signals).toEqual(['SIGUSR2', 'SIGUSR2']);
    ended.abort();
    await status;
  });

  it('is not told before it answers: the signal would end one that does not listen yet', async () => {
    const status = begin();
    alive = false;
    switched = true;
    await clock.advance(15_000);
    expect(last().signals).toEqual([]);
    alive = true;
    await clock.advance(5_000);
    expect(last().signals).toEqual(['SIGUSR2']);
    ended.abort();
    await status;
  });

  it('is told anew when it was started again', async () => {
    const status = begin();
    switched = true;
    await clock.advance(10_000);
    last().end(1);
    await clock.advance(10_000);
    expect(runs.map(({ signals }) => signals)).toEqual([['SIGUSR2'], ['SIGUSR2']]);
    ended.abort();
    await status;
  });
});

describe('a container that is told to end', () => {
  it('tells the operator, and waits for it', async () => {
    const status = begin();
    ended.abort();
    expect(last().signals).toEqual(['SIGTERM']);
    expect(await status).toBe(0);
  });

  it('while the operator is away does not start it again', async () => {
    const status = begin();
    last().end(1);
    await clock.advance(100);
    ended.abort();
    expect(await status).toBe(0);
    expect(runs).toHaveLength(1);
  });
});
