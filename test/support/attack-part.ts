import { afterAll, beforeAll } from '@jest/globals';
import type { AttackApi, AttackOptions } from './attack-api.ts';
import { startAttackApi } from './attack-api.ts';
import type { TestRedis } from './redis.ts';
import { startRedis } from './redis.ts';

/** What an attack file has of its own: a Redis and the API over it, from its first test to its last. */
export interface AttackPart {
  readonly redis: TestRedis;
  readonly api: AttackApi;
  /** A name that no other test of the file uses. */
  fresh(prefix: string): string;
}

export function attackPart(options: AttackOptions = {}): AttackPart {
  let redis: TestRedis | null = null;
  let api: AttackApi | null = null;
  let names = 0;
  beforeAll(async () => {
    redis = await startRedis();
    api = await startAttackApi({ url: redis.url, passwordFile: null, caFile: null }, options);
  });
  afterAll(async () => {
    await api?.close();
    await redis?.stop();
  });
  const there = <T>(part: T | null): T => {
    if (part === null) throw new Error('it is started before the first test');
    return part;
  };
  return {
    get redis() {
      return there(redis);
    },
    get api() {
      return there(api);
    },
    fresh: (prefix) => `${prefix}${(names += 1)}`,
  };
}
