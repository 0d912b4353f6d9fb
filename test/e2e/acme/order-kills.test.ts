import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemNamespace } from '../../../dev/platform/chart.ts';
import type { Platform } from '../../../dev/platform/platform.ts';
import { customer, domainIs } from '../../support/customers.ts';
import { endedOrders } from '../../support/ended-orders.ts';
import { platformDeadlineMs } from '../../support/platform.ts';
import { closeStoryEnvironmentsAfterEach, openStoryEnvironment } from '../../support/story-environment.ts';

/** `npm run campaign:order-kills` kills a hundred operators in the middle of orders; `npm run e2e` a few. */
const kills = process.env.CAMPAIGN === 'order-kills' ? 100 : 4;
const zone = 'kills.example';
const perKillMs = 20_000;

closeStoryEnvironmentsAfterEach();

/** Some time into what a new operator does: it is ready after a second or two, and an order takes one or two. */
const livesFor = (kill: number): number => 1_200 + ((kill * 379) % 2_800);

/** A new leader waits for the lease of one that was killed: an administrator need not. */
async function kill({ ours, kubectl }: Platform): Promise<void> {
  ours('operator')?.signal('SIGKILL');
  await kubectl.run(['delete', 'lease', 'projectdomain-operator', '-n', systemNamespace, '--ignore-not-found']);
}

/** What Pebble says in its log of each order: the ids of those that came to be, and of those that were finalized, each as often as it was. */
function ordersInLog(log: string): { readonly placed: readonly string[]; readonly finalized: readonly string[] } {
  const idsOf = (line: RegExp) => [...log.matchAll(line)].map(([, id = '']) => id);
  return {
    placed: idsOf(/Added order "([^"]+)" to the db/g),
    finalized: idsOf(/Order (\S+) is fully authorized\. Processing finalization/g),
  };
}

describe('operators that are killed in the middle of orders', () => {
  it(
    'lose none, finalize none twice, and count each that they may have placed',
    async () => {
      const { platform, stage } = await openStoryEnvironment(120_000, { issuer: 'AcmeIssuer' });
      const who = await customer(stage, 'kills');
      await stage.putZone(zone, `* CNAME ${who.target}.`);
      const to = `kills-shop.${platform.facts.platformDomain}`;
      const hostnames = Array.from({ length: kills }, (_, index) => `d${index}.${zone}`);
      for (const [index, hostname] of hostnames.entries()) {
        const { status } = await who.add(hostname, { role: 'redirect', redirect: { to } });
        expect(status).toBe(201);
        await sleep(livesFor(index));
        await kill(platform);
      }
      for (const hostname of hostnames) await domainIs(who, hostname, 'Live');

      const orders = await endedOrders(stage);
      const pebbleLog = join(dirname(platform.facts.acmeRoot), 'logs', 'pebble.log');
      const { placed, finalized } = ordersInLog(readFileSync(pebbleLog, 'utf8'));
      process.stderr.write(
        `${kills} kills: ${placed.length} orders at the authority, ${finalized.length} finalized, ${orders.length} recorded\n`,
      );
      expect(new Set(finalized).size).toBe(finalized.length);
      const counted = orders.reduce((sum, { acme }) => sum + (acme?.placed ?? 0), 0);
      expect(placed.length).toBeLessThanOrEqual(counted);
      expect(placed.length).toBeGreaterThanOrEqual(hostnames.length);
      expect(orders.map(({ outcome }) => outcome)).toEqual(orders.map(() => 'Issued'));
    },
    platformDeadlineMs + kills * perKillMs,
  );
});
