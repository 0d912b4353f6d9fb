import type { ChildProcess } from 'node:child_process';
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { eventually, expectThat } from '../../dev/lib/eventually.ts';
import { temporaryFolder } from '../../dev/lib/temporary.ts';
import { findDebian } from '../../dev/platform/debian.ts';
import { findRedis } from '../../dev/platform/tools.ts';
import { freePort } from './redis.ts';

/** Three primaries with a replica each, on loopback. */
export interface RedisCluster {
  /** `host:port` of every node */
  readonly nodes: readonly string[];
  /** Port of the primary that has a key's slot. */
  primaryOf(key: string): Promise<number>;
  /** SIGKILL */
  kill(port: number): Promise<void>;
  /** Moves half of the slots of a primary to another one, slot by slot. */
  moveSlots(from: number, to: number): Promise<void>;
  /** A command to every primary. */
  onPrimaries(act: (redis: Redis) => Promise<unknown>): Promise<void>;
  onNodes(act: (redis: Redis) => Promise<unknown>): Promise<void>;
  stop(): Promise<void>;
}

const run = promisify(execFile);
const nodesAtFirst = 6;
/** Long enough for a busy machine, on which a node that lives may not answer for a second. */
const nodeTimeoutMs = 2_000;
const tell = (line: string) => void process.stderr.write(`${line}\n`);

interface Node {
  readonly id: string;
  readonly port: number;
  readonly isPrimary: boolean;
  readonly slots: readonly (readonly [number, number])[];
}

/** CLUSTER NODES, but for nodes that failed. */
function nodesIn(text: string): readonly Node[] {
  return text
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([, , flags = '']) => !flags.includes('fail') && !flags.includes('noaddr'))
    .map(([id = '', address = '', flags = '', , , , , , ...slots]) => ({
      id,
      port: Number(/:(\d+)@/.exec(address)?.[1]),
      isPrimary: flags.includes('master'),
      slots: slots
        .filter((one) => !one.startsWith('['))
        .map((one) => {
          const [first = 0, last = first] = one.split('-').map(Number);
          return [first, last] as const;
        }),
    }));
}

const countOf = ({ slots }: Node): number => slots.reduce((sum, [first, last]) => sum + last - first + 1, 0);

export async function startRedisCluster(): Promise<RedisCluster> {
  const server = await findRedis(tell);
  const [cli = ''] = await findDebian([{ file: 'redis-cli', package: 'redis-tools' }], tell);
  const dir = temporaryFolder('cluster');
  const children = new Map<number, ChildProcess>();
  for (let at = 0; at < nodesAtFirst; at += 1) {
    const [port, bus] = [await freePort(), await freePort()];
    const own = join(dir, String(port));
    mkdirSync(own);
    const listening = ['--port', String(port), '--cluster-port', String(bus), '--bind', '127.0.0.1', '--dir', own];
    const clustered = [
      '--cluster-enabled',
      'yes',
      '--cluster-node-timeout',
      String(nodeTimeoutMs),
      '--cluster-require-full-coverage',
      'no',
      '--repl-diskless-sync-delay',
      '0',
    ];
    children.set(port, spawn(server, [...listening, ...clustered, '--save', ''], { stdio: 'ignore' }));
  }
  const ports = [...children.keys()];
  const nodes = ports.map((port) => `127.0.0.1:${port}`);
  const on = async <T>(port: number, act: (redis: Redis) => Promise<T>): Promise<T> => {
    const redis = new Redis(port, '127.0.0.1', { retryStrategy: () => null, lazyConnect: true });
    redis.on('error', () => undefined);
    try {
      await redis.connect();
      return await act(redis);
    } finally {
      redis.disconnect();
    }
  };
  for (const port of ports) await eventually('a node listens', 10_000, () => on(port, (redis) => redis.ping()));
  await run(cli, ['--cluster', 'create', ...nodes, '--cluster-replicas', '1', '--cluster-yes']);
  const alive = (): number => ports.find((port) => children.has(port)) ?? 0;
  const known = async (): Promise<readonly Node[]> =>
    nodesIn(String(await on(alive(), (redis) => redis.cluster('NODES'))));
  await eventually('every node knows all slots and has its role', 20_000, async () => {
    for (const port of ports) {
      const info = String(await on(port, (redis) => redis.cluster('INFO')));
      expectThat(info.includes('cluster_state:ok'), info);
    }
    expectThat((await known()).filter(({ isPrimary }) => !isPrimary).length === 3, 'there are fewer replicas');
  });
  const kill = async (port: number) => {
    const dying = children.get(port);
    children.delete(port);
    if (!dying) return;
    const ended = new Promise((done) => dying.once('exit', done));
    dying.kill('SIGKILL');
    await ended;
  };
  const nodeAt = async (port: number): Promise<Node> => {
    const found = (await known()).find((node) => node.port === port);
    if (!found) throw new Error(`there is no node at ${port}`);
    return found;
  };
  return {
    nodes,
    kill,
    async primaryOf(key) {
      const slot = Number(await on(alive(), (redis) => redis.cluster('KEYSLOT', key)));
      const has = ({ slots }: Node) => slots.some(([first, last]) => first <= slot && slot <= last);
      const primary = (await known()).find((node) => node.isPrimary && has(node));
      if (!primary) throw new Error(`no primary has slot ${slot}`);
      return primary.port;
    },
    async moveSlots(from, to) {
      const [source, target] = [await nodeAt(from), await nodeAt(to)];
      const moved = [
        '--cluster-from',
        source.id,
        '--cluster-to',
        target.id,
        '--cluster-slots',
        String(Math.ceil(countOf(source) / 2)),
      ];
      await run(cli, ['--cluster', 'reshard', `127.0.0.1:${to}`, ...moved, '--cluster-yes'], {
        maxBuffer: 64 * 1024 ** 2,
      });
    },
    async onPrimaries(act) {
      for (const { port, isPrimary } of await known()) if (isPrimary) await on(port, act);
    },
    async onNodes(act) {
      for (const port of children.keys()) await on(port, act);
    },
    async stop() {
      for (const port of [...children.keys()]) await kill(port);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
