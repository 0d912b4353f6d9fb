import { beforeEach, describe, expect, it } from '@jest/globals';
import type { OperatorStores } from '../../../src/operator/operator-stores.ts';
import { createOperatorStores } from '../../../src/operator/operator-stores.ts';
import type { TriggerSettings } from '../../../src/controllers/triggers.ts';
import { sweepOfStart, routeTriggerOf, triggersOf } from '../../../src/controllers/triggers.ts';
import type { ReconcileKeys, ReconcileRequests } from '../../../src/controllers/reconcile-requests.ts';
import {
  account,
  certificateIn,
  claim,
  domain,
  ingress,
  platformClaim,
  project,
  routes,
} from '../../support/snapshot.ts';

const redirector = { namespace: 'system', name: 'projectdomain-redirector' };
const settings: TriggerSettings = {
  redirector,
  issuer: { kind: 'ClusterIssuer', name: 'ca' },
  routes,
  writtenGateways: [],
};

let stores: OperatorStores;
let triggers: ReturnType<typeof triggersOf>;

const named = (name: string, spec: object = {}) => {
  const subject = domain({ spec });
  return { ...subject, metadata: { ...subject.metadata, name, uid: name, resourceVersion: name } };
};
const www = named('www');
const old = named('old', { hostname: 'old.example.com', role: 'Redirect', redirect: { to: 'www.example.com' } });

beforeEach(() => {
  stores = createOperatorStores(routes, (error) => {
    throw error;
  });
  triggers = triggersOf(stores, settings);
  const labels = { 'projectdomain.io/account': 'acme' };
  stores.namespaces.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'acme', labels } });
  stores.accounts.put(account);
  stores.projects.put(project);
  [www, old].forEach(stores.domains.put);
});

/** What is woken at once, and the names of the sweeps. */
function woken({ sweeps = [], ahead = {}, ...keys }: ReconcileRequests) {
  const there = (lists: ReconcileKeys) =>
    Object.fromEntries(Object.entries<readonly string[]>({ ...lists }).filter(([, list]) => list.length > 0));
  const first = there(ahead);
  const isFirst = Object.keys(first).length > 0;
  return { ...there(keys), ...(isFirst ? { ahead: first } : {}), sweeps: sweeps.map(({ name }) => name) };
}

type Metadata = Partial<typeof www.metadata> & Record<string, unknown>;
const edited = <T extends { metadata: object }>(object: T, metadata: Metadata, rest: object = {}): T => ({
  ...object,
  ...rest,
  metadata: { ...object.metadata, ...metadata },
});
const changed = <T extends { metadata: object }>(object: T, metadata: Metadata, rest: object = {}) => ({
  type: 'modified' as const,
  object: edited(object, metadata, rest),
  previous: object,
});

