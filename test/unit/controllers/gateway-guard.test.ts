import { describe, expect, it } from '@jest/globals';
import type { ClassGateway } from '../../../src/controllers/controller-settings.ts';
import { createGatewayControllers, createGatewayGuard } from '../../../src/controllers/gateway-guard.ts';
import { decideProjectDomain } from '../../../src/controllers/project-domain/decide-project-domain.ts';
import type { Cluster } from '../../../src/kubernetes/kubernetes-port.ts';
import { decideProject } from '../../../src/controllers/project/decide-project.ts';
import type { ProjectSnapshot } from '../../../src/controllers/project/project-snapshot.ts';
import { gatherProject } from '../../../src/controllers/project/project-snapshot.ts';
import type { Actions } from '../../../src/controller-runtime/actions.ts';
import { createOperatorStores } from '../../../src/operator/operator-stores.ts';
import type { Condition } from '../../../src/rules/conditions.ts';
import { findCondition } from '../../../src/rules/conditions.ts';
import {
  account,
  certificateIn,
  claim,
  heldBy,
  now,
  project,
  route,
  routes,
  settings,
  snapshot,
  verdict,
} from '../../support/snapshot.ts';

/** While others can attach hostnames to the Gateway, no new one is served, and none is taken away. */

const openClasses = ['default'];
const held = { ...heldBy, verdict: verdict() };

const conditionOf = (writes: Actions['writes'], type: string) => {
  const { object } = writes.at(-1) as unknown as {
    readonly object: { readonly status: { readonly conditions: readonly Condition[] } };
  };
  return findCondition(object.status.conditions, type);
};

describe('a hostname that is held', () => {
  it.each<[string, Parameters<typeof snapshot>[0], writes: boolean]>([
    ['is served by a Gateway that is guarded', { openClasses: [], certificate: certificateIn(true) }, true],
    ['is not served by one that others can attach to', { openClasses, certificate: certificateIn(true) }, false],
    ['is not ordered a certificate for by then either', { openClasses }, false],
    [
      'stays served by one that was guarded when it was new',
      { openClasses, certificate: certificateIn(true), route },
      true,
    ],
    ['has nothing to do with it where an ingress controller serves', {}, true],
    [
      'has nothing to do with the Gateway of a class that does not serve it',
      { openClasses: ['gold'], certificate: certificateIn(true) },
      true,
    ],
  ])('%s', (_, changes, writes) => {
    const actions = decideProjectDomain(snapshot({ ...held, ...changes }));
    const children = actions.writes.filter(({ kind }) => ['Ingress', 'Certificate'].includes(kind.kind));
    expect(children.some(({ verb }) => verb === 'apply')).toBe(writes);
    expect(children.some(({ verb }) => verb === 'remove')).toBe(false);
  });

  it('says what it waits for, and is looked at again within a minute', () => {
    const seen = snapshot({ ...held, openClasses });
    const { writes, requeueAt } = decideProjectDomain(seen);
    expect(conditionOf(writes, 'Routed')).toMatchObject({
      status: 'Unknown',
      reason: 'HeldBack',
      message: expect.stringMatching(/Gateway/),
    });
    expect((requeueAt ?? Infinity) - seen.now).toBeLessThanOrEqual(60_000);
  });
});

describe('the platform hostname of a project', () => {
  const stores = createOperatorStores(routes, (error) => {
    throw error;
  });
  stores.accounts.put({ ...account, metadata: { ...account.metadata, resourceVersion: '1' } });
  stores.namespaces.put({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'acme', resourceVersion: '1', labels: { 'projectdomain.io/account': 'acme' } },
  });
  const platformClaim = claim({ holder: { namespace: 'acme', name: 'shop' }, proof: { method: 'Platform', at: '' } });
  const gathered = { ...gatherProject(stores, settings, project, now), claim: platformClaim };

  it.each<[string, Partial<ProjectSnapshot>, writes: readonly string[]]>([
    ['is served by a Gateway that is guarded', { openClasses: [] }, ['apply Ingress', 'apply Certificate']],
    ['is neither served by one that others can attach to, nor ordered a certificate for', { openClasses }, []],
    [
      'stays served by one that was guarded when it was new',
      { openClasses, route },
      ['apply Ingress', 'apply Certificate'],
    ],
    ['has nothing to do with it where an ingress controller serves', {}, ['apply Ingress', 'apply Certificate']],
  ])('%s', (_, changes, expected) => {
    const { writes } = decideProject({ ...gathered, ...changes });
    const children = writes.filter(({ kind }) => ['Ingress', 'Certificate'].includes(kind.kind));
    expect(children.map(({ verb, kind }) => `${verb} ${kind.kind}`)).toEqual(expected);
  });

  it('is claimed meanwhile, says why it is not served, and is looked at again within a minute', () => {
    const seen = { ...gathered, openClasses };
    const { writes, requeueAt } = decideProject(seen);
    expect(conditionOf(writes, 'Routed')).toMatchObject({ status: 'Unknown', reason: 'HeldBack' });
    expect(conditionOf(writes, 'Ready')).toMatchObject({ status: 'False', reason: 'HeldBack' });
    expect((requeueAt ?? Infinity) - now).toBeLessThanOrEqual(60_000);
    const first = decideProject({ ...seen, claim: undefined }).writes.map(({ verb, kind }) => `${verb} ${kind.kind}`);
    expect(first).toContain('create HostnameClaim');
  });

  it('waits for nothing but its deployment while it has none', () => {
    const { deployedAt: _, ...status } = project.status ?? {};
    const { writes } = decideProject({ ...gathered, project: { ...project, status }, openClasses });
    expect(conditionOf(writes, 'Routed')).toMatchObject({ reason: 'NotAnswering' });
  });
});

