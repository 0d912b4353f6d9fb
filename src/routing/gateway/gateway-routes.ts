import type { KubernetesObject } from '../../kubernetes/kubernetes-port.ts';
import { childName } from '../../rules/dns-target.ts';
import type { ListenerSet } from '../../resources/gateway-types.ts';
import { HttpRouteKind, ListenerSetKind } from '../../resources/kinds.ts';
import { childMetadata } from '../../resources/object-metadata.ts';
import { redirectBackend } from '../redirect-service.ts';
import { wildcardAbove } from '../../rules/wildcard.ts';
import type { DesiredRoute, RouteImplementation } from '../route-port.ts';
import { hasSuspended, suspendedSuffix } from '../route-port.ts';
import { keptOfHttpRoute, keptOfListenerSet } from './seen-conditions.ts';
import { gatewayFindings } from './gateway-findings.ts';
import type { GatewayReference } from './gateway-reference.ts';
import { edgeOf, gatewayGroup, toGateway } from './gateway-reference.ts';
import {
  backendOf,
  httpRoute,
  leadEverythingTo,
  plainRules,
  secureRules,
  secureSuffix,
  suspendedRoute,
} from './http-routes.ts';

/** Names of the two listeners, which routes are bound to. */
const [plain, secure] = ['http', 'https'] as const;

/**
 * Gateway API 1.5: a ListenerSet for each hostname, with a listener for HTTP and, once there is a certificate, one for HTTPS; and an
 * HTTPRoute for each. All are in the account's namespace and in no other, so no ReferenceGrant is needed. Over HTTP a hostname answers
 * challenges and tokens, and redirects everything else to HTTPS once it is served there. A hostname without a certificate of its own is
 * one of the platform's, which listeners of the Gateway itself serve: with their certificate, and over HTTP as they do. `suffix` follows the
 * hostname's own name in those of all objects. Where `servesWildcards` is true, hostnames of their own go before them.
 */
export function createGatewayRoutes(
  gateway: GatewayReference,
  suffix = '',
  servesWildcards = false,
): RouteImplementation {
  return Object.freeze({
    kinds: {
      listenerSets: { kind: ListenerSetKind, suffixes: [suffix], keep: keptOfListenerSet },
      httpRoutes: {
        kind: HttpRouteKind,
        suffixes: [suffix, `${suffix}${secureSuffix}`],
        wildcardSuffixes: [`${suffix}${suspendedSuffix}`, `${suffix}${secureSuffix}${suspendedSuffix}`],
        keep: keptOfHttpRoute,
      },
    },
    servesWildcards,
    manifests: (route) => {
      const { hostname, backend, hasCertificate } = route;
      const nameOf = (one: string) => `${childName(one)}${suffix}`;
      const own = nameOf(hostname);
      const isPlatforms = backend && !hasCertificate && backend.name !== redirectBackend.name;
      if (isPlatforms) return [httpRoute(route, { reference: toGateway(gateway), own }, leadEverythingTo(backend))];
      const rules = { [plain]: plainRules(route), [secure]: secureRules(route) };
      // Without a certificate the hostname is answered at the listener of its wildcard, which would serve it otherwise.
      const above = servesWildcards && !hasCertificate ? wildcardAbove(hostname) : null;
      const toWildcard = (one: string) => ({ ...toListener(nameOf(one), secure), own: nameOfSecure(own) });
      return [
        ...([plain, secure] as const)
          // One without rules would be given a rule that answers everything with an error.
          .filter((listener) => rules[listener].length > 0)
          .map((listener) => httpRoute(route, toListener(own, listener), rules[listener])),
        ...(above && backend ? [httpRoute(route, toWildcard(above), leadEverythingTo(backend))] : []),
        // At last: a listener without its routes answers 404, where a wildcard served the hostname until then.
        listenerSet(route, gateway, own),
      ];
    },
    suspensions: (route) => {
      if (!servesWildcards || !hasSuspended(route)) return [];
      const own = `${childName(route.hostname)}${suffix}`;
      const listeners = route.hasCertificate ? ([plain, secure] as const) : ([plain] as const);
      return listeners.map((listener) => suspendedRoute(route, route.suspendedBelow, toListener(own, listener)));
    },
    backendOf,
    secretOf,
    findingsOf: (objects, look) =>
      gatewayFindings(objects, look, {
        edge: edgeOf(gateway),
        service: backendOf(objects) ?? redirectBackend.name,
        secret: secretOf(objects) ?? '',
      }),
  } satisfies RouteImplementation);
}

const secretOf = (objects: readonly KubernetesObject[]): string | undefined =>
  objects
    .filter(({ kind }) => kind === ListenerSetKind.kind)
    .flatMap((object) => (object as ListenerSet).spec?.listeners ?? [])
    .find(({ name }) => name === secure)?.tls?.certificateRefs?.[0]?.name;

function listenerSet(route: DesiredRoute, gateway: GatewayReference, own: string) {
  const { hostname } = route;
  const { secretName = childName(hostname) } = route;
  const listener = {
    hostname,
    allowedRoutes: { namespaces: { from: 'Same' }, kinds: [{ group: gatewayGroup, kind: HttpRouteKind.kind }] },
  };
  const certificateRefs = [{ group: '', kind: 'Secret', name: secretName }];
  return {
    apiVersion: ListenerSetKind.apiVersion,
    kind: ListenerSetKind.kind,
    metadata: childMetadata(own, route),
    spec: {
      parentRef: toGateway(gateway),
      listeners: [
        { ...listener, name: plain, protocol: 'HTTP', port: 80 },
        ...(route.hasCertificate
          ? [{ ...listener, name: secure, protocol: 'HTTPS', port: 443, tls: { mode: 'Terminate', certificateRefs } }]
          : []),
      ],
    },
  };
}

const nameOfSecure = (own: string): string => `${own}${secureSuffix}`;

/** `own` is the name of the ListenerSet. */
const toListener = (own: string, listener: typeof plain | typeof secure) => ({
  reference: { group: gatewayGroup, kind: ListenerSetKind.kind, name: own, sectionName: listener },
  own: listener === secure ? nameOfSecure(own) : own,
});
