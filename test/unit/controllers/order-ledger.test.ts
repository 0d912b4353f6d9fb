import { describe, expect, it } from '@jest/globals';
import type { Cluster, Kind, KubernetesObject } from '../../../src/kubernetes/kubernetes-port.ts';
import { createOperatorStores } from '../../../src/operator/operator-stores.ts';
import { watchedKinds } from '../../../src/controllers/watched-kinds.ts';
import type { OperatorStores } from '../../../src/operator/operator-stores.ts';
import { applyActions } from '../../../src/controllers/apply-actions.ts';
import { decideOrderLedger } from '../../../src/controllers/order-ledger/decide-order-ledger.ts';
import { gatherOrderLedger } from '../../../src/controllers/order-ledger/order-ledger-snapshot.ts';
import { decideProjectDomain } from '../../../src/controllers/project-domain/decide-project-domain.ts';
import { assessProjectDomain } from '../../../src/controllers/project-domain/project-domain-reconciler.ts';
import { gatherProjectDomain } from '../../../src/controllers/project-domain/gather-project-domain.ts';
import { triggersOf } from '../../../src/controllers/triggers.ts';
import { childName } from '../../../src/rules/dns-target.ts';
import type { OrderEntry } from '../../../src/rules/order-ledger/hostname-orders.ts';
import { timestamp } from '../../../src/rules/conditions.ts';
import { claimWith } from '../../../src/issuing/order-history.ts';
import { HostnameClaimKind } from '../../../src/resources/kinds.ts';
import type { ControllerSettings } from '../../../src/controllers/controller-settings.ts';
import { signingRequest } from '../../support/signing-request.ts';
import {
  account,
  claim,
  domain,
  verdict,
  limits,
  now,
  project,
  request,
  settings,
  routes,
  recentChecks,
} from '../../support/snapshot.ts';

/** The operator's own caches and decisions around one issuer, with a cluster that shows every write at once. */

const second = 1_000;
const availability = () => ({ away: null, answersSince: 0 });

function createWorld(given: ControllerSettings) {
  const stores: OperatorStores = createOperatorStores(routes, (error) => {
    throw error;
  });
  const byPlural = new Map<
    string,
    { put(object: KubernetesObject): void; get(key: object): KubernetesObject | undefined }
  >(
    Object.entries(watchedKinds).map(([name, { kind }]) => [
      kind.plural,
      stores[name as keyof OperatorStores] as never,
    ]),
  );
  let version = 100;
  const put = (kind: Kind, object: KubernetesObject) => {
    version += 1;
    const store = byPlural.get(kind.plural);
    const { namespace = '', name } = object.metadata;
    const before = store?.get({ namespace, name });
    const uid = before?.metadata.uid ?? object.metadata.uid ?? `u-${name}`;
    store?.put({
      ...before,
      ...object,
      metadata: { ...before?.metadata, ...object.metadata, uid, resourceVersion: String(version) },
    });
    return Promise.resolve(object as never);
  };
  const cluster = { create: put, replace: put, apply: put, applyStatus: put } as unknown as Cluster;
  let time = now;
  const applyDependencies = { cluster, now: () => time, recordEvent: () => undefined };
  return {
    stores,
    put,
    pass: (ms: number) => (time += ms),
    visit: (name: string) => {
      const subject = stores.domains.get({ namespace: 'acme', name });
      if (!subject) throw new Error(`no domain ${name}`);
      const seen = {
        ...assessProjectDomain(gatherProjectDomain({ caches: stores, settings: given, recentChecks }, subject, time)),
        verdict: verdict(),
        probe: null,
      };
      return applyActions(applyDependencies, decideProjectDomain(seen));
    },
    share: async () =>
      applyActions(
        applyDependencies,
        decideOrderLedger(await gatherOrderLedger({ caches: stores, settings: given, availability }, time)),
      ),
    /** The authority's answer to the order of a name, as its claim records it. */
    answer: (name: string, entry: Partial<OrderEntry>) => {
      const claimed = stores.claims.get({ namespace: '', name });
      const orders = (claimed?.spec.orders ?? []).map((order) => ({ ...order, ...entry }));
      if (claimed) void put(HostnameClaimKind, claimWith(claimed, orders));
    },
    approved: () =>
      stores.certificateRequests
        .list()
        .filter(({ status }) => status?.conditions?.some(({ type }) => type === 'Approved')).length,
    orders: () => stores.orderLedgers.get({ namespace: '', name: 'ca' })?.spec.orders ?? [],
  };
}

