import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { eventually, expectThat } from '../../dev/lib/eventually.ts';
import { findRedis } from '../../dev/platform/tools.ts';
import { findValkey } from '../../dev/platform/valkey.ts';
import { temporaryFolder } from '../../dev/lib/temporary.ts';

/** A real Redis of a test's own, empty at every start, on a loopback port. */
export interface TestRedis {
  readonly url: string;
  readonly port: number;
  /** of the process that runs now */
  pid(): number;
  /** SIGKILL, and gone when it resolves */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** SIGSTOP: connections stay open and nothing answers */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

const plain = (port: number): readonly string[] => ['--port', String(port)];

const tell = (line: string) => void process.stderr.write(`${line}\n`);

/** The same with a real Valkey. */
export const startValkey = (): Promise<TestRedis> => startRedis(plain, findValkey);

/** `listening` makes the arguments that say where and how it listens. */
export async function startRedis(listening = plain, find = findRedis): Promise<TestRedis> {
  const program = await find(tell);
  const port = await freePort();
  const dir = temporaryFolder('redis');
  let child: ChildProcess | null = null;
  const kill = async () => {
    const dying = child;
    child = null;
    if (!dying || dying.exitCode !== null) return;
    const ended = new Promise((done) => dying.once('exit', done));
    dying.kill('SIGKILL');
    await ended;
  };
  const start = async () => {
    child = spawn(
      program,
      [...listening(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', dir],
      {
        stdio: 'ignore',
      },
    );
    await eventually('Redis listens', 10_000, () => listens(port));
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    pid: () => child?.pid ?? Number.NaN,
    kill,
    start,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    async stop() {
      await kill();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

export interface TestSentinel {
  readonly port: number;
  /** Sends a command to it. */
  ask(...command: readonly [string, ...(string | number)[]]): Promise<unknown>;
  /** From now on it gives up a primary that it does not hear of for half a second. */
  suspect(): Promise<void>;
  stop(): Promise<void>;
}

/** What it does every few seconds otherwise, milliseconds. It never thinks that it stood still itself, as on a busy machine. */
const hurried = { 'info-period': 200, 'ping-period': 100, 'publish-period': 200, 'tilt-trigger': 3_600_000 } as const;

/** A real Sentinel over a primary named `quota`, which it does not give up before it is to suspect it. */
export async function startSentinel(primary: TestRedis): Promise<TestSentinel> {
  const program = await findRedis(tell);
  const port = await freePort();
  const dir = temporaryFolder('sentinel');
  const file = join(dir, 'sentinel.conf');
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${dir}`,
    `sentinel monitor quota 127.0.0.1 ${primary.port} 1`,
    'sentinel down-after-milliseconds quota 3600000',
    'sentinel failover-timeout quota 2000',
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  const child = spawn(program, [file, '--sentinel'], { stdio: 'ignore' });
  await eventually('the Sentinel listens', 10_000, () => listens(port));
  const redis = new Redis({ port, host: '127.0.0.1' });
  const ask: TestSentinel['ask'] = (name, ...args) => redis.call(name, ...args);
  await ask('SENTINEL', 'DEBUG', ...Object.entries(hurried).flat());
  return {
    port,
    ask,
    async suspect() {
      await ask('SENTINEL', 'SET', 'quota', 'down-after-milliseconds', 500);
    },
    async stop() {
      redis.disconnect();
      const ended = new Promise((done) => child.once('exit', done));
      child.kill('SIGKILL');
      await ended;
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** A port of 127.0.0.1 that nobody listens at just now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

function listens(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ port, host: '127.0.0.1' });
    socket.once('error', (error) => reject(error));
    socket.once('connect', () => {
      socket.destroy();
      resolve(expectThat(true, ''));
    });
  });
}
