import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestRedis } from '../../support/redis.ts';
import { startRedis } from '../../support/redis.ts';
import type { ServersApart } from '../../support/socket-attacks.ts';
import { attackNames, startAttack, startHonestClient, startServersApart } from '../../support/socket-attacks.ts';
import { serverNames } from '../../support/socket-servers.ts';

/**
 * Somebody opens several times as many sockets as a server has, and lets it wait on each: for a head, for a body, for its answers to be
 * read. Beside that an honest client asks, on new connections and on one that it keeps, and is answered every time. The servers are those of
 * our programs, in a process of their own; they have fewer places than the shipped ones, so that all kinds are tried
 * (`npm run campaign:sockets` fills the shipped number).
 */

const connections = 100;
const [batch, batches] = [50, 6];
let redis: TestRedis;
let apart: ServersApart;

beforeAll(async () => {
  redis = await startRedis();
  apart = await startServersApart(redis.url, connections);
}, 60_000);

afterAll(async () => {
  await apart.stop();
  await redis.stop();
});

describe.each(serverNames)('%s', (name) => {
  it.each(attackNames)(
    'answers an honest client beside three times as many sockets of %s as it has',
    async (attackName) => {
      const server = apart.servers[name];
      const honest = startHonestClient(server);
      const attack = startAttack(attackName, server);
      const statuses = [await honest.askAgain()];
      for (let opened = 0; opened < batches; opened += 1) {
        await attack.open(batch);
        statuses.push(await honest.askAnew(), await honest.askAgain());
      }
      await attack.end();
      honest.end();
      expect(statuses).toEqual(Array(2 * batches + 1).fill(server.status));
    },
  );
});
