/**
 * Very many objects whose visits have nothing to ask and nothing to write: each is short, and together they would run
 * without a turn of the event loop, so that no lease is renewed and no question is answered. Controllers let the event
 * loop turn after every few milliseconds of them.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Cluster, KubernetesObject } from '../../../src/kubernetes/kubernetes-port.ts';
import { runControllers, workersOf } from '../../../src/operator/work-queues.ts';
import { createAcmeClients } from '../../../src/acme/acme-clients.ts';
import { createAuthorityHealth } from '../../../src/controllers/acme-issuer/authority-health.ts';
import { createRegisteredAccounts } from '../../../src/controllers/acme-issuer/registered-accounts.ts';
import { createOrderAttempts, createRevocationAttempts } from '../../../src/controllers/acme-order/order-attempts.ts';
import { createRedirectorRollout } from '../../../src/controllers/redirector-endpoints/redirector-rollout.ts';
import { createRecentChecks } from '../../../src/controllers/project-domain/recent-checks.ts';
import { createTargetAddresses } from '../../../src/controllers/needs.ts';
import { createForeignLooks } from '../../../src/controllers/project/foreign-looks.ts';
import type { ControllerNeeds } from '../../../src/controllers/controllers.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { createReconcileWrites } from '../../../src/controller-runtime/reconcile-writes.ts';
import { createTimeSlices } from '../../../src/lib/time-slices.ts';
import { noTracer } from '../../../src/lib/tracer.ts';
import { silentLog } from '../../../src/lib/log.ts';
import type { Crowd } from '../../support/crowd.ts';
import { createCrowd } from '../../support/crowd.ts';
import { mostPerTurn, tickingClock } from '../../support/most-per-turn.ts';
import { operatorConfig } from '../../support/process-configs.ts';
import { settings } from '../../support/snapshot.ts';
import { turnsOfLoop } from '../../support/turns-of-loop.ts';

const size = { accounts: 1_000, domainsEach: 8 };
const domains = size.accounts * size.domainsEach;
/** Visits between two turns of the event loop, of which a slice has a hundred here. Without slices it would be all of them: more than 10,000. */
const inOneGo = 200;

const stop = new AbortController();
const visits = new Map<string, number>();
const failed: string[] = [];
let crowd: Crowd;

/** An API server that answers before the event loop turns, and agrees to everything. */
const cluster = {
  get: () => Promise.resolve(undefined),
  list: () => Promise.resolve([]),
  create: (_: unknown, object: KubernetesObject) => Promise.resolve({ ...object, status: { allowed: true } }),
  replace: (_: unknown, object: KubernetesObject) => Promise.resolve(object),
  replaceStatus: (_: unknown, object: KubernetesObject) => Promise.resolve(object),
  apply: (_: unknown, object: KubernetesObject) => Promise.resolve(object),
  applyStatus: (_: unknown, object: KubernetesObject) => Promise.resolve(object),
  remove: () => Promise.resolve(true),
} as unknown as Cluster;

beforeAll(() => {
  crowd = createCrowd(size);
});

afterAll(() => {
  crowd.close();
  stop.abort();
});

const dependenciesOf = ({ stores }: Crowd): ControllerNeeds => ({
  settings,
  caches: stores,
  cluster,
  dns: { check: () => Promise.reject(new Error('no look at DNS is due')) },
  probe: { ask: () => Promise.reject(new Error('no probe is due')) },
  tokenProbe: { ask: () => Promise.reject(new Error('no token is asked for')) },
  challengeProbe: () => Promise.reject(new Error('no challenge is asked for')),
  challengeZone: null,
  acmeClients: createAcmeClients(systemClock.now),
  accounts: createRegisteredAccounts(),
  accountLooks: new Map(),
  authorityHealth: createAuthorityHealth(systemClock.now),
  orderAttempts: createOrderAttempts(),
  revocationAttempts: createRevocationAttempts(),
  observeRevocation: () => undefined,
  targets: createTargetAddresses(systemClock.now, []),
  tracer: noTracer,
  recentChecks: createRecentChecks(),
  foreignLooks: createForeignLooks(),
  observeRecordFound: () => undefined,
  rollout: createRedirectorRollout(cluster, settings.redirector),
  issuerGuard: () => Promise.resolve(null),
  gatewayGuard: () => Promise.resolve(null),
  edgeControllers: () => Promise.resolve({}),
  areQuotasCounted: () => Promise.resolve(true),
  certManagerUnavailable: () => false,
  recordEvent: () => undefined,
  now: systemClock.now,
});

describe('a new leader with 8,000 domains that wait for nothing', () => {
  it('visits every one of them, and every account and redirect, without holding the event loop', async () => {
    crowd.connect();
    const slices = createTimeSlices(tickingClock());
    const wanted = { projectDomain: domains, account: size.accounts, redirectorEndpoints: size.accounts };
    const all = () => [...visits.values()].reduce((sum, count) => sum + count, 0);
    const most = await mostPerTurn(all, async () => {
      const observe = ({ name, failed: hasFailed }: { name: string; failed: boolean }) => {
        visits.set(name, (visits.get(name) ?? 0) + 1);
        if (hasFailed) failed.push(name);
      };
      const parts = {
        dependencies: dependenciesOf(crowd),
        queues: crowd.queues,
        workers: workersOf(operatorConfig),
        slices,
        log: silentLog,
        writes: createReconcileWrites(),
        clock: systemClock,
        tracer: noTracer,
        observe,
      };
      void runControllers(parts, stop.signal);
      while (Object.entries(wanted).some(([name, count]) => (visits.get(name) ?? 0) < count)) await turnsOfLoop(1);
    });
    expect(failed.filter((name) => name !== 'plan')).toEqual([]);
    expect(most).toBeLessThanOrEqual(inOneGo);
  }, 300_000);
});