describe('a change of a domain', () => {
  it.each<[sentence: string, wake: () => ReconcileRequests, keys: object]>([
    [
      'by an annotation (Verify) wakes that domain alone',
      () => triggers.domains(changed(www, { annotations: { x: '1' } })),
      { projectDomain: ['acme/www'], sweeps: [] },
    ],
    ['of its status that shows no other state wakes nobody', () => triggers.domains(changed(www, {})), { sweeps: [] }],
    [
      'of its state wakes the project that lists it',
      () => triggers.domains(changed(www, {}, { status: { state: 'Live' } })),
      { project: ['acme/shop'], sweeps: [] },
    ],
    [
      'of its status that publishes its token wakes what leads to the redirector there',
      () => triggers.domains(changed(www, {}, { status: { check: { token: { nonce: 'n', answer: 'a' } } } })),
      { redirectorEndpoints: ['acme'], sweeps: [] },
    ],
    [
      'of its status that publishes the token of a redirect wakes nobody, as it leads there already',
      () => triggers.domains(changed(old, {}, { status: { check: { token: { nonce: 'n', answer: 'a' } } } })),
      { sweeps: [] },
    ],
    [
      'of where it redirects to wakes it, its project and its route, and no sibling',
      () => triggers.domains(changed(old, { generation: 2 }, { spec: { ...old.spec, redirect: { to: 'x.test' } } })),
      { project: ['acme/shop'], projectDomain: ['acme/old'], redirectorEndpoints: ['acme'], sweeps: [] },
    ],
    [
      'of its role wakes its siblings and its rivals besides',
      () => triggers.domains(changed(old, { generation: 2 }, { spec: { ...old.spec, role: 'Primary' } })),
      {
        project: ['acme/shop'],
        projectDomain: ['acme/old'],
        redirectorEndpoints: ['acme'],
        sweeps: ['project acme/shop', 'hostname old.example.com'],
      },
    ],
    [
      'that deletes it wakes the same although somebody keeps the object',
      () =>
        triggers.domains(
          changed(
            { ...www, metadata: { ...www.metadata, generation: 1 } },
            { generation: 2, deletionTimestamp: 'now' },
          ),
        ),
      {
        project: ['acme/shop'],
        projectDomain: ['acme/www'],
        hostnameClaim: ['www.example.com'],
        sweeps: ['project acme/shop', 'hostname www.example.com'],
      },
    ],
    [
      'that ends it wakes its claim, its siblings and its rivals',
      () => triggers.domains({ type: 'deleted', object: www, previous: undefined }),
      {
        project: ['acme/shop'],
        projectDomain: ['acme/www'],
        hostnameClaim: ['www.example.com'],
        sweeps: ['project acme/shop', 'hostname www.example.com'],
      },
    ],
  ])('%s', (_, wake, keys) => {
    expect(woken(wake())).toEqual(keys);
  });
});

describe('Verify', () => {
  const asked = changed(www, { annotations: { 'projectdomain.io/verify-requested-at': '2026-01-01T12:00:00Z' } });
  const order = (outcome: 'Pending' | 'Issued') =>
    claim({ orders: [{ request: 'r', at: '2026-01-01T11:00:00Z', outcome }] });

  it.each<[string, ReturnType<typeof claim> | null, readonly string[] | undefined]>([
    ['of a hostname with an open order wakes that order', order('Pending'), ['www.example.com']],
    ['of a hostname whose order has ended wakes none', order('Issued'), undefined],
    ['of a hostname without a claim wakes none', null, undefined],
    [
      "of somebody else's hostname wakes none",
      claim({ ...order('Pending').spec, holder: { namespace: 'other', name: 'www' } }),
      undefined,
    ],
  ])('%s', (_, held, keys) => {
    if (held) stores.claims.put(held);
    const ofOurs = triggersOf(stores, { ...settings, issuer: { kind: 'AcmeIssuer', name: 'ca' } });
    expect(ofOurs.domains(asked).acmeOrder).toEqual(keys);
  });
});