describe('the look at the Gateway', () => {
  const customers: ClassGateway = { class: 'default', namespace: 'edge', name: 'customers', listeners: 'ListenerSet' };

  function guard(answers: readonly (() => Promise<unknown>)[], gateways: readonly ClassGateway[] = [customers]) {
    let now = 0;
    let asked = 0;
    const get = () => ((asked += 1), (answers[asked - 1] ?? (() => Promise.resolve(undefined)))());
    const look = createGatewayGuard({ get } as unknown as Cluster, { ...settings, gateways }, () => now);
    return { look, asked: () => asked, wait: (ms: number) => (now += ms) };
  }

  it('is shared for ten seconds by all hostnames', async () => {
    const { look, asked, wait } = guard([]);
    await Promise.all([look(), look()]);
    wait(9_999);
    expect((await look())?.finding.reason).toBe('GatewayNotFound');
    expect(asked()).toBe(1);
    wait(1);
    await look();
    expect(asked()).toBe(2);
  });

  it('is taken again at once where it failed', async () => {
    const { look, asked } = guard([() => Promise.reject(new Error('away'))]);
    await expect(look()).rejects.toThrow('away');
    expect((await look())?.finding.reason).toBe('GatewayNotFound');
    expect(asked()).toBe(2);
  });

  it.each<[string, listeners: ClassGateway['listeners'], count: number, full: readonly string[]]>([
    ['tells which has no place for another hostname', 'Gateway', 64, ['Gateway edge/customers']],
    ['tells of none that has', 'Gateway', 63, []],
    ['tells of none whose hostnames have ListenerSets', 'ListenerSet', 64, []],
  ])('%s', async (_, listeners, count, full) => {
    const one = { spec: { listeners: Array.from({ length: count }, (__, index) => ({ name: `listener-${index}` })) } };
    const { look } = guard([() => Promise.resolve(one)], [{ ...customers, listeners }]);
    expect((await look())?.fullEdges).toEqual(full);
  });

  it('is at each of them, and tells of one that is wrong', async () => {
    const accounts = [{ key: 'projectdomain.io/account', operator: 'Exists' }];
    const allowedListeners = { namespaces: { from: 'Selector', selector: { matchExpressions: accounts } } };
    const guarded = () => Promise.resolve({ spec: { allowedListeners, listeners: [] } });
    const second: ClassGateway = { ...customers, class: 'second', name: 'second' };
    const [both, one] = [guard([guarded, guarded], [customers, second]), guard([guarded], [customers, second])];
    expect(await both.look()).toMatchObject({ finding: { reason: 'GatewayGuarded' }, openClasses: [] });
    expect(await one.look()).toMatchObject({
      finding: { reason: 'GatewayNotFound', message: expect.stringMatching('edge/second') },
      openClasses: ['second'],
    });
  });
});

describe('whose the Gateways are', () => {
  const customers = { namespace: 'edge', name: 'customers' };
  const existing: Readonly<Record<string, object>> = {
    'Gateway customers': { spec: { gatewayClassName: 'envoy' } },
    'Gateway second': { spec: { gatewayClassName: 'other' } },
    'GatewayClass envoy': { spec: { controllerName: 'edge.test/controller' } },
  };

  it.each<[string, readonly string[], readonly (typeof customers)[], object]>([
    ['their classes say', Object.keys(existing), [customers], { 'Gateway edge/customers': 'edge.test/controller' }],
    [
      'is not known of one whose class does not exist',
      Object.keys(existing),
      [customers, { ...customers, name: 'second' }],
      { 'Gateway edge/customers': 'edge.test/controller' },
    ],
    ['is not known of one that does not exist', ['GatewayClass envoy'], [customers], {}],
    ['is not asked where ingress controllers serve', Object.keys(existing), [], {}],
  ])('%s', async (_, there, gateways, expected) => {
    const get = ({ kind }: { readonly kind: string }, { name }: { readonly name: string }) =>
      Promise.resolve(there.includes(`${kind} ${name}`) ? existing[`${kind} ${name}`] : undefined);
    const cluster = { get } as unknown as Cluster;
    await expect(createGatewayControllers(cluster, { gateways }, () => 0)()).resolves.toEqual(expected);
  });
});
