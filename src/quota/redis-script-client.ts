import type { Redis } from 'ioredis';
import type { ScriptCall, Reply } from './redis-script.ts';
import { keyCount, readReply, script, scriptArguments, scriptKeys } from './redis-script.ts';

/** Makes decisions in Redis. `send` rejects at once without a connection; while Redis hangs, it may never settle. */
export interface RedisScriptClient {
  /** whether there is a connection; without one, nothing is sent */
  ready(): boolean;
  send(call: ScriptCall): Promise<Reply>;
  close(): Promise<void>;
}

interface WithDecide {
  decideBuffer(...args: (string | number | Buffer)[]): Promise<unknown>;
}

/** Runs quota-decision.lua over one connection, a call per decision. */
export function createRedisScriptClient(redis: Redis): RedisScriptClient {
  redis.defineCommand('decide', { numberOfKeys: keyCount, lua: script });
  const commands = redis as unknown as WithDecide;
  return {
    ready: () => redis.status === 'ready',
    async send(call) {
      const raw = await commands.decideBuffer(...scriptKeys(call), ...scriptArguments(call));
      return readReply(raw, call.ask);
    },
    close: () => {
      redis.disconnect();
      return Promise.resolve();
    },
  };
}
