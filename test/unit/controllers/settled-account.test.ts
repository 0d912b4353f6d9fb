import { expect, it } from '@jest/globals';
import type { Account } from '../../../src/generated/account.ts';
import type { ControllerNeeds } from '../../../src/controllers/controllers.ts';
import { reconcileAccount } from '../../../src/controllers/account/account-reconciler.ts';
import type { ObservedQuota } from '../../../src/controllers/account/account-snapshot.ts';
import { resourceQuota } from '../../../src/controllers/account/account-resource-quota.ts';
import type { Intent, KubernetesObject } from '../../../src/kubernetes/kubernetes-port.ts';
import { hours } from '../../../src/rules/check-schedule.ts';
import { no, yes } from '../../../src/rules/conditions.ts';
import { defaultPlans } from '../../support/plans.ts';

/** One account before a cluster that counts what it is asked, with the status that its reconciles wrote. */

const start = Date.parse('2026-01-01T12:34:56Z');
const plan = defaultPlans.pro;

const metadata = { name: 'acme', uid: '80000000-acme', generation: 1, creationTimestamp: '2025-01-01T00:00:00Z' };
const created: Account = {
  apiVersion: 'projectdomain.io/v1alpha1',
  kind: 'Account',
  metadata,
  spec: { plan: 'pro', id: 'drawn' },
};

interface Setup {
  account: Account;
  namespace: KubernetesObject;
  limits: typeof plan;
  isGuarded: boolean;
}

function createSetup() {
  const setup: Setup = {
    account: created,
    namespace: {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { ...metadata, labels: { 'projectdomain.io/account': 'acme' } },
    },
    limits: plan,
    isGuarded: true,
  };
  const asked: string[] = [];
  const quotaNow = (): ObservedQuota => {
    const quota = resourceQuota(
      { namespace: setup.namespace.metadata.name, owner: setup.account },
      setup.limits!.maximum,
    );
    const { hard } = quota.spec;
    return { ...quota, status: { hard, used: hard } };
  };
  const cluster = {
    get: ({ kind }: { readonly kind: string }) => (asked.push(`get ${kind}`), Promise.resolve(quotaNow())),
    create: ({ kind }: { readonly kind: string }) => (
      asked.push(`create ${kind}`),
      Promise.resolve({ status: { allowed: true } })
    ),
    apply: (_: unknown, intent: Intent) => Promise.resolve(intent),
    applyStatus: (_: unknown, { status }: { readonly status: Account['status'] }) => {
      setup.account = { ...setup.account, ...(status ? { status } : {}) };
      return Promise.resolve(setup.account);
    },
  };
  const caches = {
    accounts: { get: () => setup.account },
    plans: { get: () => ({ spec: setup.limits }) },
    namespaces: {
      keysByIndex: () => [{ namespace: '', name: setup.namespace.metadata.name }],
      get: () => setup.namespace,
    },
  };
  /** What a reconcile asks of the kube-apiserver, by a process that has led since a time. */
  const reconcile = async (now: number, since: number) => {
    asked.length = 0;
    const dependencies = {
      cluster,
      caches,
      recentChecks: { since },
      now: () => now,
      areQuotasCounted: () => Promise.resolve(true),
      gatewayGuard: () => Promise.resolve(null),
      edgeControllers: () => Promise.resolve({}),
      issuerGuard: () =>
        Promise.resolve(setup.isGuarded ? yes('IssuerGuarded', 'guarded') : no('ApprovedElsewhere', 'not guarded')),
      recordEvent: () => undefined,
    };
    const { requeueAfterMs } = await reconcileAccount(dependencies as unknown as ControllerNeeds, 'acme');
    return { asked: [...asked], requeueAfterMs };
  };
  return { setup, reconcile };
}

const live = ['get ResourceQuota', 'create SelfSubjectAccessReview', 'create SelfSubjectAccessReview'];

it.each<[sentence: string, change: (setup: Setup) => void, asked: readonly string[]]>([
  ['asks for nothing where all was well', () => undefined, []],
  [
    'reads where the namespace is another one',
    (setup) => (setup.namespace = { ...setup.namespace, metadata: { ...setup.namespace.metadata, name: 'other' } }),
    live,
  ],
  [
    'reads where the namespace was made anew under its name, without quota and rights',
    (setup) =>
      (setup.namespace = {
        ...setup.namespace,
        metadata: { ...setup.namespace.metadata, creationTimestamp: '2026-01-01T12:35:30Z' },
      }),
    live,
  ],
  [
    'reads where the plan allows another number of domains',
    (setup) => (setup.limits = { ...setup.limits!, maximum: { ...setup.limits!.maximum, domains: 7 } }),
    live,
  ],
  [
    'reads where the account was edited',
    (setup) => (setup.account = { ...setup.account, metadata: { ...metadata, generation: 2 } }),
    live,
  ],
  ['reads where cert-manager is set up wrongly', (setup) => (setup.isGuarded = false), live],
  [
    'reads where a right was missing',
    (setup) =>
      (setup.account = {
        ...setup.account,
        status: {
          conditions: (setup.account.status?.conditions ?? []).map((condition) =>
            condition.type === 'NamespaceReady' ? { ...condition, status: 'False' } : condition,
          ),
        },
      }),
    live,
  ],
])('a new leader %s', async (_, change, asked) => {
  const { setup, reconcile } = createSetup();
  await reconcile(start, 0);
  change(setup);
  const again = await reconcile(start + 60_000, start + 50_000);
  expect(again.asked.toSorted()).toEqual(asked.toSorted());
});

it('reads within the hour all the same: would fail if what others took away while nobody led were never found', async () => {
  const { reconcile } = createSetup();
  await reconcile(start, 0);
  const { requeueAfterMs = Number.NaN } = await reconcile(start + 60_000, start + 50_000);
  expect(requeueAfterMs).toBeLessThanOrEqual(hours);
  const next = await reconcile(start + 60_000 + requeueAfterMs, start + 50_000);
  expect(next.asked.toSorted()).toEqual(live.toSorted());
});
