import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startRedis } from '../../dev/platform/services.ts';
import type { Finding, Stage } from './stages.ts';
import { startInPod } from './in-pod.ts';
import { scaleSettings } from './seed-cluster.ts';
import { untilReady } from './steady.ts';

/** After the caches are full there is a while of visits, of garbage and of watches. */
const watchedForMs = 60_000;
const mebibyte = 1_024;

/** Peak resident memory of each of our processes from its start on, one at a time: the first list is the peak of most. */
export const memoryStage: Stage = async ({ cluster, bounds, tell }) => {
  const redis = await startRedis(cluster.around);
  cluster.onStop(() => redis.part.stop());
  const context = { ...cluster.context, redisUrl: redis.url };
  const findings: Finding[] = [];
  for (const name of ['operator', 'api-server', 'redirector'] as const) {
    const settings = name === 'operator' ? scaleSettings : {};
    const process = await startInPod(name, { ...cluster, context }, { settings, limitBytes: bounds.limitBytes[name] });
    try {
      const readyInMs = await untilReady(process);
      await sleep(watchedForMs);
      const { peak, now } = memoryOf(process.part.pid);
      tell(`${name}: ready after ${(readyInMs / 1_000).toFixed(1)} s; ${now} MiB after a minute`);
      findings.push({ what: `${name}: peak resident memory, MiB`, found: peak, atMost: bounds.memory[name] });
    } finally {
      await process.part.stop();
    }
  }
  return findings;
};

/** VmHWM and VmRSS of proc(5), in MiB. */
export function memoryOf(pid: number): { readonly peak: number; readonly now: number } {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  const of = (field: string) => Math.round(Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(text)?.[1]) / mebibyte);
  return { peak: of('VmHWM'), now: of('VmRSS') };
}
