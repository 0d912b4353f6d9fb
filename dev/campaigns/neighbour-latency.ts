import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { eventually, expectThat } from '../lib/eventually.ts';
import { accountObjects, createKey } from '../platform/demo-account.ts';
import type { Platform } from '../platform/platform.ts';
import { startPlatform } from '../platform/platform.ts';
import type { Asked } from './ask.ts';
import { createAsk } from './ask.ts';

/**
 * Whether one account at its limit, with bans, slows another down. Rounds of a quiet and a loud slot in turns, the
 * neighbour asking at the same steady rate in both: the ratio of its 99th percentiles, paired, and their median.
 */
const rounds = 12;
const slotMs = 6_000;
const neighbourEveryMs = 10;
const atMost = 1.2;

const ask = createAsk();

/** The neighbour asks at a steady rate, whether or not its last request was answered. */
async function slot(url: string, key: string): Promise<readonly number[]> {
  const asked: Promise<Asked>[] = [];
  const endsAt = performance.now() + slotMs;
  while (performance.now() < endsAt) {
    asked.push(ask(url, key));
    await sleep(neighbourEveryMs);
  }
  const answers = await Promise.all(asked);
  const wrong = answers.find(({ status }) => status !== 200);
  if (wrong) throw new Error(`the neighbour was answered ${wrong.status}`);
  return answers.map(({ ms }) => ms);
}

/** The account that goes on regardless. */
function createLoud(url: string, keys: readonly string[]) {
  const worker = new Worker(new URL('loud-account.ts', import.meta.url), { workerData: { url, keys } });
  return {
    start: () => worker.postMessage('start'),
    async stop() {
      worker.postMessage('stop');
      const [counts] = (await once(worker, 'message')) as [Readonly<Record<string, number>>];
      console.log(`  the loud account: ${JSON.stringify(counts)}`);
    },
    end: () => worker.terminate(),
  };
}

const quantile = (numbers: readonly number[], part: number): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor((numbers.length - 1) * part)] ?? 0;

/** Resolves to whether the neighbour's 99th percentile stayed within a fifth of what it is alone. */
export async function neighbours(progress: (line: string) => void): Promise<boolean> {
  const platform = await startPlatform({ dir: null, progress, ours: true, issuer: 'ClusterIssuer' });
  try {
    const url = platform.facts.apiUrl ?? '';
    const neighbour = await keysOf(platform, 'neighbour', { requestsPerMinute: 1_000_000, count: 1 });
    const loud = createLoud(url, await keysOf(platform, 'loud', { requestsPerMinute: 1_200, count: 4 }));
    try {
      return await compare(url, neighbour[0] ?? '', loud);
    } finally {
      await loud.end();
    }
  } finally {
    await platform.stop();
  }
}

async function compare(url: string, neighbour: string, loud: ReturnType<typeof createLoud>): Promise<boolean> {
  await slot(url, neighbour);
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const quiet = async () => quantile(await slot(url, neighbour), 0.99);
    const beside = async () => {
      loud.start();
      try {
        return await quiet();
      } finally {
        await loud.stop();
      }
    };
    const isQuietFirst = round % 2 === 0;
    const first = await (isQuietFirst ? quiet() : beside());
    const second = await (isQuietFirst ? beside() : quiet());
    const [alone, besides] = isQuietFirst ? [first, second] : [second, first];
    ratios.push(besides / alone);
    console.log(`round ${round + 1}: p99 ${alone.toFixed(2)} ms alone, ${besides.toFixed(2)} ms beside`);
  }
  const [low, median, high] = [0.25, 0.5, 0.75].map((part) => quantile(ratios, part));
  console.log(
    `p99 beside / alone, median of ${rounds}: ${median?.toFixed(2)} [${low?.toFixed(2)}-${high?.toFixed(2)}]`,
  );
  return (median ?? Infinity) <= atMost;
}

interface Wanted {
  readonly requestsPerMinute: number;
  readonly count: number;
}

async function keysOf({ kubectl, facts }: Platform, account: string, { requestsPerMinute, count }: Wanted) {
  await kubectl.apply(...accountObjects(account, 'pro'));
  const overrides = { rateLimit: { requestsPerMinute, requestsPerDay: 100_000_000 } };
  await kubectl.run(['patch', 'account', account, '--type=merge', '-p', JSON.stringify({ spec: { overrides } })]);
  const keys: string[] = [];
  for (let made = 0; made < count; made += 1) keys.push(await createKey(account, facts.kubeconfig));
  for (const key of keys) {
    await eventually('the API knows the key', 20_000, async () => {
      expectThat((await ask(facts.apiUrl ?? '', key)).status === 200, 'not yet');
    });
  }
  return keys;
}
