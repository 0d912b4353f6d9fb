import type { Limiter } from './quota-port.ts';
import { shardOf, shards } from './redis-script-client.ts';

/**
 * A limiter for each shard, made by `of`, as a call of a Redis Cluster has keys of one shard alone. Each has batches of its own, so that
 * whoever is on a node that fails is decided without it, and nobody else.
 */
export function createShardedLimiter(of: (shard: number) => Limiter): Limiter {
  const limiters = Array.from({ length: shards }, (_, shard) => of(shard));
  return {
    decide: (ask) => (limiters[shardOf(ask.budget)] as Limiter).decide(ask),
    async close() {
      await Promise.all(limiters.map((limiter) => limiter.close()));
    },
  };
}
