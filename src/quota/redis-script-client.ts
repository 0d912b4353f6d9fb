import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cluster, Redis } from 'ioredis';
import type { Batch, BatchReply } from './batch-encoding.ts';
import { readReply, writeBatch } from './batch-encoding.ts';

export const script = readFileSync(join(import.meta.dirname, 'quota-decision.lua'), 'utf8');

/** Runs batches of decisions in Redis. `run` rejects at once without a connection; while Redis hangs, it may never settle. */
export interface RedisScriptClient {
  /** whether there is a connection; without one, nothing is sent */
  ready(): boolean;
  run(batch: Batch): Promise<BatchReply>;
  close(): Promise<void>;
}

interface WithDecide {
  decideBuffer(...args: (string | number | Buffer)[]): Promise<unknown>;
}

/** Budgets are divided by a hash: those of a shard have the same hash tag, so they are on the same node of a Redis Cluster. */
export const shards = 64;

/** Runs quota-decision.lua. On a Redis Cluster, all budgets of its batches are of the one shard. */
export function createRedisScriptClient(redis: Redis | Cluster, shard = 0): RedisScriptClient {
  redis.defineCommand('decide', { lua: script });
  const commands = redis as unknown as WithDecide;
  const remembered = `${tagOf(shard)}:b:${randomBytes(9).toString('base64url')}`;
  return {
    ready: () => redis.status === 'ready',
    async run(batch) {
      const keys = [remembered, ...batch.budgets.map(({ budget }) => stateKey(budget))];
      const reply = commands.decideBuffer(keys.length, ...keys, writeBatch(batch));
      return readReply(await (redis.isCluster ? reply.catch(inDoubt) : reply), batch);
    },
    close: () => {
      redis.disconnect();
      return Promise.resolve();
    },
  };
}

/**
 * A cluster's client sends a call again whose connection ended: what a node says to the second one tells nothing of the first, which may
 * have been executed.
 */
function inDoubt(error: unknown): never {
  throw new Error('the cluster did not answer', { cause: error });
}

/** The key of a budget's state. Its hash tag keeps budgets of one shard together; the number is that of the state's form. */
export const stateKey = (budget: string): string => `${tagOf(shardOf(budget))}:2:${budget}`;

const tagOf = (shard: number): string => `{q:${String(shard).padStart(2, '0')}}`;

/** FNV-1a over the budget's characters, 0 to 63. */
export function shardOf(budget: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < budget.length; index += 1)
    hash = Math.imul(hash ^ budget.charCodeAt(index), 0x01000193) >>> 0;
  return hash % shards;
}

/** True when Redis answered with an error, so that it executed nothing; false when the connection ended, and that is unknown. */
export const isRefusedByRedis = (error: unknown): boolean => error instanceof Error && error.name === 'ReplyError';
