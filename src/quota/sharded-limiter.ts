import type { ConnectedLimiter } from './limiter.ts';
import type { Limiter } from './quota-port.ts';
import { shardOf, shards } from './redis-script-client.ts';

/**
 * A limiter for each shard, made by `of`, as a call of a Redis Cluster has keys of one shard alone. Each has batches of its own, so that
 * whoever is on a node that fails is decided without it, and nobody else.
 */
export function createShardedLimiter(of: (shard: number) => ConnectedLimiter): Limiter {
  const limiters = Array.from({ length: shards }, (_, shard) => of(shard));
  const limiterOf = (budget: string) => limiters[shardOf(budget)] as ConnectedLimiter;
  return {
    recall: (ask) => limiterOf(ask.budget).recall(ask),
    decide: (ask) => limiterOf(ask.budget).decide(ask),
    async close() {
      // They share a connection, which the first that closes ends for all.
      await Promise.all(limiters.map((limiter) => limiter.stop()));
      await Promise.all(limiters.map((limiter) => limiter.close()));
    },
  };
}
