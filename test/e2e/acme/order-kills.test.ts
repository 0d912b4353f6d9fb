import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemNamespace } from '../../../dev/platform/chart.ts';
import type { Platform } from '../../../dev/platform/platform.ts';
import { customer, domainIs } from '../../support/customers.ts';
import { endedOrders } from '../../support/ended-orders.ts';
import { platformDeadlineMs } from '../../support/platform.ts';
import { untilLogged } from '../../support/until-logged.ts';
import { closeStoryEnvironmentsAfterEach, openStoryEnvironment } from '../../support/story-environment.ts';

/** `npm run campaign:order-kills` kills a hundred operators in the middle of orders; `npm run e2e` a few. */
const kills = process.env.CAMPAIGN === 'order-kills' ? 100 : 4;
const zone = 'kills.example';
const perKillMs = 20_000;

closeStoryEnvironmentsAfterEach();

/** How many requests about orders the authority takes before the operator is killed: one order takes more than six, from its placing to its certificate. */
const livesFor = (kill: number): number => 1 + ((kill * 5) % 6);

const requestsIn = (log: string): number =>
  [...log.matchAll(/POST \/(order-plz|my-order|authZ|chalZ|finalize-order|certZ)\S* -> calling handler/g)].length;

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
      const pebbleLog = join(dirname(platform.facts.acmeRoot), 'logs', 'pebble.log');
      for (const [index, hostname] of hostnames.entries()) {
        const requested = untilLogged(pebbleLog, requestsIn, livesFor(index));
        const { status } = await who.add(hostname, { role: 'redirect', redirect: { to } });
        expect(status).toBe(201);
        await requested;
        await kill(platform);
      }
      for (const hostname of hostnames) await domainIs(who, hostname, 'Live');

      const orders = await endedOrders(stage);
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
