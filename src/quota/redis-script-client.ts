import type { Redis } from 'ioredis';
import type { ScriptCall, Reply } from './redis-script.ts';
import { keyCount, readReply, script, scriptArguments, scriptKeys } from './redis-script.ts';

/** Sends one decision to Redis. Rejects at once where there is no connection; may take for ever where Redis is frozen. */
export interface RedisScriptClient {
  /** a connection is there; what is sent without one was never sent */
  ready(): boolean;
  send(call: ScriptCall): Promise<Reply>;
  close(): Promise<void>;
}

interface WithDecide {
  decideBuffer(...args: (string | number | Buffer)[]): Promise<unknown>;
}

/** The seam for sending several decisions at once. What could not be decided in Redis is decided without it. */
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
