import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lateCollection } from '../lib/output.ts';

/** A part of the platform that runs as a process of its own. */
export interface Part {
  readonly name: string;
  readonly pid: number;
  /** null while it runs */
  exitStatus(): number | null;
  signal(signal: NodeJS.Signals): void;
  /** SIGTERM, then SIGKILL when it does not end in time. */
  stop(): Promise<void>;
}

export interface PartOptions {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly dir: string;
  readonly env?: Readonly<Record<string, string>>;
  /** true once the part can be used; asked until then */
  readonly ready?: () => Promise<boolean>;
}

const readyWithinMs = 90_000;
const stopWithinMs = 8_000;

/**
 * Starts a process that cannot outlive this one: the kernel kills it when its parent dies (PR_SET_PDEATHSIG through
 * setpriv). Its output goes to logs/<name>.log. Rejects with the end of the log when it does not become ready.
 */
export async function startPart(options: PartOptions): Promise<Part> {
  const { name, program, args, dir, env = {} } = options;
  mkdirSync(join(dir, 'logs'), { recursive: true });
  const logFile = join(dir, 'logs', `${name}.log`);
  const log = openSync(logFile, 'a');
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', '--', program, ...args], {
    stdio: ['ignore', log, log],
    env: { ...lateCollection, ...process.env, ...env },
    detached: true,
  });
  closeSync(log);
  const failed = new Promise<never>((_, reject) => child.once('error', reject));
  const part = partOf(name, child);
  await Promise.race([failed, untilReady(options, part, logFile)]);
  return part;
}

function partOf(name: string, child: ChildProcess): Part {
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const exitStatus = () => child.exitCode ?? (child.signalCode === null ? null : 128);
  return {
    name,
    pid: child.pid ?? -1,
    exitStatus,
    signal: (signal) => void child.kill(signal),
    async stop() {
      if (exitStatus() !== null) return;
      child.kill('SIGTERM');
      child.kill('SIGCONT');
      const timer = setTimeout(() => child.kill('SIGKILL'), stopWithinMs);
      await ended;
      clearTimeout(timer);
    },
  };
}

async function untilReady({ name, ready }: PartOptions, part: Part, logFile: string): Promise<void> {
  if (!ready) return;
  const deadline = Date.now() + readyWithinMs;
  while (!(await ready().catch(() => false))) {
    const status = part.exitStatus();
    if (status !== null) throw new Error(`${name} ended with status ${status}:\n${tail(logFile)}`);
    if (Date.now() > deadline) {
      await part.stop();
      throw new Error(`${name} was not ready within ${readyWithinMs / 1_000} s:\n${tail(logFile)}`);
    }
    await sleep(100);
  }
}

/** A part that can be started again after it was stopped. */
export interface RestartablePart extends Part {
  /** Resolves once it is ready again. */
  startAgain(): Promise<void>;
}

/** Starts a part that can be started again as it was. */
export async function startRestartable(options: PartOptions): Promise<RestartablePart> {
  let current = await startPart(options);
  return {
    name: options.name,
    get pid() {
      return current.pid;
    },
    exitStatus: () => current.exitStatus(),
    signal: (signal) => current.signal(signal),
    stop: () => current.stop(),
    async startAgain() {
      current = await startPart(options);
    },
  };
}

const restartAfterMs = 500;

/**
 * A part that is started again whenever it ends unasked, as a kubelet does with containers. The first start is
 * waited for; later ones are not.
 */
export async function startSupervised(options: PartOptions): Promise<Part> {
  let current = await startPart(options);
  let stopping = false;
  const watch = async (): Promise<void> => {
    while (!stopping) {
      if (current.exitStatus() === null) await sleep(100);
      else await restart();
    }
  };
  const restart = async () => {
    await sleep(restartAfterMs);
    const { ready: _, ...again } = options;
    if (!stopping) current = await startPart(again);
  };
  const watching = watch();
  return {
    name: options.name,
    get pid() {
      return current.pid;
    },
    exitStatus: () => (stopping ? current.exitStatus() : null),
    signal: (signal) => current.signal(signal),
    async stop() {
      stopping = true;
      await watching;
      await current.stop();
    },
  };
}

/** The last lines of a log, for error messages. */
const tail = (file: string): string =>
  existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(-15).join('\n') : '';