type Setup = ReturnType<typeof createWorld>;

/** A held name of the account with its Certificate and an open request. */
function addName(dependencies: Setup, index: number): string {
  const hostname = `www.shop${index}.example`;
  const child = childName(hostname);
  const owner = (kind: string, name: string, uid: string) => ({ apiVersion: 'x', kind, name, uid, controller: true });
  const own = domain({
    spec: {
      hostname,
      role: index === 0 ? 'Primary' : 'Redirect',
      ...(index === 0 ? {} : { redirect: { to: 'shop.apps.example.net' } }),
    },
  });
  dependencies.stores.domains.put({
    ...own,
    metadata: { ...own.metadata, name: hostname, uid: `u-${index}`, resourceVersion: '1' },
  });
  const held = claim({ holder: { namespace: 'acme', name: hostname } });
  dependencies.stores.claims.put({ ...held, metadata: { ...held.metadata, name: hostname } });
  dependencies.stores.certificates.put({
    apiVersion: 'cert-manager.io/v1',
    kind: 'Certificate',
    metadata: {
      name: child,
      namespace: 'acme',
      uid: `u-cert-${index}`,
      resourceVersion: '1',
      ownerReferences: [owner('ProjectDomain', hostname, `u-${index}`)],
    },
    spec: { secretName: child },
  });
  const open = request(`r${index}`);
  dependencies.stores.certificateRequests.put({
    ...open,
    metadata: {
      ...open.metadata,
      annotations: { 'cert-manager.io/certificate-name': child },
      ownerReferences: [owner('Certificate', child, `u-cert-${index}`)],
    },
    spec: { ...open.spec, request: signingRequest({ names: `DNS:${hostname}` }) },
  });
  return hostname;
}

function begin(count: number, orders = 300): { readonly dependencies: Setup; readonly names: readonly string[] } {
  const dependencies = createWorld({
    ...settings,
    orderLimits: { ...settings.orderLimits, orders: { count: orders, seconds: 600 } },
  });
  dependencies.stores.plans.put({
    apiVersion: 'x',
    kind: 'Plan',
    metadata: { name: 'pro', resourceVersion: '1' },
    spec: limits,
  });
  dependencies.stores.accounts.put({ ...account, metadata: { ...account.metadata, resourceVersion: '1' } });
  dependencies.stores.projects.put({ ...project, metadata: { ...project.metadata, resourceVersion: '1' } });
  const holder = { namespace: 'acme', name: project.metadata.name };
  dependencies.stores.claims.put({
    ...claim({ holder, proof: { method: 'Platform', at: timestamp(now) } }),
    metadata: { name: 'shop.apps.example.net', resourceVersion: '1' },
  });
  dependencies.stores.namespaces.put({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'acme', resourceVersion: '1', labels: { 'projectdomain.io/account': 'acme' } },
  });
  return { dependencies, names: Array.from({ length: count }, (_, index) => addName(dependencies, index)) };
}

async function round({ dependencies, names }: ReturnType<typeof begin>): Promise<void> {
  for (const name of names) await dependencies.visit(name);
  await dependencies.share();
  for (const name of names) await dependencies.visit(name);
}

