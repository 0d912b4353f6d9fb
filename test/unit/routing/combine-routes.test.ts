import { describe, expect, it } from '@jest/globals';
import type { KubernetesObject } from '../../../src/kubernetes/kubernetes-port.ts';
import { createRoutes } from '../../../src/routing/create-routes.ts';
import type { RoutingClass } from '../../../src/routing/create-routes.ts';
import { observedRoutes } from '../../../src/routing/observed-routes.ts';
import type { DesiredRoute, ObservedRoute, RouteImplementation } from '../../../src/routing/route-port.ts';
import { applyRoute } from '../../../src/routing/route-writes.ts';
import { childName } from '../../../src/rules/dns-target.ts';

const probe = { address: '192.0.2.1', port: 443, httpPort: 80 };
const edge = { probe, isRetired: false, addresses: [] };
const traefik: RoutingClass = {
  ...edge,
  class: 'default',
  kind: 'Ingress',
  className: 'traefik',
  controller: 'Traefik',
  httpsRedirect: true,
};
const second: RoutingClass = { ...traefik, class: 'second', className: 'nginx' };
const gateway: RoutingClass = {
  ...edge,
  class: 'gw',
  kind: 'Gateway',
  namespace: 'edge',
  name: 'customers',
  controller: 'Other',
};
const retired = (one: RoutingClass): RoutingClass => ({ ...one, isRetired: true });

const owner = {
  apiVersion: 'projectdomain.io/v1alpha1',
  kind: 'ProjectDomain',
  metadata: { name: 'shop', namespace: 'acme', uid: 'uid' },
} as DesiredRoute['owner'];
const hostname = 'shop.example.com';
const own = childName(hostname);
const route: DesiredRoute = {
  namespace: 'acme',
  hostname,
  owner,
  backend: { name: 'web', port: 80 },
  hasCertificate: true,
};

