import { describe, expect, it } from '@jest/globals';
import { thisMachine, workersFor } from '../../../dev/lib/workers.ts';

const gigabyte = 1e9;

/** Fails when a machine would be given more workers than its processors or its memory carry, or none at all. */
describe('workers', () => {
  const platform = { perProcessor: 1.5, memoryBytes: 1.8 * gigabyte };

  it.each<[string, number, number, number]>([
    ['two processors carry three platforms that mostly wait', 2, 8, 3],
    ['half of the memory gone, memory decides', 2, 4, 2],
    ['one processor carries one', 1, 64, 1],
    ['next to no memory is no reason to run nothing', 4, 0.2, 1],
    ['sixty-four processors have no sixty-four files that take long', 64, 256, 6],
  ])('%s', (_, processors, gigabytes, expected) => {
    expect(workersFor({ processors, memoryBytes: gigabytes * gigabyte }, platform)).toBe(expected);
  });

  it('a group that is to run alone runs alone on any machine', () => {
    const need = { perProcessor: 0, memoryBytes: gigabyte };
    expect(workersFor({ processors: 64, memoryBytes: 256 * gigabyte }, need)).toBe(1);
  });

  it('this machine has a processor and memory', () => {
    const { processors, memoryBytes } = thisMachine();
    expect(processors).toBeGreaterThanOrEqual(1);
    expect(memoryBytes).toBeGreaterThan(0);
  });
});
