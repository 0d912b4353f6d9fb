import { describe, expect, it } from '@jest/globals';
import { onceATurn } from '../../../src/lib/health-server.ts';

/** Fails when whoever asks for metrics again and again has them made as often, or is told what was so before the question. */

const turn = () => new Promise(setImmediate);

function counted() {
  let made = 0;
  const ask = onceATurn(() => Promise.resolve((made += 1)));
  return { ask, made: () => made };
}

describe('metrics', () => {
  it('are made once for a hundred who ask in one turn', async () => {
    const { ask, made } = counted();
    const told = await Promise.all(Array.from({ length: 100 }, ask));
    expect([new Set(told).size, made()]).toEqual([1, 1]);
  });

  it('are made after the question', async () => {
    const { ask, made } = counted();
    const told = ask();
    expect(made()).toBe(0);
    await expect(told).resolves.toBe(1);
  });

  it('are made anew for whoever asks when they were told', async () => {
    const { ask } = counted();
    expect([await ask(), await ask()]).toEqual([1, 2]);
  });

  it('are made anew for whoever asks while they are being made', async () => {
    const ends: (() => void)[] = [];
    const ask = onceATurn(() => new Promise<number>((resolve) => ends.push(() => resolve(ends.length))));
    const first = ask();
    await turn();
    await turn();
    const second = ask();
    await turn();
    await turn();
    expect(ends).toHaveLength(2);
    ends.forEach((end) => end());
    await Promise.all([first, second]);
  });

  it('that could not be made are tried again', async () => {
    let tries = 0;
    const ask = onceATurn(() => ((tries += 1) === 1 ? Promise.reject(new Error('not yet')) : Promise.resolve('there')));
    await expect(Promise.all([ask(), ask()])).rejects.toThrow('not yet');
    await expect(ask()).resolves.toBe('there');
  });
});
