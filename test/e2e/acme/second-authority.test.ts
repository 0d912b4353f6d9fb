import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import type { Corner } from '../../../dev/platform/address.ts';
import { takeCorner } from '../../../dev/platform/address.ts';
import type { Platform } from '../../../dev/platform/platform.ts';
import type { AcmeAuthority } from '../../../dev/platform/services.ts';
import { caDomain, issuerName, startPebble } from '../../../dev/platform/services.ts';
import { findTools } from '../../../dev/platform/tools.ts';
import type { Stage } from '../../../dev/story/stage.ts';
import type { AcmeIssuer } from '../../../src/generated/acme-issuer.ts';
import type { HostnameClaim } from '../../../src/generated/hostname-claim.ts';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import type { CertificateRequest } from '../../../src/resources/cert-manager-types.ts';
import type { Customer } from '../../support/customers.ts';
import { customer } from '../../support/customers.ts';
import { leap } from '../../support/leap.ts';
import { platformDeadlineMs, testPlatform, testStage } from '../../support/platform.ts';
import { startLimitsProxy } from '../../support/limits-proxy.ts';
import { permitSecondSecret, secondSecret } from '../../support/second-account.ts';
import { signingRequest } from '../../support/signing-request.ts';
import { orderLimits } from '../../support/snapshot.ts';
import type { StoppableProxy } from '../../support/stoppable-proxy.ts';
import { startStoppableProxy } from '../../support/stoppable-proxy.ts';

/** One AcmeIssuer with accounts at two authorities, each with its own root; the first is behind a proxy that can be closed. */

const otherDomain = 'second.projectdomain.test';
const withinMs = 150_000;

let platform: Platform;
let stage: Stage;
let corner: Corner;
let folder: string;
let second: AcmeAuthority;
let proxy: StoppableProxy;
let who: Customer;

const base64 = (file: string): string => readFileSync(file).toString('base64');

beforeAll(async () => {
  platform = await testPlatform(true, { issuer: 'AcmeIssuer', leaps: true });
  stage = testStage(platform, 120_000);
  corner = await takeCorner();
  folder = mkdtempSync(join(tmpdir(), 'second-authority-'));
  const place = { dir: folder, tools: await findTools(() => undefined), corner };
  const resolver = platform.facts.dnsServer;
  second = await startPebble(place, { resolver, config: { caaIdentities: [otherDomain] } });
  const { hostname, port } = new URL(platform.acme.directory);
  proxy = await startStoppableProxy(hostname, Number(port));
  appendFileSync(platform.facts.acmeRoot, readFileSync(second.rootFile));
  await permitSecondSecret(stage);
  await applyAccounts({});
  await platform.ours('operator')?.stop();
  await platform.restart('operator');
  who = await customer(stage, 'two');
}, platformDeadlineMs);

afterAll(async () => {
  await proxy.close();
  await second.part.stop();
  await stage.close();
  await platform.stop();
  corner.release();
  rmSync(folder, { recursive: true, force: true });
}, platformDeadlineMs);

type Accounts = AcmeIssuer['spec']['accounts'];

async function applyAccounts(ofFirst: Partial<Accounts[number]>): Promise<void> {
  const { hostname } = new URL(platform.acme.directory);
  const accounts: Accounts = [
    {
      name: 'first',
      server: `https://${hostname}:${proxy.port}/dir`,
      keySecret: 'projectdomain-acme-account',
      caBundle: base64(platform.acme.caFile),
      caaDomains: [caDomain],
      ...ofFirst,
    },
    {
      name: 'second',
      server: second.directory,
      keySecret: secondSecret,
      caBundle: base64(second.caFile),
      caaDomains: [otherDomain],
    },
  ];
  const metadata = { name: issuerName };
  await stage.kubectl.apply({
    apiVersion: 'projectdomain.io/v1alpha1',
    kind: 'AcmeIssuer',
    metadata,
    spec: { accounts },
  });
}

/** A domain in a zone of its own, with a CAA record where that matters. */
async function add(name: string, permitted?: string): Promise<string> {
  const apex = `${name}.example`;
  const caa = permitted === undefined ? '' : `\n@ CAA 0 issue "${permitted}"`;
  await stage.putZone(apex, `* CNAME ${who.target}.${caa}`);
  const hostname = `www.${apex}`;
  const to = `two-shop.${platform.facts.platformDomain}`;
  const { status } = await who.add(hostname, { role: 'redirect', redirect: { to } });
  expect(status).toBe(201);
  return hostname;
}

const ordersOf = async (hostname: string): Promise<NonNullable<HostnameClaim['spec']['orders']>> =>
  (await stage.kubectl.get<HostnameClaim>('hostnameclaim', hostname))?.spec.orders ?? [];

/** An authority is down after a minute of silence, and orders are tried less and less often until then: our clocks leap over that. */
const eventuallyLeaping = <T>(what: string, look: () => Promise<T>): Promise<T> =>
  eventually(what, withinMs, async () => {
    await leap(platform.facts, 5_000);
    return look();
  });

