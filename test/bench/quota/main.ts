import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { Redis } from 'ioredis';
import { findDebian } from '../../../dev/platform/debian.ts';
import { temporaryFolder } from '../../../dev/lib/temporary.ts';
import { startRedis } from '../../support/redis.ts';
import { putLoad, writeLoadScript } from './load.ts';
import type { MeasuredServer } from './measured-server.ts';
import { cpuMicrosOf, startServer } from './measured-server.ts';
import type { PairedSlot, Summary } from './paired-slots.ts';
import { summaryOf, tableOf } from './paired-slots.ts';
import { rawDecisions } from './raw-decisions.ts';
import { writeKeys } from './served-keys.ts';
import type { Path } from './variants.ts';
import { variants } from './variants.ts';

/**
 * `npm run bench:quota`: what quotas cost a request, ours beside express-rate-limit and rate-limiter-flexible with the same Redis, each slot between two
 * of bare Express. Prints tables, and all figures as JSON to the file of `--json`. Fails when something does not work, never for being slow.
 */
const { values } = parseArgs({
  options: {
    slots: { type: 'string', default: '9' },
    seconds: { type: 'string', default: '2' },
    only: { type: 'string' },
    json: { type: 'string' },
  },
});

interface Setting {
  readonly name: string;
  readonly accounts: number;
  readonly path: Path;
  readonly connections: number;
}

const settings: readonly Setting[] = [
  { name: '1,000 accounts', accounts: 1_000, path: 'allowed', connections: 64 },
  { name: '1 account', accounts: 1, path: 'allowed', connections: 64 },
  { name: '100,000 accounts', accounts: 100_000, path: 'allowed', connections: 64 },
  { name: '1,000 accounts, refused', accounts: 1_000, path: 'refused', connections: 64 },
  { name: '1,000 accounts, one connection', accounts: 1_000, path: 'allowed', connections: 1 },
];
const [slots, seconds] = [Number(values.slots), Number(values.seconds)];
const { only } = values;
const chosen = settings.filter(({ name }) => only === undefined || name === only);
const isWhole = (value: number, most: number) => Number.isInteger(value) && value >= 1 && value <= most;
if (!isWhole(slots, 50) || !isWhole(seconds, 30) || (chosen.length === 0 && only !== 'raw')) {
  const names = settings.map(({ name }) => `'${name}'`).join(', ');
  process.stderr.write(`--slots is from 1 to 50, --seconds from 1 to 30, --only one of ${names}, 'raw'\n`);
  process.exit(3);
}

const progress = (line: string) => process.stderr.write(`${line}\n`);
const [wrk = ''] = await findDebian([{ file: 'wrk', package: 'wrk' }], progress);
const folder = temporaryFolder('bench-quota');
const redis = await startRedis();
await promisify(execFile)('taskset', ['-pc', '1', String(redis.pid())]);
const client = new Redis(redis.url);
const results: { setting: string; summaries: readonly Summary[] }[] = [];
try {
  for (const setting of chosen) {
    const summaries = await measure(setting);
    results.push({ setting: setting.name, summaries });
    process.stdout.write(`${tableOf(setting.name, summaries)}\n\n`);
  }
  const raw = only === undefined || only === 'raw' ? await measureRaw() : {};
  if (values.json !== undefined) writeFileSync(values.json, JSON.stringify({ results, raw }, null, 2));
} finally {
  client.disconnect();
  await redis.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function measure({ name, accounts, path, connections }: Setting): Promise<readonly Summary[]> {
  const [keysFile, script] = [join(folder, 'keys'), join(folder, 'load.lua')];
  writeKeys(keysFile, accounts, randomInt);
  writeLoadScript(script, keysFile);
  await client.flushall();
  const servers: MeasuredServer[] = [];
  try {
    for (const variant of variants) servers.push(await startServer(variant, { path, redisUrl: redis.url, keysFile }));
    const [bare, ...others] = servers as [MeasuredServer, ...MeasuredServer[]];
    const load = ({ port }: MeasuredServer, length = seconds) =>
      putLoad({ wrk, url: `http://127.0.0.1:${port}/`, connections, seconds: length, script });
    for (const server of servers) await load(server, 4);
    const paired: PairedSlot[] = [];
    for (let round = 1; round <= slots; round += 1) {
      for (const server of shuffled(others)) paired.push(await pairedSlot(server, { bare, load }));
      progress(`${name}: ${round} of ${slots}`);
    }
    return others.map(({ variant }) =>
      summaryOf(
        variant,
        paired.filter((slot) => slot.variant === variant),
      ),
    );
  } finally {
    for (const server of servers) await server.stop();
  }
}

interface Beside {
  readonly bare: MeasuredServer;
  readonly load: (server: MeasuredServer) => ReturnType<typeof putLoad>;
}

async function pairedSlot(server: MeasuredServer, { bare, load }: Beside): Promise<PairedSlot> {
  const before = await load(bare);
  const from = await costs(server);
  const mine = await load(server);
  const to = await costs(server);
  const after = await load(bare);
  return {
    variant: server.variant,
    load: mine,
    bare: [before, after],
    serverCpu: (to.server - from.server) / mine.requests,
    redisCpu: (to.redis - from.redis) / mine.requests,
    redisCommands: to.commands - from.commands - 1,
  };
}

async function costs(server: MeasuredServer) {
  const info = await client.info('stats');
  const commands = Number(/total_commands_processed:(\d+)/.exec(info)?.[1] ?? 0);
  return { server: server.cpuMicros(), redis: cpuMicrosOf(redis.pid()), commands };
}

async function measureRaw(): Promise<Readonly<Record<string, number>>> {
  const rates: Record<string, number> = {};
  for (const inBatch of [1, 8, 32, 128]) {
    await client.flushall();
    rates[inBatch] = Math.round(await rawDecisions(redis.url, inBatch));
    process.stdout.write(`decisions a second from one process, ${inBatch} in a batch: ${rates[inBatch]}\n`);
  }
  return rates;
}

function shuffled<Item>(items: readonly Item[]): readonly Item[] {
  return items
    .map((item) => [Math.random(), item] as const)
    .toSorted(([one], [two]) => one - two)
    .map(([, item]) => item);
}
