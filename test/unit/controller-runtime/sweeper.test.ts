import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createTimeSlices } from '../../../src/lib/time-slices.ts';
import type { Sweep, Sweeper } from '../../../src/controller-runtime/sweeper.ts';
import { createSweeper } from '../../../src/controller-runtime/sweeper.ts';
import type { FakeClock } from '../../support/fake-clock.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

let clock: FakeClock;
let given: string[];
let faults: unknown[];
let stop: AbortController;
let sweeper: Sweeper<string>;

beforeEach(() => {
  clock = createFakeClock();
  given = [];
  faults = [];
  stop = new AbortController();
  const parts = { clock, slices: createTimeSlices(() => 0), onFault: (error: unknown) => faults.push(error) };
  sweeper = createSweeper({ ...parts, give: (piece: string) => void given.push(piece) }, stop.signal);
});

afterEach(() => stop.abort());

const sweep = (name: string, count: number): Sweep<string> => ({
  name,
  *pieces() {
    for (let index = 0; index < count; index += 1) yield `${name}${index}`;
  },
});

describe('sweeps', () => {
  it('begin after the change that gave rise to them has been heard by all', async () => {
    sweeper.start(sweep('a', 2));
    expect(given).toEqual([]);
    await clock.advance(0);
    expect(given).toEqual(['a0', 'a1']);
  });

  it('take turns, so that a long one keeps no other waiting', async () => {
    sweeper.start(sweep('long', 50));
    sweeper.start(sweep('short', 1));
    await clock.advance(0);
    expect(given.indexOf('short0')).toBeLessThanOrEqual(1);
  });

  it('that are begun again while they run are done once more after their end, once', async () => {
    for (let again = 0; again < 10; again += 1) sweeper.start(sweep('a', 3));
    await clock.advance(0);
    await clock.advance(0);
    expect(given).toEqual(['a0', 'a1', 'a2', 'a0', 'a1', 'a2']);
  });

  it('that are long rest before they are repeated, and what they missed meanwhile is not forgotten', async () => {
    sweeper.start(sweep('a', 1_100));
    await clock.advance(0);
    sweeper.start(sweep('a', 1_100));
    await clock.advance(4_999);
    expect(given.length).toBe(1_100);
    await clock.advance(1);
    expect(given.length).toBe(2_200);
  });

  it('rest for half a minute at most, however long they are', async () => {
    sweeper.start(sweep('a', 20_000));
    await clock.advance(0);
    sweeper.start(sweep('a', 1));
    await clock.advance(30_000);
    expect(given.length).toBe(20_001);
  });

  it('that are urgent do not rest, and are repeated at once', async () => {
    const urgent = { ...sweep('a', 20_000), isUrgent: true };
    sweeper.start(urgent);
    await clock.advance(0);
    sweeper.start(urgent);
    await clock.advance(0);
    expect(given.length).toBe(40_000);
  });

  it('that fail end with a word of it, and keep no other from its work', async () => {
    const broken: Sweep<string> = {
      name: 'broken',
      pieces() {
        throw new Error('broken');
      },
    };
    expect(() => sweeper.start(broken)).not.toThrow();
    sweeper.start(sweep('a', 1));
    await clock.advance(0);
    expect(given).toEqual(['a0']);
    expect(faults.map(String)).toEqual(['Error: broken']);
  });
});
