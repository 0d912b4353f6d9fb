import { describe, expect, it } from '@jest/globals';
import { decideProjectDomain } from '../../../src/controllers/project-domain/decide-project-domain.ts';
import { decideHostnameClaim } from '../../../src/controllers/hostname-claim/decide-hostname-claim.ts';
import type { Kind, KubernetesObject, ObjectKey } from '../../../src/kubernetes/kubernetes-port.ts';
import { createOperatorStores } from '../../../src/operator/operator-stores.ts';
import { childMetadata } from '../../../src/resources/object-metadata.ts';
import { childName } from '../../../src/rules/dns-target.ts';
import { createGatewayRoutes } from '../../../src/routing/gateway/gateway-routes.ts';
import { noRouteFindings } from '../../../src/routing/route-findings.ts';
import type { RouteImplementation } from '../../../src/routing/route-port.ts';
import {
  certificateIn,
  claim,
  domain,
  heldBy,
  now,
  route,
  settings,
  snapshot,
  verdict,
} from '../../support/snapshot.ts';

/**
 * Nothing but its own folder knows what a route consists of: these tests put a second implementation, of two kinds of objects,
 * through decisions, caches and removal. They fail when a controller speaks of Ingresses again.
 */

const gateway = { apiVersion: 'gateway.networking.k8s.io/v1', namespaced: true } as const;
const RouteKind: Kind = { ...gateway, kind: 'HTTPRoute', plural: 'httproutes' };
const ListenersKind: Kind = { ...gateway, kind: 'ListenerSet', plural: 'listenersets' };

const twoKinds: RouteImplementation = {
  kinds: { listeners: { kind: ListenersKind, suffixes: [''] }, httpRoutes: { kind: RouteKind, suffixes: [''] } },
  servesWildcards: false,
  manifests: (wanted) => {
    const metadata = childMetadata(childName(wanted.hostname), wanted);
    const { apiVersion } = gateway;
    return [
      { apiVersion, kind: ListenersKind.kind, metadata, spec: { tls: wanted.hasCertificate } },
      { apiVersion, kind: RouteKind.kind, metadata, spec: { to: wanted.backend?.name } },
    ];
  },
  suspensions: () => [],
  backendOf: (objects) => {
    const found = objects.find(({ kind }) => kind === RouteKind.kind) as { spec?: { to?: string } } | undefined;
    return found?.spec?.to;
  },
  secretOf: () => undefined,
  findingsOf: () => noRouteFindings,
};

const object = (kind: Kind, spec: object = {}): KubernetesObject =>
  ({ apiVersion: kind.apiVersion, kind: kind.kind, metadata: route.objects[0]?.metadata, spec }) as KubernetesObject;
const given = { ...settings, routes: twoKinds };
const deedsOf = (actions: ReturnType<typeof decideProjectDomain>): readonly string[] =>
  actions.writes.flatMap(({ verb, kind }) => (kind.apiVersion === gateway.apiVersion ? [`${verb} ${kind.kind}`] : []));

describe('a route of two kinds of objects', () => {
  const issued = { ...heldBy, settings: given, verdict: verdict(), certificate: certificateIn(true) };

  it('is written in its order once the certificate is there', () => {
    expect(deedsOf(decideProjectDomain(snapshot(issued)))).toEqual(['apply ListenerSet', 'apply HTTPRoute']);
  });

  it('is taken away whole, and only as it was seen, when the name is lost', () => {
    const objects = [object(ListenersKind), object(RouteKind, { to: 'shop-web' })];
    const lost = {
      ...issued,
      claimRelation: { kind: 'Releasing', epoch: 1 },
      route: { objects, backend: 'shop-web', secretName: undefined },
    } as const;
    const actions = decideProjectDomain(snapshot({ ...lost, claim: claim({ phase: 'Releasing' }) }));
    expect(deedsOf(actions)).toEqual(['remove ListenerSet', 'remove HTTPRoute']);
    expect(actions.writes).toContainEqual(expect.objectContaining({ preconditions: { uid: 'u-child' } }));
  });

  it('of a redirect goes on leading to the project while its destination has none', () => {
    const redirecting = domain({ spec: { role: 'Redirect', redirect: { to: 'shop.apps.example.net' } } });
    const actions = decideProjectDomain(snapshot({ ...issued, domain: redirecting }));
    const written = actions.writes.find(({ kind }) => kind === RouteKind) as
      { object?: { spec?: unknown } } | undefined;
    expect(written?.object?.spec).toEqual({ to: 'projectdomain-redirect' });
  });

  it('ends with the claim of its hostname, by name', () => {
    const children = { route: true, certificate: false };
    const { writes } = decideHostnameClaim({ now, claim: claim(), held: false, children, routes: twoKinds });
    expect(writes.map(({ verb, kind }) => `${verb} ${kind.kind}`)).toEqual([
      'remove ListenerSet',
      'remove HTTPRoute',
      'remove Certificate',
    ]);
  });
});

describe('the caches of routes', () => {
  const stores = createOperatorStores(twoKinds, (error) => {
    throw error;
  });
  const key: ObjectKey = { namespace: 'acme', name: childName('www.example.com') };

  it.each<[string, () => unknown, unknown]>([
    ['show nothing where nothing stands', () => stores.routes.get('acme', 'www.example.com'), undefined],
    [
      'show a route of which only a part stands',
      () => {
        stores.routeStores.listeners?.put(object(ListenersKind));
        return stores.routes.get('acme', 'www.example.com')?.backend;
      },
      undefined,
    ],
    [
      'show where the whole route leads to',
      () => {
        stores.routeStores.httpRoutes?.put(object(RouteKind, { to: 'shop-web' }));
        return stores.routes.get('acme', 'www.example.com')?.backend;
      },
      'shop-web',
    ],
    [
      'name every object with its cache',
      () => [...stores.routes.keys()].map(({ name }) => name),
      ['listeners', 'httpRoutes'],
    ],
    ['find an object in its cache alone', () => stores.routes.objectIn('httpRoutes', key)?.kind, 'HTTPRoute'],
    ['know no cache of another implementation', () => stores.routes.objectIn('ingresses', key), undefined],
  ])('%s', (_, look, wanted) => {
    expect(look()).toEqual(wanted);
  });

  it('know which hostname an object with a longer name is of, so that a sweep for orphans need not read it', () => {
    const several = createOperatorStores(createGatewayRoutes({ namespace: 'edge', name: 'customers' }), (error) => {
      throw error;
    });
    for (const name of [key.name, `${key.name}-https`])
      several.routeStores.httpRoutes?.put({ ...object(RouteKind), metadata: { name, namespace: 'acme' } });
    expect([...several.routes.keys()].map(({ ofHostname }) => ofHostname)).toEqual([key.name, key.name]);
  });
});
