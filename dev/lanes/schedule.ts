import type { Machine } from '../lib/machine.ts';

/** Something that runs beside others, and what it takes meanwhile. */
export interface Task {
  readonly name: string;
  /** as far as is known */
  readonly seconds: number;
  /** how many processors it keeps busy: a fraction where it mostly waits */
  readonly processors: number;
  readonly memoryBytes: number;
  /** name of what it shares with others; null where that is nothing */
  readonly shares: string | null;
  /** whether it runs beside no other that shares the same, and after those that may run beside each other */
  readonly isAlone: boolean;
  run(): Promise<void>;
}

/** More gain nothing: there are no more files that take long. */
const most = 10;

/** Somewhat more than there are: what waits a part of its time leaves them idle in another. */
const overbooked = 1.15;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

function isFree({ shares, isAlone }: Task, waiting: readonly Task[], running: readonly Task[]): boolean {
  if (shares === null) return true;
  const beside = running.filter((one) => one.shares === shares);
  if (!isAlone) return !beside.some((one) => one.isAlone);
  return beside.length === 0 && !waiting.some((one) => one.shares === shares && !one.isAlone);
}

/** Seconds until it and all that waits for it in turn have ended. */
const untilEnded = (task: Task, waiting: readonly Task[]): number => {
  const after = waiting.filter((one) => one !== task && one.isAlone && one.shares === task.shares);
  return task.seconds + (task.shares === null ? 0 : sum(after.map(({ seconds }) => seconds)));
};

/** Of what waits, what takes longest to its end and the machine carries beside what runs; null when it carries none of it now. */
export function nextTask(waiting: readonly Task[], running: readonly Task[], machine: Machine): Task | null {
  const longestFirst = waiting.toSorted((a, b) => untilEnded(b, waiting) - untilEnded(a, waiting));
  const free = longestFirst.filter((task) => isFree(task, waiting, running));
  if (running.length === 0) return free[0] ?? null;
  if (running.length >= most) return null;
  const processors = machine.processors * overbooked - sum(running.map((task) => task.processors));
  const memoryBytes = machine.memoryBytes - sum(running.map((task) => task.memoryBytes));
  return free.find((task) => task.processors <= processors && task.memoryBytes <= memoryBytes) ?? null;
}

/** Runs all of them, as many at a time as the machine carries. Rejects when one does, once what runs has ended. */
export async function runTasks(tasks: readonly Task[], machine: Machine): Promise<void> {
  const waiting = new Set(tasks);
  const running = new Map<Task, Promise<void>>();
  const errors: unknown[] = [];
  const begin = (task: Task): void => {
    waiting.delete(task);
    const ended = task
      .run()
      .catch((error: unknown) => void errors.push(error))
      .finally(() => running.delete(task));
    running.set(task, ended);
  };
  while (errors.length === 0 && (waiting.size > 0 || running.size > 0)) {
    const next = nextTask([...waiting], [...running.keys()], machine);
    if (next === null) await Promise.race(running.values());
    else begin(next);
  }
  await Promise.all(running.values());
  if (errors.length > 0) throw errors[0];
}
