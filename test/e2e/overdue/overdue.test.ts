import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import type { Platform } from '../../../dev/platform/platform.ts';
import type { Stage } from '../../../dev/story/stage.ts';
import { inState } from '../../../dev/story/stage.ts';
import { runOperator } from '../../../src/operator/run-operator.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { readOperatorConfig } from '../../../src/operator/config.ts';
import { silentLog } from '../../../src/lib/log.ts';
import type { Certificate } from '../../../src/resources/cert-manager-types.ts';
import { childName } from '../../../src/rules/dns-target.ts';
import { fromNow } from '../../support/from-now.ts';
import { platformDeadlineMs, testPlatform, testStage } from '../../support/platform.ts';

/**
 * A certificate that does not come within half an hour: the operator runs in here, with a clock that is moved on by the
 * test, against the real cert-manager and Pebble.
 */

let platform: Platform;
let stage: Stage;
let aheadMs = 0;
const ended = new AbortController();
let running: Promise<number>;

const minute = 60_000;
const api = 'projectdomain.io/v1alpha1';

beforeAll(async () => {
  platform = await testPlatform(true);
  stage = testStage(platform, 60_000);
  await platform.ours('operator')?.stop();
  const config = readOperatorConfig(join(platform.controlPlane.kubeconfig, '../operator.json'));
  const clock = { ...systemClock, now: () => fromNow(aheadMs) };
  running = runOperator({ config, clock, log: silentLog }, ended.signal);
  await stage.account('acme', 'pro');
  const tenant = await stage.tenant('acme', 'shop-web');
  await tenant.becomeReady();
}, platformDeadlineMs);

afterAll(async () => {
  ended.abort();
  await running;
  await stage.close();
  await platform.stop();
}, platformDeadlineMs);

async function publish(project: string, hostname: string, zone: string): Promise<void> {
  await stage.kubectl.apply(
    {
      apiVersion: api,
      kind: 'Project',
      metadata: { name: project, namespace: 'acme' },
      spec: { service: { name: 'shop-web', port: 8080 } },
    },
    {
      apiVersion: api,
      kind: 'ProjectDomain',
      metadata: { name: hostname, namespace: 'acme' },
      spec: { project, hostname },
    },
  );
  const { status } = await stage.domainWhere('acme', hostname, 'shows its record', (seen) =>
    seen.status?.records?.length ? null : 'no record',
  );
  await stage.putZone(zone, `www CNAME ${status?.records?.[0]?.value}.`);
  await verify(hostname);
}

const verify = (hostname: string) =>
  stage.kubectl.run([
    'annotate',
    '--overwrite',
    'projectdomain',
    hostname,
    '-n',
    'acme',
    `projectdomain.io/verify-requested-at=${new Date(fromNow(aheadMs)).toISOString()}`,
  ]);

interface Claim {
  readonly spec: { readonly orders?: readonly { readonly request: string; readonly outcome: string }[] };
}

const orders = async (hostname: string) =>
  (await stage.kubectl.get<Claim>('hostnameclaim', hostname))?.spec.orders ?? [];

const ordersAre = (hostname: string, count: number) =>
  eventually(`${count} orders of ${hostname}`, 60_000, async () => {
    const placed = await orders(hostname);
    expectThat(placed.length === count, JSON.stringify(placed));
    return placed;
  });

const waitsFor = (hostname: string, reason: string) =>
  stage.domainWhere('acme', hostname, `waits for ${reason}`, inState('Verified', reason));

/** Only our clock leaps; a failure and the next attempt must not fall into one second of cert-manager's. */
const clockOfCertManagerMovesOn = (hostname: string) =>
  eventually('the failure is of another second', 30_000, async () => {
    const certificate = await stage.kubectl.get<Certificate>('certificate', childName(hostname), 'acme');
    const failedAt = certificate?.status?.lastFailureTime ?? 'never';
    expectThat(Date.parse(failedAt) < fromNow(-2_000), `it failed at ${failedAt}`);
  });

describe('an overdue certificate', () => {
  it(
    'that hangs is attempted afresh by Verify: the request is taken away, and another is made and ordered',
    async () => {
      const hostname = 'www.hanging.example';
      await platform.parts.solver.stop();
      await publish('hanging', hostname, 'hanging.example');
      await waitsFor(hostname, 'Issuing');
      const [first] = await ordersAre(hostname, 1);
      await verify(hostname);
      await waitsFor(hostname, 'Issuing');
      expect(await orders(hostname)).toHaveLength(1);

      aheadMs += 31 * minute;
      await verify(hostname);
      const placed = await ordersAre(hostname, 2);
      expect(placed[1]?.request).not.toBe(first?.request);
      const requests = await stage.kubectl.run([
        'get',
        'certificaterequests',
        '-n',
        'acme',
        '-o',
        'jsonpath={.items[*].metadata.uid}',
      ]);
      expect(requests).not.toContain(first?.request);
    },
    platformDeadlineMs,
  );

  it(
    'that failed is attempted afresh by Verify, once in half an hour: cert-manager is told to issue now',
    async () => {
      const hostname = 'www.refused.example';
      await publish('refused', hostname, 'refused.example');
      await waitsFor(hostname, 'IssuanceFailed');
      await ordersAre(hostname, 1);
      await clockOfCertManagerMovesOn(hostname);
      aheadMs += 31 * minute;
      await verify(hostname);
      const placed = await ordersAre(hostname, 2);
      expect(placed[0]?.outcome).toBe('Failed');
      aheadMs += minute;
      await verify(hostname);
      await waitsFor(hostname, 'IssuanceFailed');
      expect(await orders(hostname)).toHaveLength(2);

      await clockOfCertManagerMovesOn(hostname);
      aheadMs += 31 * minute;
      await verify(hostname);
      await ordersAre(hostname, 3);
    },
    platformDeadlineMs,
  );
});
