import { Redis } from 'ioredis';
import type { PlatformFacts } from '../../dev/platform/platform.ts';
import type { KeyState } from '../../src/quota/ban-state.ts';
import type { QuotaState } from '../../src/quota/quota-decision.ts';
import { readState } from '../../src/quota/state-encoding.ts';
import { leap } from './leap.ts';
import { writeState } from './quota-state.ts';

/**
 * Has so much time go by for the quota, whose minute goes by Redis' clock: that one does not leap, so what Redis remembers is moved back instead. The
 * clocks of our processes leap, which have to forget what they remember of it.
 */
export async function minuteGoesBy(
  { redisUrl, ...facts }: Pick<PlatformFacts, 'redisUrl' | 'kubeconfig'>,
  ms: number,
): Promise<void> {
  const redis = new Redis(redisUrl);
  try {
    for (const key of await redis.keys('{q:*')) if (!isOfProcess.test(key)) await moveBack(redis, key, ms);
  } finally {
    redis.disconnect();
  }
  await leap(facts, ms);
}

/** What became of a process' batches. */
const isOfProcess = /^\{q:\d\d\}:b:/;

async function moveBack(redis: Redis, key: string, ms: number): Promise<void> {
  const stored = await redis.getBuffer(key);
  if (stored === null) return;
  await redis.set(key, writeState(earlier(readState(stored), ms)), 'KEEPTTL');
}

function earlier({ budget, conduct }: QuotaState, ms: number): QuotaState {
  const log = budget.log.map(({ firstMs, lastMs, count }) => ({ firstMs: firstMs - ms, lastMs: lastMs - ms, count }));
  const strikesMs = conduct.strikesMs.map((at) => at - ms);
  const keys = new Map([...conduct.keys].map(([id, key]) => [id, keyEarlier(key, ms)]));
  return { budget: { ...budget, log }, conduct: { ...conduct, strikesMs, keys } };
}

/** 0 says that there is none. */
const back = (time: number, by: number): number => (time === 0 ? 0 : time - by);

const keyEarlier = (key: KeyState, ms: number): KeyState => ({
  ...key,
  refusedAtMs: back(key.refusedAtMs, ms),
  refusedUntilMs: back(key.refusedUntilMs, ms),
  bannedAtMs: back(key.bannedAtMs, ms),
  bannedUntil: back(key.bannedUntil, Math.round(ms / 1_000)),
});