describe('a change of what many belong to', () => {
  it.each<[sentence: string, wake: () => ReconcileRequests, keys: object]>([
    [
      'an Account that is relabelled wakes nobody',
      () =>
        triggers.accounts(changed({ ...account, metadata: { ...account.metadata, generation: 1 } }, { labels: {} })),
      { sweeps: [] },
    ],
    [
      'an Account whose plan changes is swept',
      () =>
        triggers.accounts(changed({ ...account, metadata: { ...account.metadata, generation: 1 } }, { generation: 2 })),
      { account: ['acme'], sweeps: ['account acme'] },
    ],
    [
      'a Namespace that is annotated wakes nobody',
      () => {
        const metadata = { name: 'acme', labels: { 'projectdomain.io/account': 'acme' } };
        const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata };
        return triggers.namespaces(changed(namespace, { annotations: { x: '1' } }));
      },
      { sweeps: [] },
    ],
    [
      'a Namespace that is deleted is swept, although its account stays',
      () => {
        const metadata = { name: 'acme', labels: { 'projectdomain.io/account': 'acme' } };
        const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata };
        return triggers.namespaces(changed(namespace, { deletionTimestamp: 'now' }));
      },
      {
        account: ['acme', 'acme'],
        redirectorEndpoints: ['acme'],
        sweeps: ['namespace acme', 'account acme', 'account acme'],
      },
    ],
    [
      'an Account that is deleted is swept, although somebody keeps it',
      () =>
        triggers.accounts(
          changed({ ...account, metadata: { ...account.metadata, generation: 1 } }, { deletionTimestamp: 'now' }),
        ),
      { account: ['acme'], sweeps: ['account acme'] },
    ],
    [
      'a Project that is deleted wakes its domains, and what it holds itself, although somebody keeps it',
      () =>
        triggers.projects(
          changed({ ...project, metadata: { ...project.metadata, generation: 1 } }, { deletionTimestamp: 'now' }),
        ),
      { project: ['acme/shop'], sweeps: ['project acme/shop', 'claims of acme/shop'] },
    ],
    [
      'a Project that is annotated wakes itself alone',
      () =>
        triggers.projects(
          changed({ ...project, metadata: { ...project.metadata, generation: 1 } }, { annotations: { x: '1' } }),
        ),
      { project: ['acme/shop'], sweeps: [] },
    ],
    [
      'a Project that is deployed wakes its domains',
      () =>
        triggers.projects(
          changed(
            { ...project, metadata: { ...project.metadata, generation: 1 } },
            {},
            { status: { deployedAt: 'now' } },
          ),
        ),
      { project: ['acme/shop'], sweeps: ['project acme/shop'] },
    ],
    [
      'a Project that is deleted lets go of what it held',
      () => triggers.projects({ type: 'deleted', object: project, previous: undefined }),
      { project: ['acme/shop'], sweeps: ['project acme/shop', 'claims of acme/shop'] },
    ],
    [
      'orders written on a claim concern its holder alone',
      () => {
        const orders = [{ request: 'r', at: '2026-01-01T00:00:00Z', outcome: 'Pending' as const }];
        return triggers.claims({ type: 'modified', object: claim({ orders }), previous: claim() });
      },
      { hostnameClaim: ['www.example.com'], projectDomain: ['acme/www'], sweeps: [] },
    ],
    [
      'a request to revoke certificates concerns those and the holder alone',
      () => {
        const revocation = { reason: 'superseded' as const, requestedAt: '2026-01-01T00:00:00Z' };
        return triggers.claims({ type: 'modified', object: claim({ revocation }), previous: claim() });
      },
      { hostnameClaim: ['www.example.com'], projectDomain: ['acme/www'], revocation: ['www.example.com'], sweeps: [] },
    ],
    [
      'a claim that changes hands concerns everybody with the hostname, and the siblings of both holders',
      () =>
        triggers.claims({
          type: 'modified',
          object: claim({ holder: { namespace: 'acme', name: 'old' } }),
          previous: claim(),
        }),
      {
        hostnameClaim: ['www.example.com'],
        projectDomain: ['acme/old', 'acme/www'],
        sweeps: ['hostname www.example.com', 'project acme/shop'],
      },
    ],
    [
      'a route that changes concerns its owner, and the redirects to its hostname',
      () => {
        const annotations = { 'projectdomain.io/hostname': 'www.example.com' };
        const change = { type: 'added', object: edited(ingress, { annotations }), previous: undefined } as const;
        return routeTriggerOf(stores, settings)('ingresses', change);
      },
      { projectDomain: ['acme/www'], sweeps: ['redirects acme/www.example.com'] },
    ],
    [
      'a route that leads to the project from now on has its owner looked at before the others of its account',
      () => {
        const served = {
          ...ingress,
          spec: { ...ingress.spec, tls: [{ hosts: ['www.example.com'], secretName: 'pd-x' }] },
        };
        return routeTriggerOf(stores, settings)('ingresses', { type: 'modified', object: served, previous: ingress });
      },
      { ahead: { projectDomain: ['acme/www'] }, sweeps: [] },
    ],
    [
      'a route whose status says nothing new concerns nobody',
      () => {
        const object = edited(ingress, { resourceVersion: '8' });
        return routeTriggerOf(stores, settings)('ingresses', { type: 'modified', object, previous: ingress });
      },
      { sweeps: [] },
    ],
    [
      'a route whose status says something new concerns its owner, and nobody else',
      () => {
        const object = { ...edited(ingress, { generation: 1 }), status: { parents: [] } };
        const previous = edited(ingress, { generation: 1 });
        return routeTriggerOf(stores, settings)('ingresses', { type: 'modified', object, previous });
      },
      { projectDomain: ['acme/www'], sweeps: [] },
    ],
    [
      'a certificate that is ready now does so too',
      () => {
        const [object, previous] = [certificateIn(true), certificateIn(false)];
        return triggers.certificates({ type: 'modified', object, previous });
      },
      { ahead: { projectDomain: ['acme/www'] }, sweeps: [] },
    ],
    [
      'a certificate that was ready before concerns its owner among the others',
      () => {
        const [object, previous] = [certificateIn(true), certificateIn(true)];
        return triggers.certificates({ type: 'modified', object, previous });
      },
      { projectDomain: ['acme/www'], sweeps: [] },
    ],
    [
      "the redirector's own endpoints concern every namespace with a redirect",
      () => {
        const labels = { 'kubernetes.io/service-name': redirector.name };
        const slice = { apiVersion: 'v1', kind: 'EndpointSlice', metadata: { name: 'x', namespace: 'system', labels } };
        return triggers.endpointSlices({ type: 'added', object: slice, previous: undefined });
      },
      { sweeps: ['redirector'] },
    ],
    [
      'our own copy of them concerns nobody while it is there',
      () => {
        const labels = { 'kubernetes.io/service-name': 'projectdomain-redirect' };
        const slice = { apiVersion: 'v1', kind: 'EndpointSlice', metadata: { name: 'x', namespace: 'acme', labels } };
        return triggers.endpointSlices({ type: 'modified', object: slice, previous: slice });
      },
      { sweeps: [] },
    ],
  ])('%s', (_, wake, keys) => {
    expect(woken(wake())).toEqual(keys);
  });

  const annotated = (name: string, phase: 'Held' | 'Tombstone' = 'Held') => ({
    ...claim({ phase }),
    metadata: { name, uid: `u-${name}`, resourceVersion: '9', annotations: { 'projectdomain.io/suspend': 'abuse' } },
  });
  const unannotated = ({ metadata, ...rest }: ReturnType<typeof annotated>) => ({
    ...rest,
    metadata: { name: metadata.name, uid: metadata.uid, resourceVersion: '8' },
  });
  const suspending = (object: ReturnType<typeof annotated>, type: 'modified' | 'deleted' = 'modified') =>
    triggers.claims({ type, object, previous: unannotated(object) }).sweeps?.map(({ name }) => name);

  it.each<[string, () => unknown, readonly string[]]>([
    [
      'concerns the wildcard above it, which would serve it',
      () => suspending(annotated('www.example.com')),
      ['hostname *.example.com'],
    ],
    [
      'that was given up does so too',
      () => suspending(annotated('www.example.com', 'Tombstone')),
      ['hostname *.example.com'],
    ],
    [
      'of a wildcard concerns what it includes',
      () => suspending(annotated('wc--wildcard.example.com')),
      ['below example.com'],
    ],
    [
      'that is let go does so again',
      () => {
        const previous = annotated('www.example.com');
        return triggers
          .claims({ type: 'modified', object: unannotated(previous), previous })
          .sweeps?.map(({ name }) => name);
      },
      ['hostname *.example.com'],
    ],
    [
      'that changes otherwise concerns no wildcard',
      () => {
        const object = annotated('www.example.com');
        return triggers.claims({ type: 'modified', object, previous: object }).sweeps;
      },
      [],
    ],
  ])('a hostname that is suspended %s', (_title, wake, sweeps) => {
    expect(wake()).toEqual(sweeps);
  });

  it('the holder of a suspended claim is woken at once', () => {
    const object = annotated('www.example.com');
    expect(triggers.claims({ type: 'modified', object, previous: unannotated(object) })).toMatchObject({
      projectDomain: ['acme/www'],
    });
  });

  it('a platform hostname that is claimed concerns the redirects of its project', () => {
    const { sweeps = [] } = triggers.claims({ type: 'added', object: platformClaim(), previous: undefined });
    expect(sweeps.map(({ name }) => name)).toContain('project acme/shop');
  });

  it('a platform hostname that is claimed or free concerns the projects that ask for it by name, and no others', () => {
    const asking = { ...project, metadata: { ...project.metadata, name: 'store', resourceVersion: '1' } };
    stores.projects.put({ ...asking, spec: { ...asking.spec, subdomain: 'shop' } });
    const { sweeps = [] } = triggers.claims({ type: 'deleted', object: platformClaim(), previous: undefined });
    const sweep = sweeps.find(({ name }) => name === 'subdomain shop');
    expect([...(sweep?.pieces() ?? [])]).toEqual([{ project: ['acme/store'] }]);
    const ofCustomer = { ...claim(), metadata: { name: 'shop.example.com', uid: 'u', resourceVersion: '9' } };
    const { sweeps: others = [] } = triggers.claims({ type: 'deleted', object: ofCustomer, previous: undefined });
    expect(others.map(({ name }) => name)).not.toContain('subdomain shop');
  });

  it('a sweep of a plan finds accounts, projects and domains by their indexes', () => {
    const [sweep] = triggers.plans({
      type: 'added',
      object: { apiVersion: 'projectdomain.io/v1alpha1', kind: 'Plan', metadata: { name: 'pro' }, spec: {} as never },
      previous: undefined,
    }).sweeps ?? [undefined];
    expect([...(sweep?.pieces() ?? [])]).toEqual([
      { account: ['acme'] },
      { redirectorEndpoints: ['acme'] },
      { project: ['acme/shop'] },
      { projectDomain: ['acme/www'] },
      { projectDomain: ['acme/old'] },
    ]);
  });

  it('a hostname that changes hands concerns certificates that name it, of which the operator knows', () => {
    const ownSecrets = [
      { name: 'pd-own-a', names: ['old.example.com', 'shop.example.com'], notAfter: '2026-04-01T00:00:00Z' },
    ];
    stores.domains.put(edited(old, { resourceVersion: 'later' }, { status: { certificate: { ownSecrets } } }));
    const object = { ...claim(), metadata: { name: 'shop.example.com', uid: 'u', resourceVersion: '9' } };
    const [sweep] = triggers.claims({ type: 'added', object, previous: undefined }).sweeps ?? [];
    expect([...(sweep?.pieces() ?? [])]).toEqual([{ projectDomain: ['acme/old'] }]);
  });

  it('a namespace that comes back concerns the claims that were held there, whose Secrets may be in it again', () => {
    stores.claims.put(claim({ holder: { namespace: 'acme', name: 'www' }, formerHolders: ['left'] }));
    const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'left' } };
    const [sweep] = triggers.namespaces({ type: 'added', object, previous: undefined }).sweeps ?? [];
    expect([...(sweep?.pieces() ?? [])]).toEqual([
      { redirectorEndpoints: ['left'] },
      { hostnameClaim: ['www.example.com'] },
    ]);
  });
});

