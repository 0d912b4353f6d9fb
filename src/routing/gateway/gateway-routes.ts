import type { KubernetesObject } from '../../kubernetes/kubernetes-port.ts';
import { challengePath } from '../../rules/challenge-path.ts';
import { childName } from '../../rules/dns-target.ts';
import { tokenPath } from '../../rules/domain-token.ts';
import type { HttpRoute, ListenerSet } from '../../resources/gateway-types.ts';
import { HttpRouteKind, ListenerSetKind } from '../../resources/kinds.ts';
import { childMetadata } from '../../resources/object-metadata.ts';
import { redirectBackend } from '../redirect-service.ts';
import type { DesiredRoute, RouteBackend, RouteImplementation } from '../route-port.ts';
import { keptOfHttpRoute, keptOfListenerSet } from './kept-status.ts';
import { gatewayFindings } from './gateway-findings.ts';

/** The Gateway that routes are attached to. Whoever may attach to it is the administrator's decision. */
export interface GatewayReference {
  readonly namespace: string;
  readonly name: string;
}

/** What a Gateway is called in sentences, and by whoever asks whose it is. */
export const edgeOf = ({ namespace, name }: GatewayReference): string => `Gateway ${namespace}/${name}`;

const group = 'gateway.networking.k8s.io';
/** What follows the hostname's own name in that of the route over HTTPS. */
const secureSuffix = '-https';
/** Names of the two listeners, which routes are bound to. */
const [plain, secure] = ['http', 'https'] as const;

/**
 * Gateway API 1.5: a ListenerSet for each hostname, with a listener for HTTP and, once there is a certificate, one for HTTPS; and an
 * HTTPRoute for each. All are in the account's namespace and in no other, so no ReferenceGrant is needed. Over HTTP a hostname answers
 * challenges and tokens, and redirects everything else to HTTPS once it is served there. A hostname without a certificate of its own is
 * one of the platform's, which listeners of the Gateway itself serve: with their certificate, and over HTTP as they do. `suffix` follows the
 * hostname's own name in those of all objects.
 */
export function createGatewayRoutes(gateway: GatewayReference, suffix = ''): RouteImplementation {
  return Object.freeze({
    kinds: {
      listenerSets: { kind: ListenerSetKind, suffixes: [suffix], keep: keptOfListenerSet },
      httpRoutes: { kind: HttpRouteKind, suffixes: [suffix, `${suffix}${secureSuffix}`], keep: keptOfHttpRoute },
    },
    servesWildcards: false,
    manifests: (route) => {
      const { backend, hasCertificate } = route;
      const own = `${childName(route.hostname)}${suffix}`;
      if (backend && !hasCertificate) return [httpRoute(route, toGateway(gateway, own), [leadTo(everything, backend)])];
      const rules = { [plain]: plainRules(route), [secure]: secureRules(route) };
      return [
        listenerSet(route, gateway, own),
        ...([plain, secure] as const)
          // One without rules would be given a rule that answers everything with an error.
          .filter((listener) => rules[listener].length > 0)
          .map((listener) => httpRoute(route, toListener(own, listener), rules[listener])),
      ];
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

const backendOf = (objects: readonly KubernetesObject[]): string | undefined =>
  objects
    .filter(({ kind }) => kind === HttpRouteKind.kind)
    .flatMap((object) => (object as HttpRoute).spec?.rules ?? [])
    .find(({ matches, backendRefs }) => backendRefs && matches?.[0]?.path?.value === everything)?.backendRefs?.[0]
    ?.name;

const secretOf = (objects: readonly KubernetesObject[]): string | undefined =>
  objects
    .filter(({ kind }) => kind === ListenerSetKind.kind)
    .flatMap((object) => (object as ListenerSet).spec?.listeners ?? [])
    .find(({ name }) => name === secure)?.tls?.certificateRefs?.[0]?.name;

function listenerSet(route: DesiredRoute, { namespace, name }: GatewayReference, own: string) {
  const { hostname } = route;
  const { secretName = childName(hostname) } = route;
  const listener = {
    hostname,
    allowedRoutes: { namespaces: { from: 'Same' }, kinds: [{ group, kind: HttpRouteKind.kind }] },
  };
  const certificateRefs = [{ group: '', kind: 'Secret', name: secretName }];
  return {
    apiVersion: ListenerSetKind.apiVersion,
    kind: ListenerSetKind.kind,
    metadata: childMetadata(own, route),
    spec: {
      parentRef: { group, kind: 'Gateway', namespace, name },
      listeners: [
        { ...listener, name: plain, protocol: 'HTTP', port: 80 },
        ...(route.hasCertificate
          ? [{ ...listener, name: secure, protocol: 'HTTPS', port: 443, tls: { mode: 'Terminate', certificateRefs } }]
          : []),
      ],
    },
  };
}

/** What an HTTPRoute is attached to, and its own name. */
interface Parent {
  readonly reference: object;
  readonly own: string;
}

const toGateway = ({ namespace, name }: GatewayReference, own: string): Parent => ({
  reference: { group, kind: 'Gateway', namespace, name },
  own,
});

/** `own` is the name of the ListenerSet. */
const toListener = (own: string, listener: typeof plain | typeof secure): Parent => ({
  reference: { group, kind: ListenerSetKind.kind, name: own, sectionName: listener },
  own: listener === secure ? `${own}${secureSuffix}` : own,
});

function httpRoute(route: DesiredRoute, { reference, own }: Parent, rules: readonly object[]) {
  return {
    apiVersion: HttpRouteKind.apiVersion,
    kind: HttpRouteKind.kind,
    metadata: childMetadata(own, route),
    spec: { parentRefs: [reference], hostnames: [route.hostname], rules },
  };
}

const everything = '/';
const below = (path: string) => ({ matches: [{ path: { type: 'PathPrefix', value: path } }] });
const leadTo = (path: string, { name, port }: RouteBackend) => ({
  ...below(path),
  backendRefs: [{ group: '', kind: 'Service', name, port, weight: 1 }],
});
const toHttps = {
  ...below(everything),
  filters: [{ type: 'RequestRedirect', requestRedirect: { scheme: 'https', statusCode: 301 } }],
};

const ownPaths = ({ answersToken = false, answersChallenges = false }: DesiredRoute) => [
  ...(answersToken ? [leadTo(tokenPath, redirectBackend)] : []),
  ...(answersChallenges ? [leadTo(challengePath, redirectBackend)] : []),
];

const plainRules = (route: DesiredRoute): readonly object[] => [
  ...ownPaths(route),
  ...(route.backend ? [toHttps] : []),
];

function secureRules(route: DesiredRoute): readonly object[] {
  const { backend, hasCertificate } = route;
  return hasCertificate && backend ? [...ownPaths(route), leadTo(everything, backend)] : [];
}
