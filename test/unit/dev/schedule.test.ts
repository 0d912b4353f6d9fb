import { describe, expect, it } from '@jest/globals';
import { lackOfMemory } from '../../../dev/lanes/before-real-parts.ts';
import type { Item } from '../../../dev/lanes/lanes.ts';
import { nameOf } from '../../../dev/lanes/lanes.ts';
import type { Task } from '../../../dev/lanes/schedule.ts';
import { nextTask, runTasks } from '../../../dev/lanes/schedule.ts';
import { expectedCost, tasksOf } from '../../../dev/lanes/tasks.ts';
import { thisMachine } from '../../../dev/lib/machine.ts';

const gigabyte = 1e9;
const machine = (processors: number, gigabytes: number) => ({ processors, memoryBytes: gigabytes * gigabyte });
const task = (name: string, more: Partial<Task> = {}): Task => ({
  ...{
    name,
    seconds: 10,
    processors: 1,
    memoryBytes: gigabyte,
    shares: null,
    isAlone: false,
    run: () => Promise.resolve(),
  },
  ...more,
});
const waits: Partial<Task> = { processors: 0.5, memoryBytes: 2 * gigabyte };

describe('what runs next', () => {
  it.each<[string, readonly Task[], readonly Task[], ReturnType<typeof machine>, string | null]>([
    ['is the longest', [task('short'), task('long', { seconds: 99 })], [], machine(2, 8), 'long'],
    ['runs beside what leaves a processor', [task('a')], [task('b')], machine(2, 8), 'a'],
    ['waits where none is left', [task('a')], [task('b'), task('c')], machine(2, 8), null],
    [
      'may be short where what is long does not fit',
      [task('a', { seconds: 99 }), task('b', waits)],
      [task('c'), task('d', waits)],
      machine(2, 8),
      'b',
    ],
    ['waits for memory too', [task('a', waits)], [task('b', waits)], machine(2, 3), null],
    ['runs though a machine has next to no memory', [task('a', waits)], [], machine(1, 0.1), 'a'],
    [
      'is nothing that shares what one at a time may use',
      [task('a', { shares: 'x', isAlone: true })],
      [task('b', { ...waits, shares: 'x' })],
      machine(9, 9),
      null,
    ],
    [
      'waits until all have ended that share and need not be alone',
      [task('a', { shares: 'x', isAlone: true, seconds: 99 }), task('b', { shares: 'x' })],
      [],
      machine(9, 9),
      'b',
    ],
    [
      'is what something long waits for',
      [task('a', { seconds: 50 }), task('b', { shares: 'x' }), task('c', { shares: 'x', isAlone: true, seconds: 45 })],
      [],
      machine(9, 9),
      'b',
    ],
    [
      'may run beside what shares the same',
      [task('a', { shares: 'x' })],
      [task('b', { shares: 'x' })],
      machine(9, 9),
      'a',
    ],
    [
      'may share with what has ended',
      [task('a', { shares: 'x', isAlone: true })],
      [task('b', { shares: 'y', isAlone: true })],
      machine(9, 9),
      'a',
    ],
    [
      'is nothing where ten run already',
      [task('a')],
      Array.from({ length: 10 }, () => task('b')),
      machine(64, 256),
      null,
    ],
  ])('%s', (_, waiting, running, on, expected) => {
    expect(nextTask(waiting, running, on)?.name ?? null).toBe(expected);
  });
});

describe('tasks', () => {
  it('run to the last one, never more at a time than there are processors for', async () => {
    let [running, most, ended] = [0, 0, 0];
    const work = async () => {
      most = Math.max(most, (running += 1));
      await new Promise(setImmediate);
      running -= 1;
      ended += 1;
    };
    await runTasks(
      Array.from({ length: 20 }, (_, index) => task(`t${index}`, { run: work })),
      machine(3, 99),
    );
    expect({ most, ended }).toEqual({ most: 3, ended: 20 });
  });

  it('that fail end the run when the others have ended, and none begins after them', async () => {
    const ended: string[] = [];
    const run = (name: string) => async () => {
      await new Promise(setImmediate);
      if (name === 'bad') throw new Error('it is bad');
      await new Promise(setImmediate);
      ended.push(name);
    };
    const named = (name: string, seconds: number) => task(name, { seconds, run: run(name) });
    const all = [named('bad', 9), named('beside', 8), named('later', 7)];
    await expect(runTasks(all, machine(2, 99))).rejects.toThrow('it is bad');
    expect(ended).toEqual(['beside']);
  });
});

const item = (name: string, setting: Item['setting']): Item => ({ file: `test/${name}.test.ts`, setting });
const cost = (seconds: number, processorSeconds: number) => ({ seconds, processorSeconds, passed: true, at: '' });

describe('a file', () => {
  const platform = item('a', 'platform');
  it.each<[string, Record<string, ReturnType<typeof cost>>, { seconds: number; processors: number }]>([
    ['that was never measured costs what is usual', {}, { seconds: 100, processors: 0.5 }],
    ['costs what was measured', { [nameOf(platform)]: cost(200, 180) }, { seconds: 200, processors: 0.9 }],
    [
      'that had to wait for others is not taken for idle',
      { [nameOf(platform)]: cost(200, 2) },
      { seconds: 200, processors: 0.5 },
    ],
  ])('%s', (_, costs, expected) => {
    expect(expectedCost(platform, costs)).toEqual(expected);
  });

  it('shares a process with others of its setting until they take a minute and a half', () => {
    const files = ['a', 'b', 'c', 'd', 'e'].map((name) => item(name, 'processes'));
    const costs = Object.fromEntries(
      files.map((one, index) => [nameOf(one), cost([100, 50, 40, 40, 40][index] ?? 0, 0)]),
    );
    const tasks = tasksOf([...files, item('f', 'platform'), item('g', 'platform')], costs);
    expect(tasks.map((one) => one.files.map((file) => file.slice(5, 6)).join(''))).toEqual(['a', 'bc', 'de', 'f', 'g']);
    expect(tasks.map(({ seconds }) => seconds)).toEqual([100, 90, 80, 100, 100]);
  });
});

it.each<[string, number, RegExp | null]>([
  ['eight gigabytes are enough for real parts', 7.5e9, null],
  ['four are not, and it is said what to do', 3.8e9, /need 5\.0 GB of memory, and 3\.8 GB are free: .* npm run check/],
])('%s', (_, free, said) => {
  const lack = lackOfMemory(free);
  if (said === null) expect(lack).toBeNull();
  else expect(lack).toMatch(said);
});

it('this machine has a processor and memory', () => {
  const { processors, memoryBytes } = thisMachine();
  expect(processors).toBeGreaterThanOrEqual(1);
  expect(memoryBytes).toBeGreaterThan(0);
});
