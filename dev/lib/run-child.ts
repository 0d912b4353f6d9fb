import { spawn } from 'node:child_process';
import { join } from 'node:path';

export interface ChildProgram {
  /** of the program, from the root of the repository */
  readonly path: string;
  readonly args: readonly string[];
  /** for Node.js */
  readonly flags: readonly string[];
}

/**
 * Runs a program of ours with the output of this process, and gives its exit status; 1 when a signal ended it. It ends with
 * this process, whether that is told by a signal or by its parent.
 */
export async function runChild({ path, args, flags }: ChildProgram): Promise<number> {
  const program = join(import.meta.dirname, '../..', path);
  const child = spawn(process.execPath, [...flags, program, ...args], { stdio: 'inherit' });
  const stop = () => child.kill();
  process.on('disconnect', stop);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
  const status = await new Promise<number>((done) => child.on('close', (ended) => done(ended ?? 1)));
  if (process.connected) process.disconnect();
  return status;
}
