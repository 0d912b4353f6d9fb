import { availableParallelism } from 'node:os';

/** What tests may use of a machine. */
export interface Machine {
  readonly processors: number;
  readonly memoryBytes: number;
}

/** What one worker of a group of tests takes. */
export interface Need {
  /** workers that share a processor: more than one where tests mostly wait */
  readonly perProcessor: number;
  readonly memoryBytes: number;
}

/** More gain nothing: there are no more files that take long. */
const most = 6;

/** How many workers run side by side: as many as processors and memory carry, at least one. */
export function workersFor({ processors, memoryBytes }: Machine, need: Need): number {
  const carried = Math.min(processors * need.perProcessor, memoryBytes / need.memoryBytes, most);
  return Math.max(1, Math.floor(carried));
}

/** The processors that this process may use, and the memory that is free for it now; control groups count. */
export const thisMachine = (): Machine => ({
  processors: availableParallelism(),
  memoryBytes: process.availableMemory(),
});
