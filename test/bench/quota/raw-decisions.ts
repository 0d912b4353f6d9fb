import { LocalQuota } from '../../../src/quota/local-quota.ts';
import { createRedisScriptClient } from '../../../src/quota/redis-script-client.ts';
import { connectRedis } from '../../../src/lib/redis/redis-client.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { limitsOf } from './variants.ts';

/** Decisions a second from one process in batches of this size, two calls under way, over a thousand accounts; the median of three. */
export async function rawDecisions(redisUrl: string, inBatch: number): Promise<number> {
  const redis = connectRedis({ url: redisUrl, passwordFile: null, caFile: null }, silentLog);
  await new Promise((ready) => redis.once('ready', ready));
  const client = createRedisScriptClient(redis);
  const local = new LocalQuota();
  let [number, at] = [0, 0];
  const batch = async () => {
    const budgets = Array.from({ length: inBatch }, () => {
      at = (at + 1) % 1_000;
      const budget = `a:raw-${at}`;
      const ask = { budget, key: `key-${at}`, limits: limitsOf.allowed, liftedAt: null, spend: 1 };
      return { budget, asks: [ask], ...local.prepare(budget) };
    });
    number += 1;
    const reply = await client.run({ number, answered: 0, budgets });
    if (reply.answers.length !== inBatch) throw new Error('a batch without its answers');
    reply.states.forEach((state, budget) => local.learn(budget, state));
  };
  const rates: number[] = [];
  for (let turn = 0; turn < 4; turn += 1) {
    const [startedAt, before] = [performance.now(), number];
    const line = async () => {
      while (performance.now() - startedAt < 2_500) await batch();
    };
    await Promise.all([line(), line()]);
    if (turn > 0) rates.push(((number - before) * inBatch * 1_000) / (performance.now() - startedAt));
  }
  await client.close();
  return rates.toSorted((one, two) => one - two)[1] ?? 0;
}