describe('the way of an order', () => {
  it('asks, is granted in the ledger, is written on the claim and only then approved', async () => {
    const { dependencies, names } = begin(1);
    const [name = ''] = names;
    await dependencies.visit(name);
    expect([dependencies.approved(), dependencies.stores.domains.byIndex('waitsForOrder', '').length]).toEqual([0, 1]);
    await dependencies.share();
    expect([dependencies.approved(), dependencies.orders().map(({ state }) => state)]).toEqual([0, ['Granted']]);
    await dependencies.visit(name);
    expect(dependencies.approved()).toBe(1);
    expect(dependencies.stores.claims.get({ namespace: '', name })?.spec.orders).toMatchObject([
      { request: 'u-r0', outcome: 'Pending' },
    ]);
    await dependencies.share();
    expect(dependencies.orders().map(({ state }) => state)).toEqual(['Pending']);
  });

  it('a request that begins to wait wakes the ledger, and a grant wakes its holder', async () => {
    const { dependencies, names } = begin(1);
    const [name = ''] = names;
    const triggers = triggersOf(dependencies.stores, settings);
    const woken: string[] = [];
    dependencies.stores.domains.subscribe((change) => woken.push(...(triggers.domains(change).orderLedger ?? [])));
    dependencies.stores.orderLedgers.subscribe((change) =>
      woken.push(...(triggers.orderLedgers(change).ahead?.projectDomain ?? [])),
    );
    await dependencies.visit(name);
    await dependencies.share();
    expect(woken).toEqual(['issuer', `acme/${name}`]);
  });

  it('a grant that nobody uses is given back after three minutes, and asked for again', async () => {
    const { dependencies, names } = begin(1);
    await dependencies.visit(names[0] ?? '');
    await dependencies.share();
    dependencies.pass(100 * second);
    await dependencies.visit(names[0] ?? '');
    expect(dependencies.approved()).toBe(0);
    dependencies.pass(100 * second);
    await dependencies.share();
    expect(dependencies.orders()).toHaveLength(1);
    await dependencies.visit(names[0] ?? '');
    expect(dependencies.approved()).toBe(1);
  });
});

it('after a pause that the authority asked for one order is placed, and the others once it was issued', async () => {
  const scene = begin(4);
  const [first = '', ...others] = scene.names;
  const { dependencies } = scene;
  await round({ dependencies, names: [first] });
  dependencies.answer(first, { outcome: 'Failed', scope: 'Issuer', waitsUntil: timestamp(now + 60 * second) });
  const waiting = { dependencies, names: others };
  await round(waiting);
  expect(dependencies.approved()).toBe(1);
  dependencies.pass(60 * second);
  await round(waiting);
  await round(waiting);
  expect(dependencies.approved()).toBe(2);
  const probe = dependencies.orders().find(({ state }) => state === 'Granted' || state === 'Pending');
  dependencies.answer(probe?.hostname ?? '', { outcome: 'Issued' });
  await round(waiting);
  expect(dependencies.approved()).toBe(4);
});

describe('twelve names and five orders in ten minutes', () => {
  it('never have more than five in any ten minutes, say what they wait for, and all come', async () => {
    const scene = begin(12, 5);
    const { dependencies } = scene;
    const seen: { readonly at: number; readonly count: number }[] = [];
    for (let minutes = 0; minutes <= 90; minutes += 5) {
      await round(scene);
      seen.push({ at: minutes, count: dependencies.approved() });
      if (minutes === 0) {
        const waits = dependencies.stores.domains.list().flatMap(({ status }) => status?.certificate?.waitsFor ?? []);
        expect(new Set(waits)).toEqual(new Set(['LedgerIssuerFull']));
        expect(dependencies.stores.domains.list().filter(({ status }) => status?.certificate?.waitsUntil)).toHaveLength(
          10,
        );
      }
      dependencies.pass(300 * second);
    }
    const within = seen.map(({ at, count }) => count - (seen.find((before) => before.at === at - 10)?.count ?? 0));
    expect(Math.max(...within)).toBeLessThanOrEqual(5);
    expect(dependencies.approved()).toBe(12);
  });

  it('are remembered by the claims when the ledger is deleted', async () => {
    const scene = begin(12, 5);
    await round(scene);
    const before = scene.dependencies.approved();
    const lost = scene.dependencies.stores.orderLedgers.get({ namespace: '', name: 'ca' });
    if (lost) scene.dependencies.stores.orderLedgers.drop(lost);
    await round(scene);
    expect(before).toBe(2);
    expect(scene.dependencies.approved()).toBe(before);
  });
});
