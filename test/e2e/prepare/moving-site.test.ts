import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { Resolver } from 'node:dns/promises';
import type { Answer } from '../../../dev/lib/https.ts';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import { askHttps } from '../../../dev/lib/https.ts';
import type { Platform } from '../../../dev/platform/platform.ts';
import type { SeenDomain, Stage } from '../../../dev/story/stage.ts';
import { inState } from '../../../dev/story/stage.ts';
import type { HostnameClaim } from '../../../src/generated/hostname-claim.ts';
import type { TestCdn } from '../../support/cdn.ts';
import { createCdn } from '../../support/cdn.ts';
import { platformDeadlineMs, testPlatform, testStage } from '../../support/platform.ts';
import { serveChallengeZone } from '../../support/served-challenge-zone.ts';
import type { Visitors } from './visitors.ts';
import { sendVisitors } from './visitors.ts';

/** A site that an nginx elsewhere serves moves here under 50 visitors a second. */

const hostname = 'www.moving.example';
const zone = 'moving.example';
const namespace = 'acme';
const formerPage = 'nothing is set up here';
/** visits that see each stage of the move: fifty a second */
const visitsWatched = 150;

let platform: Platform;
let stage: Stage;
let former: TestCdn;
let net: string;

const domainObject = {
  apiVersion: 'projectdomain.io/v1alpha1',
  kind: 'ProjectDomain',
  metadata: { name: hostname, namespace },
  spec: { project: 'shop', hostname, prepare: true },
};

type Record = NonNullable<NonNullable<SeenDomain['status']>['records']>[number];

async function shownRecords(): Promise<readonly Record[]> {
  const { status } = await stage.domainWhere(namespace, hostname, 'shows its records', (seen) =>
    (seen.status?.records ?? []).some(({ fqdn }) => fqdn === `_acme-challenge.${hostname}`) ? null : 'not yet',
  );
  return status?.records ?? [];
}

const recordAt = (records: readonly Record[], fqdn: string): string =>
  records.find((record) => record.fqdn === fqdn)?.value ?? '';

const routedReason = ({ status }: SeenDomain): string | undefined =>
  status?.conditions?.find(({ type }) => type === 'Routed')?.reason;

/** Prepares the hostname, looks at it here, switches it and takes the former server away. What it answers here before the switch. */
async function moved(visitors: Visitors): Promise<Answer> {
  await stage.kubectl.apply(domainObject);
  const records = await shownRecords();
  const delegation = `_acme-challenge.www CNAME ${recordAt(records, `_acme-challenge.${hostname}`)}.`;
  await stage.putZone(zone, `www A ${former.address}\n${delegation}`);
  await stage.domainWhere(namespace, hostname, 'is ready to switch', (seen) =>
    routedReason(seen) === 'ReadyToSwitch' ? null : JSON.stringify(seen.status?.conditions),
  );
  const before = await askHttps({
    address: platform.facts.ingressAddress,
    ca: readFileSync(platform.facts.acmeRoot),
    hostname,
  });
  expect(before).toMatchObject({ status: 200 });
  await visitors.further(visitsWatched);

  await stage.putZone(zone, `www CNAME ${recordAt(records, hostname)}.\n${delegation}`);
  await stage.domainWhere(namespace, hostname, 'is Live', inState('Live'));
  // Who comes by then knows the new address.
  await visitors.further(visitsWatched);
  await former.goDown();
  await visitors.further(visitsWatched);
  return before;
}

beforeAll(async () => {
  platform = await testPlatform(true, { issuer: 'AcmeIssuer', challengeZone: serveChallengeZone });
  stage = testStage(platform, 60_000);
  const { ingressAddress } = platform.facts;
  net = ingressAddress.slice(0, ingressAddress.lastIndexOf('.'));
  former = await createCdn({ address: `${net}.40`, origin: ingressAddress, hostname });
  await former.behave('parked');
  await stage.account(namespace, 'pro');
  const tenant = await stage.tenant(namespace, 'shop-web');
  await tenant.becomeReady();
  await stage.kubectl.apply({
    apiVersion: 'projectdomain.io/v1alpha1',
    kind: 'Project',
    metadata: { name: 'shop', namespace },
    spec: { service: { name: 'shop-web', port: 8080 } },
  });
}, platformDeadlineMs);

afterAll(async () => {
  await former.remove();
  await stage.close();
  await platform.stop();
}, platformDeadlineMs);

describe('a site that is served elsewhere', () => {
  it(
    'moves here without one failed request or handshake, as its certificate is there before the switch',
    async () => {
      await stage.putZone(zone, `www A ${former.address}`);
      const roots = Buffer.concat([readFileSync(platform.facts.acmeRoot), former.ca]);
      const visitors = sendVisitors({ hostname, resolver: `${net}.32:53`, ca: roots });
      const before = await moved(visitors).catch(async (error: unknown) => {
        await visitors.leave();
        throw error;
      });
      const { bodies, failures } = await visitors.leave();
      expect(failures).toEqual([]);
      expect(bodies.get(formerPage)).toBeGreaterThan(50);
      expect(bodies.get(before.body)).toBeGreaterThan(50);
      expect(bodies.size).toBe(2);
    },
    platformDeadlineMs,
  );

  it('was proven by its delegation, and nothing is left in the challenge zone', async () => {
    const claim = await stage.kubectl.get<HostnameClaim>('hostnameclaim', hostname);
    expect(claim?.spec.proof.method).toBe('Delegation');
    const [order] = claim?.spec.orders ?? [];
    expect(order).toMatchObject({ outcome: 'Issued', acme: { placed: 1 } });
    const zoneServer = new Resolver();
    zoneServer.setServers([`${net}.30:53`]);
    const left = zoneServer.resolveTxt(`${order?.delegation}.acme.projectdomain.test`);
    await expect(left).rejects.toMatchObject({ code: expect.stringMatching(/ENOTFOUND|ENODATA/) as unknown });
  });

  it(
    'is not proven again by a delegation that was left in DNS, once the domain was removed',
    async () => {
      const old = recordAt((await stage.domain(namespace, hostname)).status?.records ?? [], hostname);
      expect(old).not.toBe('');
      const claim = await stage.kubectl.get<HostnameClaim>('hostnameclaim', hostname);
      const label = claim?.spec.orders?.[0]?.delegation ?? '';
      await stage.kubectl.run(['delete', 'projectdomain', hostname, '-n', namespace, '--wait']);
      await eventually('the hostname is given up', 60_000, async () => {
        const given = await stage.kubectl.get<HostnameClaim>('hostnameclaim', hostname);
        expectThat(given?.spec.phase === 'Tombstone', `phase ${given?.spec.phase}`);
      });
      await stage.putZone(zone, `www A ${former.address}\n_acme-challenge.www CNAME ${label}.acme.projectdomain.test.`);
      await stage.kubectl.apply(domainObject);
      const records = await shownRecords();
      expect(recordAt(records, `_acme-challenge.${hostname}`)).not.toBe(`${label}.acme.projectdomain.test`);
      await stage.domainWhere(namespace, hostname, 'sees an old delegation', inState('Unverified', 'DelegationWrong'));
    },
    platformDeadlineMs,
  );
});
