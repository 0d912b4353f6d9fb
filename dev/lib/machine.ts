import { availableParallelism } from 'node:os';

/** What tests may use of a machine. */
export interface Machine {
  readonly processors: number;
  readonly memoryBytes: number;
}

/** The processors that this process may use, and the memory that is free for it now; control groups count. */
export const thisMachine = (): Machine => ({
  processors: availableParallelism(),
  memoryBytes: process.availableMemory(),
});
