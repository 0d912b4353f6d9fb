import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Load } from '../quota/load.ts';
import { putLoad, writeLoadScript } from '../quota/load.ts';
import { cpuMicrosOf } from '../quota/measured-server.ts';
import type { Quartiles } from '../quota/quartiles.ts';
import { mean, quartiles } from '../quota/quartiles.ts';
import type { CostsOfList } from './api-tables.ts';
import { costByRoom, monotonicMicros } from './cost-by-room.ts';
import type { MeasuredApi } from './measured-api.ts';
import { startProfiledApi } from './measured-api.ts';
import type { ServedAccount } from './served-account.ts';
import { project } from './served-account.ts';
import type { ScaleCluster } from '../../scale/scale-cluster.ts';

const connections = 64;
const warmUpSeconds = 4;
const path = `/v1/projects/${project}/domains?limit=50`;

export interface ListOptions {
  readonly cluster: ScaleCluster;
  readonly account: ServedAccount;
  readonly wrk: string;
  readonly slots: number;
  readonly seconds: number;
}

export interface ListSummary {
  /** of bare Express */
  readonly ratio: Quartiles;
  readonly p50Ratio: Quartiles;
  readonly p99Ratio: Quartiles;
  /** requests a second, medians */
  readonly perSecond: number;
  readonly barePerSecond: number;
  /** microseconds of the processor for each request, medians */
  readonly cpu: number;
  readonly bareCpu: number;
  readonly bytes: number;
}

/** A list of fifty domains, each slot between two of bare Express that answers with the same object. */
export async function measureList(api: MeasuredApi, options: ListOptions): Promise<ListSummary> {
  const { cluster, account, slots, seconds } = options;
  const { dir } = cluster.around;
  const ours = `${api.url}${path}`;
  const body = await bodyOf(ours, account.key);
  const bare = await startBare(dir, body);
  try {
    if ((await bodyOf(bare.url, account.key)) !== body) throw new Error('bare Express answers with something else');
    const load = loader(options);
    for (const url of [bare.url, ours]) await load(url, warmUpSeconds);
    const measured: { mine: Load; around: readonly [Load, Load]; cpu: number; bareCpu: number }[] = [];
    for (let slot = 0; slot < slots; slot += 1) {
      const from = [cpuMicrosOf(bare.pid), cpuMicrosOf(api.part.pid)] as const;
      const before = await load(bare.url, seconds);
      const bareCpu = (cpuMicrosOf(bare.pid) - from[0]) / before.requests;
      const mine = await load(ours, seconds);
      const cpu = (cpuMicrosOf(api.part.pid) - from[1]) / mine.requests;
      measured.push({ mine, around: [before, await load(bare.url, seconds)], cpu, bareCpu });
    }
    const beside = (pick: (load: Load) => number) =>
      quartiles(measured.map(({ mine, around }) => pick(mine) / mean(around.map(pick))));
    const middle = (values: readonly number[]) => quartiles(values)[1];
    return {
      ratio: beside(({ perSecond }) => perSecond),
      p50Ratio: beside(({ p50 }) => p50),
      p99Ratio: beside(({ p99 }) => p99),
      perSecond: middle(measured.map(({ mine }) => mine.perSecond)),
      barePerSecond: middle(measured.flatMap(({ around }) => around.map(({ perSecond }) => perSecond))),
      cpu: middle(measured.map(({ cpu }) => cpu)),
      bareCpu: middle(measured.map(({ bareCpu }) => bareCpu)),
      bytes: Buffer.byteLength(body),
    };
  } finally {
    await bare.stop();
  }
}

/** What the same list costs by room, in a process of its own with V8's profiler. */
export async function profileList(options: ListOptions): Promise<CostsOfList> {
  const { cluster } = options;
  const api = await startProfiledApi(cluster);
  try {
    const load = loader(options);
    const url = `${api.url}${path}`;
    await load(url, warmUpSeconds);
    const from = monotonicMicros();
    const { requests } = await load(url, 10);
    const to = monotonicMicros();
    return { requests, micros: costByRoom(await api.profile(), { from, to }) };
  } finally {
    await api.part.stop();
  }
}

const loader =
  ({ cluster, account, wrk }: ListOptions) =>
  (url: string, seconds: number): Promise<Load> => {
    const { dir } = cluster.around;
    const [keysFile, script] = [join(dir, 'key'), join(dir, 'load.lua')];
    writeFileSync(keysFile, `${account.key}\n`);
    writeLoadScript(script, keysFile);
    return putLoad({ wrk, url, connections, seconds, script });
  };

async function bodyOf(url: string, key: string): Promise<string> {
  const answer = await fetch(url, { headers: { 'x-api-key': key }, signal: AbortSignal.timeout(10_000) });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${url}: ${answer.status} ${text}`);
  return text;
}

async function startBare(dir: string, body: string) {
  const file = join(dir, 'answer.json');
  writeFileSync(file, body);
  const args = [
    '-c',
    '0',
    process.execPath,
    '--disable-warning=ExperimentalWarning',
    `${import.meta.dirname}/bare-main.ts`,
    file,
  ];
  const child = spawn('taskset', args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (child.pid === undefined) throw new Error('bare Express does not start');
  const [port] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return {
    url: `http://127.0.0.1:${port}/`,
    pid: child.pid,
    async stop() {
      child.kill();
      await once(child, 'exit');
    },
  };
}