const routesOf = (...classes: readonly RoutingClass[]) => createRoutes({ classes, wildcards: true });
const namesOf = (objects: readonly Pick<KubernetesObject, 'kind' | 'metadata'>[]) =>
  objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`.replace(own, 'NAME'));

/** The route that is there after these classes made it, as the implementation sees it. */
function seenBy(routes: RouteImplementation, made: RouteImplementation, wanted = route): ObservedRoute | undefined {
  const objects = made.manifests(wanted);
  const cacheOf = (name: string) => {
    const get = ({ name: wantedName }: { name: string }) =>
      objects.find(
        ({ kind, metadata }) => kind === routes.kinds[name]?.kind.kind && metadata.name === wantedName,
      ) as never;
    const keys = () => objects.map(({ metadata }) => ({ namespace: 'acme', name: metadata.name }));
    return { get, headOf: get, has: () => true, keys };
  };
  return observedRoutes(routes, cacheOf).get('acme', hostname);
}

describe('the classes of an installation', () => {
  it.each<[sentence: string, routes: RouteImplementation, names: readonly string[]]>([
    ['make what one makes where there is one', routesOf(traefik), ['Ingress NAME']],
    ['make the objects of all', routesOf(traefik, second), ['Ingress NAME', 'Ingress NAME.second']],
    [
      'may be of different kinds',
      routesOf(traefik, gateway),
      ['Ingress NAME', 'HTTPRoute NAME.gw', 'HTTPRoute NAME.gw-https', 'ListenerSet NAME.gw'],
    ],
    ['make none of one that is retired', routesOf(retired(traefik), second), ['Ingress NAME.second']],
  ])('%s', (_, routes, names) => {
    expect(namesOf(routes.manifests(route))).toEqual(names);
  });

  it('serve wildcards where each of them does that serves', () => {
    expect(routesOf(traefik, gateway).servesWildcards).toBe(false);
    expect(routesOf(traefik, { ...traefik, class: 'b' }).servesWildcards).toBe(true);
    expect(routesOf(traefik, retired(gateway)).servesWildcards).toBe(true);
  });
});

describe('a route of several classes', () => {
  const both = routesOf(traefik, gateway);
  const before: DesiredRoute = { ...route, backend: { name: 'old', port: 80 }, secretName: 'pd-own' };

  it.each<[sentence: string, seen: ObservedRoute | undefined, backend: string, secret: string]>([
    ['leads where all lead', seenBy(both, both), 'web', own],
    ['leads where the one leads that is there, as while a class is new', seenBy(both, routesOf(gateway)), 'web', own],
    ['leads where the first one leads', seenBy(both, routesOf(traefik), before), 'old', 'pd-own'],
    [
      'leads where one leads that is retired, until another is there',
      seenBy(routesOf(retired(traefik), gateway), routesOf(traefik), before),
      'old',
      'pd-own',
    ],
    [
      'is told from that of a class of the same kind',
      seenBy(routesOf(retired(second), traefik), routesOf(second), before),
      'old',
      'pd-own',
    ],
  ])('%s', (_, seen, backend, secret) => {
    expect(seen).toMatchObject({ backend, secretName: secret });
  });

  it.each<[sentence: string, routes: RouteImplementation, before: RouteImplementation, writes: readonly string[]]>([
    [
      'gets what a new class adds',
      both,
      routesOf(traefik),
      ['apply Ingress', 'apply HTTPRoute', 'apply HTTPRoute', 'apply ListenerSet'],
    ],
    [
      'loses what a retired one had',
      routesOf(retired(traefik), gateway),
      both,
      ['remove Ingress', 'apply HTTPRoute', 'apply HTTPRoute', 'apply ListenerSet'],
    ],
  ])('%s', (_, routes, made, writes) => {
    const actions = applyRoute(routes, route, seenBy(routes, made));
    expect(actions.map(({ verb, kind }) => `${verb} ${kind.kind}`)).toEqual(writes);
  });

  it('is known by the hostname of each of its objects', () => {
    const routes = routesOf(traefik, second, gateway);
    const objects = routes.manifests(route);
    const cacheOf = (name: string) => ({
      keys: () =>
        objects
          .filter(({ kind }) => kind === routes.kinds[name]?.kind.kind)
          .map(({ metadata }) => ({ namespace: 'acme', name: metadata.name })),
    });
    const keys = [...observedRoutes(routes, cacheOf as never).keys()];
    expect(keys).toHaveLength(5);
    expect(new Set(keys.map(({ ofHostname }) => ofHostname))).toEqual(new Set([own]));
  });

  it('has what each of its Gateways says of it, and nothing of one that is retired', () => {
    const other: RoutingClass = { ...gateway, class: 'other', name: 'second' };
    const now = Date.parse('2026-01-01T12:00:00Z');
    const said = (routes: RouteImplementation) => {
      const objects = routes.manifests(route).map((object, index) => {
        const creationTimestamp = new Date(now - 90_000 + index * 1_000).toISOString();
        return { ...object, metadata: { ...object.metadata, creationTimestamp } };
      });
      const { findings, ...rest } = routes.findingsOf(objects, { hostname, now, controllers: {}, silentSince: null });
      return [findings.map(({ code, params }) => `${code} ${params.edge}`), rest];
    };
    const ofFirst = 'EdgeSilent Gateway edge/customers';
    expect(said(routesOf(traefik, gateway, other))).toEqual([
      [ofFirst, 'EdgeSilent Gateway edge/second'],
      { silentSince: now - 89_000, dueAt: null },
    ]);
    expect(said(routesOf(gateway, retired(other)))[0]).toEqual([ofFirst]);
  });

  it('is kept as each of its classes keeps it', () => {
    const { keep } = routesOf(traefik, gateway).kinds.listenerSets ?? {};
    const object = { kind: 'ListenerSet', apiVersion: 'v1', metadata: { name: 'x' }, status: { attachedRoutes: 3 } };
    expect(keep?.(object)).toStrictEqual({ ...object, status: {} });
  });
});