describe('a certificate of an AcmeIssuer', () => {
  const annotations = { 'projectdomain.io/hostname': 'www.example.com' };
  const certificate = (ready: boolean, notAfter = '2026-04-01T00:00:00Z', issuing = false) => {
    const { metadata, status, ...rest } = certificateIn(ready);
    const conditions = [...status.conditions, ...(issuing ? [{ type: 'Issuing', status: 'True' as const }] : [])];
    return { ...rest, metadata: { ...metadata, annotations }, status: { ...status, notAfter, conditions } };
  };
  type Made = ReturnType<typeof certificate>;

  it.each<[string, Made | undefined, Made, boolean]>([
    ['has its authority asked when to renew it once it is there', certificate(false), certificate(true), true],
    [
      'has its authority asked once the next one is there',
      certificate(true, '2026-04-01T00:00:00Z', true),
      certificate(true, '2026-06-01T00:00:00Z'),
      true,
    ],
    ['that is restored with its status is asked about', undefined, certificate(true), true],
    ['is not asked about for any other change of it', certificate(true), certificate(true), false],
    ['is not asked about while the next one is issued', certificate(true), certificate(true, undefined, true), false],
  ])('%s', (_, previous, object, isAsked) => {
    const ofOurs = triggersOf(stores, { ...settings, issuer: { kind: 'AcmeIssuer', name: 'ca' } });
    const type = previous ? 'modified' : 'added';
    const wakes = [ofOurs, triggers].map((of) => of.certificates({ type, object, previous }).acmeOrder);
    expect(wakes).toEqual([isAsked ? ['www.example.com'] : undefined, undefined]);
  });
});

