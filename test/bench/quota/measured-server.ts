import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Path, Variant } from './variants.ts';

export interface MeasuredServer {
  readonly variant: Variant;
  readonly port: number;
  /** processor time so far, microseconds */
  cpuMicros(): number;
  stop(): Promise<void>;
}

interface ServerOptions {
  readonly path: Path;
  readonly redisUrl: string;
  readonly keysFile: string;
}

/** Starts a variant's server on the first processor. */
export async function startServer(
  variant: Variant,
  { path, redisUrl, keysFile }: ServerOptions,
): Promise<MeasuredServer> {
  const main = `${import.meta.dirname}/server-main.ts`;
  const args = [
    '-c',
    '0',
    process.execPath,
    '--disable-warning=ExperimentalWarning',
    main,
    variant,
    path,
    redisUrl,
    keysFile,
  ];
  const child: ChildProcess = spawn('taskset', args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (!child.stdout || child.pid === undefined) throw new Error(`${variant} does not start`);
  const { pid } = child;
  const [port] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return {
    variant,
    port: Number(port),
    cpuMicros: () => cpuMicrosOf(pid),
    async stop() {
      child.kill();
      await once(child, 'exit');
    },
  };
}

/** Processor time of a process, in microseconds: Linux counts in hundredths of a second (proc(5)). */
export function cpuMicrosOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}