/** With which accounts a hostname's orders were placed, once it is Live. */
async function liveWith(hostname: string): Promise<readonly (string | undefined)[]> {
  await eventuallyLeaping(`${hostname} is Live`, async () => {
    const { body } = await who.domain(hostname);
    expectThat(body.state === 'live', `${String(body.state)}: ${String(body.message)}`);
  });
  return (await ordersOf(hostname)).map(({ issuerAccount }) => issuerAccount);
}

const usesAre = (...expected: readonly string[]): Promise<void> =>
  eventuallyLeaping(`the accounts are ${expected.join(', ')}`, async () => {
    const status = (await stage.kubectl.get<AcmeIssuer>('acmeissuer', issuerName))?.status;
    const uses = (status?.accounts ?? []).map(({ use }) => use);
    expectThat(uses.join() === expected.join(), JSON.stringify(status?.accounts));
  });

describe('an AcmeIssuer with accounts at two authorities', () => {
  it(
    'orders with the first, and with the second from the start where CAA permits that alone',
    async () => {
      await usesAre('Next', 'Standby');
      const [plain, other] = [await add('plain'), await add('other', otherDomain)];
      expect([await liveWith(plain), await liveWith(other)]).toEqual([['first'], ['second']]);
    },
    platformDeadlineMs,
  );

  it(
    'goes on with the second once the first is down, leaves what CAA forbids waiting with a reason, and goes back',
    async () => {
      await proxy.close();
      const during = await add('during');
      expect(await liveWith(during)).toEqual(['second']);
      await usesAre('Down', 'Next');
      expect(await liveWith(await add('after'))).toEqual(['second']);

      const kept = await add('kept', caDomain);
      await eventually('it says what it waits for', 60_000, async () => {
        const { items } = JSON.parse(await stage.kubectl.run(['get', 'projectdomains', '-n', 'two', '-o', 'json'])) as {
          items: readonly ProjectDomain[];
        };
        const seen = items.find(({ spec }) => spec.hostname === kept);
        const issued = seen?.status?.conditions?.find(({ type }) => type === 'CertificateIssued');
        expectThat(
          issued?.reason === 'AuthorityUnavailable' &&
            issued.message.includes('permit no other authority than that of first'),
          JSON.stringify(issued),
        );
      });
      expect(await ordersOf(kept)).toEqual([]);

      await proxy.open();
      expect(await liveWith(kept)).toEqual(['first']);
      await eventuallyLeaping('its order has ended, and so has the time of the probe', async () => {
        const outcomes = (await ordersOf(kept)).map(({ outcome }) => outcome);
        expectThat(outcomes.join() === 'Issued', outcomes.join());
      });
      await usesAre('Next', 'Standby');
      expect(await liveWith(await add('back'))).toEqual(['first']);
    },
    2 * platformDeadlineMs,
  );

  it(
    'goes on with the second once the limit of the first is reached',
    async () => {
      const limits = { orders: { count: 1, seconds: 86_400 } };
      expect(await liveWith(await add('before'))).toEqual(['first']);
      await applyAccounts({ limits });
      expect(await liveWith(await add('beyond'))).toEqual(['second']);
      await usesAre('Full', 'Next');
    },
    platformDeadlineMs,
  );

  it(
    'denies a request of somebody else, and orders nothing for it',
    async () => {
      const request = signingRequest({ names: 'DNS:www.foreign.example' });
      const issuerRef = { group: 'projectdomain.io', kind: 'AcmeIssuer', name: issuerName };
      await stage.kubectl.apply({
        apiVersion: 'cert-manager.io/v1',
        kind: 'CertificateRequest',
        metadata: { name: 'foreign', namespace: 'default' },
        spec: { request, issuerRef },
      });
      const seen = await eventually('it is denied', 60_000, async () => {
        const { status } =
          (await stage.kubectl.get<CertificateRequest>('certificaterequest', 'foreign', 'default')) ?? {};
        expectThat(status?.failureTime !== undefined, JSON.stringify(status));
        return status?.conditions ?? [];
      });
      expect(seen.map(({ type, status, reason }) => [type, status, reason]).toSorted()).toEqual([
        ['Denied', 'True', 'projectdomain.io'],
        ['Ready', 'False', 'Denied'],
      ]);
    },
    platformDeadlineMs,
  );

  it(
    'goes on with the second where the authority of the first refuses the whole account, and returns to the first only when it said',
    async () => {
      const { directory, caFile } = platform.acme;
      const limits = { ...orderLimits, orders: { count: 0, seconds: 600 } };
      const address = new URL(directory).hostname;
      const refusing = await startLimitsProxy({ dir: folder, address, port: 14_001, directory, caFile, limits });
      try {
        await applyAccounts({ server: refusing.directory, caBundle: base64(refusing.caFile) });
        await usesAre('Next', 'Standby');
        expect(await liveWith(await add('limited'))).toEqual(['second']);
        await usesAre('Waits', 'Next');
        expect(await liveWith(await add('meanwhile'))).toEqual(['second']);
        expect(Object.fromEntries(refusing.refusals())).toEqual({ orders: 1 });
      } finally {
        await refusing.stop();
      }
    },
    platformDeadlineMs,
  );
});