describe('a new leader', () => {
  it('looks at once at plans, and at the ledger, where some may have waited for an order before it led', () => {
    const pieces = [...sweepOfStart(stores, settings).pieces()];
    expect(pieces.flatMap(({ plan = [], orderLedger = [] }) => [...plan, ...orderLedger])).toEqual([
      'defaults',
      'issuer',
    ]);
  });

  it('looks at once at what has to be revoked, and at what was requested of it', () => {
    const entry = { request: 'r', at: '2026-01-01T00:00:00Z', outcome: 'Issued' as const };
    const named = (name: string, changes: Parameters<typeof claim>[0]) => {
      const whole = claim(changes);
      stores.claims.put({ ...whole, metadata: { ...whole.metadata, name } });
    };
    const since = '2026-01-01T00:00:00Z';
    named('open.example.com', { orders: [{ ...entry, revocation: { reason: 'superseded', since } }] });
    named('requested.example.com', { revocation: { reason: 'superseded', requestedAt: since } });
    named('done.example.com', {
      orders: [{ ...entry, revocation: { reason: 'superseded', since, result: 'Revoked' } }],
      revocation: { reason: 'superseded', requestedAt: since, doneAt: since },
    });
    named('plain.example.com', { orders: [entry] });
    const pieces = [...sweepOfStart(stores, settings).pieces()];
    expect(pieces.flatMap(({ revocation = [] }) => revocation)).toEqual(['open.example.com', 'requested.example.com']);
  });

  it('wakes what waits for a new certificate when cert-manager stores one, and nothing else', () => {
    const waiting = claim({ revocation: { reason: 'superseded', requestedAt: '2026-01-01T00:00:00Z' } });
    const certificate = certificateIn(true);
    const annotations = { 'projectdomain.io/hostname': 'www.example.com' };
    const stored = { type: 'modified', object: edited(certificate, { annotations }), previous: certificate } as const;
    expect(triggers.certificates(stored).revocation).toBeUndefined();
    stores.claims.put(waiting);
    expect(triggers.certificates(stored).revocation).toEqual(['www.example.com']);
  });

  it('looks at once at what nobody owns: its owner may have been removed while nobody led', () => {
    stores.routeStores.ingresses?.put(ingress);
    const pieces = [...sweepOfStart(stores, settings).pieces()];
    stores.domains.drop(www);
    const later = [...sweepOfStart(stores, settings).pieces()];
    expect([pieces, later].map((all) => all.flatMap(({ orphan = [] }) => orphan).length)).toEqual([0, 1]);
  });

  it.each<[string, () => void, number]>([
    ['looks no further where a claim and its holder are there', () => undefined, 0],
    ['looks at it where the claim outlived its holder', () => stores.domains.drop(www), 1],
    [
      'looks at it where the holder is there and the claim is of another account',
      () => {
        stores.domains.drop(www);
        const others = claim({ holder: { namespace: 'rival', name: 'www' } });
        stores.claims.put({ ...others, metadata: { ...others.metadata, resourceVersion: '8' } });
        stores.domains.put({ ...www, metadata: { ...www.metadata, namespace: 'rival' } });
      },
      1,
    ],
  ])('%s', (_, change, orphans) => {
    stores.claims.put(claim());
    stores.routeStores.ingresses?.put(ingress);
    change();
    const pieces = [...sweepOfStart(stores, settings).pieces()];
    expect(pieces.flatMap(({ orphan = [] }) => orphan)).toHaveLength(orphans);
  });
});
