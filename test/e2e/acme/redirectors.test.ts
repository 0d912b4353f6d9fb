import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import { redirectorPodAddresses, showRedirectors } from '../../../dev/platform/ours.ts';
import type { Platform } from '../../../dev/platform/platform.ts';
import type { Stage } from '../../../dev/story/stage.ts';
import type { HostnameClaim } from '../../../src/generated/hostname-claim.ts';
import type { OrderEntry } from '../../../src/rules/order-ledger/hostname-orders.ts';
import { validations } from '../../support/authority-log.ts';
import type { Customer } from '../../support/customers.ts';
import { customer, domainIs } from '../../support/customers.ts';
import { platformDeadlineMs, testPlatform, testStage } from '../../support/platform.ts';

/**
 * Challenges with three redirectors, of which some restart, stand still or are replaced, and with an operator that was away. Each hostname
 * has one order, which is issued: an authority that asks too early would have ended it.
 */

const patienceMs = 60_000;
const zone = 'example.com';
const podCount = 3;

let platform: Platform;
let pods: readonly string[];
let stage: Stage;
let who: Customer;

beforeAll(async () => {
  platform = await testPlatform(true, { issuer: 'AcmeIssuer', redirectors: podCount });
  pods = redirectorPodAddresses({ address: platform.facts.ingressAddress }, podCount);
  stage = testStage(platform, patienceMs);
  who = await customer(stage, 'acme');
  await stage.putZone(zone, `* CNAME ${who.target}.`);
}, platformDeadlineMs);

afterAll(async () => {
  await stage.close();
  await platform.stop();
}, platformDeadlineMs);

/** Adds a redirect to the project's own hostname: a project has one primary domain. */
async function add(hostname: string): Promise<void> {
  const redirect = { to: `acme-shop.${platform.facts.platformDomain}` };
  const { status } = await who.add(hostname, { role: 'redirect', redirect });
  expect(status).toBe(201);
}

async function orders(hostname: string): Promise<readonly OrderEntry[]> {
  const claim = await stage.kubectl.get<HostnameClaim>('hostnameclaim', hostname);
  return claim?.spec.orders ?? [];
}

/** The order is at the authority. */
const isPlaced = (hostname: string) =>
  eventually(`${hostname} has an order at the authority`, patienceMs, async () => {
    const seen = await orders(hostname);
    expectThat(seen[0]?.acme?.order !== undefined, JSON.stringify(seen));
  });

/** It was placed once, and its certificate came of it. */
const isIssuedAtOnce = (hostname: string) =>
  eventually(`the order of ${hostname} has its outcome`, patienceMs, async () => {
    const seen = await orders(hostname);
    expectThat(seen.length > 0 && seen.every(({ outcome }) => outcome !== 'Pending'), JSON.stringify(seen));
    expect(seen.map(({ outcome, acme }) => [outcome, acme?.placed])).toEqual([['Issued', 1]]);
  });

/** How often the operator asks the ingress and each redirector, and not all of them answer. */
const looks = 4;

const metricsPorts = [9_404, 9_414, 9_424];

/** How many requests a redirector has answered. */
async function answeredBy(index: number): Promise<number> {
  const metrics = `http://${platform.facts.ingressAddress}:${metricsPorts[index]}/metrics`;
  const text = await (await fetch(metrics, { signal: AbortSignal.timeout(5_000) })).text();
  const series = [...text.matchAll(/^projectdomain_redirects_total\{.*\} (\d+)$/gm)];
  return series.reduce((sum, [, count]) => sum + Number(count), 0);
}

const redirector = (index: number) => {
  const part = platform.redirectors[index];
  if (!part) throw new Error(`there is no redirector ${index}`);
  return part;
};

const isReady = (index: number, pid: number) =>
  eventually(`redirector ${index} runs again`, patienceMs, async () => {
    expectThat(redirector(index).pid !== pid, 'it ended');
    const readiness = `http://${platform.facts.ingressAddress}:${metricsPorts[index]}/readyz`;
    const { ok } = await fetch(readiness, { signal: AbortSignal.timeout(1_000) });
    expectThat(ok, 'it is not ready');
  });

describe('with three redirectors', () => {
  it(
    'no challenge is triggered while one of them does not answer, and each is once it does',
    async () => {
      const hostname = `frozen.${zone}`;
      redirector(2).signal('SIGSTOP');
      try {
        await add(hostname);
        await isPlaced(hostname);
        const before = await answeredBy(1);
        await eventually('the operator has looked again and again', patienceMs, async () => {
          const looked = (await answeredBy(1)) - before;
          expectThat(looked >= looks, `${looked} times`);
        });
        expect(validations(platform, hostname)).toBe(0);
        expect((await orders(hostname)).map(({ outcome }) => outcome)).toEqual(['Pending']);
      } finally {
        redirector(2).signal('SIGCONT');
      }
      await domainIs(who, hostname, 'Live');
      await isIssuedAtOnce(hostname);
    },
    platformDeadlineMs,
  );

  it(
    'an order that begins while one of them restarts waits until it is back',
    async () => {
      const hostname = `restarted.${zone}`;
      redirector(1).signal('SIGKILL');
      await add(hostname);
      await domainIs(who, hostname, 'Live');
      await isIssuedAtOnce(hostname);
    },
    platformDeadlineMs,
  );

  it(
    'orders go on while all of them are replaced one after the other',
    async () => {
      const hostnames = pods.map((_, index) => `rolled-${index}.${zone}`);
      for (const [index, hostname] of hostnames.entries()) {
        const { pid } = redirector(index);
        await showRedirectors(
          stage.kubectl,
          pods.filter((_, at) => at !== index),
        );
        await add(hostname);
        await eventually('no account leads to it', patienceMs, async () => {
          const record = ['get', 'configmap', 'projectdomain-redirector-endpoints', '-n', 'projectdomain-system'];
          const named = await stage.kubectl.run([...record, '-o=jsonpath={.data.addresses}']);
          expectThat(!named.split(' ').includes(pods[index] ?? ''), named);
        });
        redirector(index).signal('SIGTERM');
        await isReady(index, pid);
        await showRedirectors(stage.kubectl, pods);
      }
      for (const hostname of hostnames) await domainIs(who, hostname, 'Live');
      for (const hostname of hostnames) await isIssuedAtOnce(hostname);
    },
    platformDeadlineMs,
  );

  it(
    'an order that was open when the operator went away is finished by the next one',
    async () => {
      const hostname = `away.${zone}`;
      redirector(0).signal('SIGSTOP');
      try {
        await add(hostname);
        await isPlaced(hostname);
        await platform.ours('operator')?.stop();
      } finally {
        redirector(0).signal('SIGCONT');
      }
      expect(validations(platform, hostname)).toBe(0);
      await platform.restart('operator');
      await domainIs(who, hostname, 'Live');
      await isIssuedAtOnce(hostname);
    },
    platformDeadlineMs,
  );
});
