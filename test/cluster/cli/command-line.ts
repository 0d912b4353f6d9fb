import { spawn } from 'node:child_process';
import { join } from 'node:path';

const program = join(import.meta.dirname, '../../../dev/projectdomain.mjs');
/** Longer than any `--timeout` of the tests. */
const deadlineMs = 330_000;

export interface Ran {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Running {
  readonly ended: Promise<Ran>;
  /** what stands on stderr so far */
  readonly err: () => string;
}

/** The command line as a process of its own, with nothing of this machine's kubeconfigs. */
export function start(args: readonly string[], env: Readonly<Record<string, string>> = {}, file = program): Running {
  const home = { HOME: '/nonexistent', KUBECONFIG: '' };
  const child = spawn(process.execPath, [file, ...args], {
    env: { ...process.env, ...home, ...env },
    timeout: deadlineMs,
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const ended = new Promise<Ran>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, out, err }));
  });
  return { ended, err: () => err };
}

export const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ran> =>
  start(args, env).ended;
