import { describe, expect, it } from '@jest/globals';
import { createRestingSlices } from '../../../src/lib/time-slices.ts';

describe('work in resting slices', () => {
  it('rests nine times as long as it works, so that everybody else has nine tenths of the processor', async () => {
    let [time, rested] = [0, 0];
    const sleep = (ms: number) => {
      time += ms;
      rested += ms;
      return Promise.resolve();
    };
    const slices = createRestingSlices({ elapsed: () => time, sleep });
    for (let piece = 0; piece < 1_000; piece += 1) {
      await slices.next();
      time += 0.5;
    }
    expect(rested / time).toBeCloseTo(0.9, 2);
  });

  it('does not rest before there is much of it: a small installation is seen at once', async () => {
    let rests = 0;
    const sleep = () => Promise.resolve(void (rests += 1));
    const slices = createRestingSlices({ elapsed: () => 4, sleep });
    for (let piece = 0; piece < 1_000; piece += 1) await slices.next();
    expect(rests).toBe(0);
  });
});
