import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Corner } from '../../../dev/platform/address.ts';
import { takeCorner } from '../../../dev/platform/address.ts';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import type { Platform } from '../../../dev/platform/platform.ts';
import type { Part } from '../../../dev/platform/process.ts';
import type { Stage } from '../../../dev/story/stage.ts';
import { inState } from '../../../dev/story/stage.ts';
import type { AuthorityOrders } from '../../support/authority-orders.ts';
import { takenFor, watchAuthorityOrders } from '../../support/authority-orders.ts';
import { startUnbound } from '../../support/dns-servers/unbound.ts';
import { platformDeadlineMs, testPlatform, testStage } from '../../support/platform.ts';
import { verifyRequests } from '../../support/verify-requests.ts';

/**
 * No order is placed for a zone with broken DNSSEC, counted at Pebble. The operator asks two real Unbounds, which know a
 * key of zones that are not signed and have a DS record, as after a move to a DNS host that does not sign; then they forget it.
 */

let platform: Platform;
let stage: Stage;
let corner: Corner;
let request: (namespace: string, name: string) => Promise<void>;
let authority: AuthorityOrders;
let resolvers: readonly Part[] = [];

const api = 'projectdomain.io/v1alpha1';
/** Of a key that no zone has. */
const signer = `DS 12345 13 2 ${'5B'.repeat(32)}`;
const [broken, healthy, later] = ['broken.example', 'healthy.example', 'later.example'];

beforeAll(async () => {
  [platform, corner] = await Promise.all([testPlatform(true), takeCorner()]);
  stage = testStage(platform, 90_000);
  request = verifyRequests(stage);
  authority = watchAuthorityOrders(platform);
  await platform.ours('operator')?.stop();
  await resolveWithKeysOf(broken);
  await platform.restart('operator', { resolvers: addresses().map((address) => `${address}:53`) });
  await stage.account('acme', 'pro');
  const tenant = await stage.tenant('acme', 'shop-web');
  await tenant.becomeReady();
}, platformDeadlineMs);

afterAll(async () => {
  await authority.stop();
  await Promise.all(resolvers.map((part) => part.stop()));
  await stage.close();
  await platform.stop();
  corner.release();
}, platformDeadlineMs);

const addresses = (): readonly string[] => {
  const net = corner.address.slice(0, corner.address.lastIndexOf('.'));
  return [`${net}.40`, `${net}.41`];
};

/** Starts the resolvers anew: they know a key of this zone, and keep nothing for long. */
async function resolveWithKeysOf(zone: string): Promise<void> {
  await Promise.all(resolvers.map((part) => part.stop()));
  const [rootAddress = ''] = platform.facts.dnsServer.split(':');
  const dir = join(platform.facts.kubeconfig, '..');
  const trustAnchor = `${zone}. ${signer}`;
  resolvers = await Promise.all(
    addresses().map((address, index) =>
      startUnbound({
        name: `unbound-${index}`,
        dir,
        address,
        rootAddress,
        trustAnchor,
        isForwarder: true,
        keepsFor: 1,
      }),
    ),
  );
}

async function publish(project: string, zone: string): Promise<void> {
  const hostname = `www.${zone}`;
  const metadata = { namespace: 'acme' };
  const service = { name: 'shop-web', port: 8080 };
  await stage.kubectl.apply(
    { apiVersion: api, kind: 'Project', metadata: { ...metadata, name: project }, spec: { service } },
    { apiVersion: api, kind: 'ProjectDomain', metadata: { ...metadata, name: hostname }, spec: { project, hostname } },
  );
  const { status } = await stage.domainWhere('acme', hostname, 'shows its record', (seen) =>
    seen.status?.records?.length ? null : 'no record',
  );
  await stage.putZone(zone, `@ ${signer}\nwww CNAME ${status?.records?.[0]?.value}.`);
  await verify(hostname);
}

const verify = (hostname: string) => request('acme', hostname);

/** Of the hostname, at Pebble itself. cert-manager at times asks for a certificate twice, so one is at least one here. */
const ordersOf = (hostname: string): Promise<number> => takenFor(authority, hostname);

const withoutHostname = async (): Promise<number> =>
  (await authority.taken()).filter(({ hostname }) => hostname === null).length;

describe('a zone with broken DNSSEC', () => {
  it(
    'gets no order, while one beside it is Live; mended, it gets one',
    async () => {
      await Promise.all([publish('broken', broken), publish('healthy', healthy)]);
      await stage.domainWhere('acme', `www.${healthy}`, 'is Live', inState('Live'));
      const { status } = await stage.domainWhere(
        'acme',
        `www.${broken}`,
        'says why',
        inState('Unverified', 'DnssecBogus'),
      );
      expect(status?.issues).toMatchObject([
        { code: 'DnssecBogus', message: expect.stringContaining(broken) as unknown },
      ]);
      await verify(`www.${broken}`);
      // What its checks let be ordered is ordered before this one, which is added after them.
      await publish('later', later);
      await stage.domainWhere('acme', `www.${later}`, 'is Live', inState('Live'));
      expect(await ordersOf(`www.${healthy}`)).toBeGreaterThanOrEqual(1);
      expect([await ordersOf(`www.${broken}`), await withoutHostname()]).toEqual([0, 0]);

      await resolveWithKeysOf(healthy);
      await verify(`www.${broken}`);
      await stage.domainWhere('acme', `www.${broken}`, 'is Live', inState('Live'));
      expect(await ordersOf(`www.${broken}`)).toBeGreaterThanOrEqual(1);
    },
    platformDeadlineMs,
  );

  it(
    'stays served, and is not renewed: the request waits with the reason on it',
    async () => {
      const hostname = `www.${healthy}`;
      const kubectl = stage.kubectl;
      await verify(hostname);
      await stage.domainWhere(
        'acme',
        hostname,
        'is Live, and says what is broken',
        (seen) =>
          inState('Live')(seen) ??
          (seen.status?.issues?.some(({ code }) => code === 'DnssecBogus') ? null : 'no issue'),
      );
      const selected = ['get', 'certificates', '-n', 'acme', '-o', 'json'];
      const before = await ordersOf(hostname);
      const { items } = JSON.parse(await kubectl.run(selected)) as {
        items: readonly { spec: { secretName: string; dnsNames: readonly string[] } }[];
      };
      const certificate = items.find(({ spec }) => spec.dnsNames.includes(hostname));
      if (!certificate) throw new Error(`${hostname} has no Certificate`);
      await kubectl.run(['delete', 'secret', '-n', 'acme', certificate.spec.secretName]);
      await eventually('the request waits for DNSSEC', 60_000, async () => {
        const requests = await kubectl.run(['get', 'certificaterequests', '-n', 'acme', '-o', 'json']);
        expectThat(/ApprovalWithheld/.test(requests) && /DNSSEC/.test(requests), 'no request with the reason');
      });
      expect(await ordersOf(hostname)).toBe(before);
      const ingresses = await kubectl.run(['get', 'ingress', '-n', 'acme', '-o', 'json']);
      expect(ingresses).toContain(`"${hostname}"`);

      await resolveWithKeysOf('nobodys.example');
      await verify(hostname);
      await eventually('an order once it was mended', 120_000, async () =>
        expectThat((await ordersOf(hostname)) > before, 'not yet'),
      );
    },
    platformDeadlineMs,
  );
});
