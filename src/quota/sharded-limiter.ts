import type { Limiter } from './quota-port.ts';
import { shardOf, shards } from './redis-script-client.ts';

/**
 * A limiter for each shard, made by `of`, as a call of a Redis Cluster has keys of one shard alone. Each has batches of its own, so that
 * whoever is on a node that fails is decided without it, and nobody else.
 */
export function createShardedLimiter(of: (shard: number) => Limiter): Limiter {
  const limiters = Array.from({ length: shards }, (_, shard) => of(shard));
  const limiterOf = (budget: string) => limiters[shardOf(budget)] as Limiter;
  return {
    recall: (ask) => limiterOf(ask.budget).recall(ask),
    decide: (ask) => limiterOf(ask.budget).decide(ask),
    async close() {
      await Promise.all(limiters.map((limiter) => limiter.close()));
    },
  };
}
