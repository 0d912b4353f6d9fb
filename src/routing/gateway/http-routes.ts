import type { KubernetesObject } from '../../kubernetes/kubernetes-port.ts';
import { challengePath, tokenPath } from '../../rules/domain-token.ts';
import type { HttpRoute, ParentReference } from '../../resources/gateway-types.ts';
import { HttpRouteKind } from '../../resources/kinds.ts';
import { childMetadata } from '../../resources/object-metadata.ts';
import { redirectBackend } from '../redirect-service.ts';
import { isWildcard, baseOf } from '../../rules/wildcard.ts';
import type { DesiredRoute, RouteBackend } from '../route-port.ts';
import { suspendedSuffix } from '../route-port.ts';

/** What follows the hostname's own name in that of the route over HTTPS. */
export const secureSuffix = '-https';

/** What an HTTPRoute is attached to, and its own name. */
interface Parent {
  readonly reference: ParentReference;
  readonly own: string;
}

interface HttpMatch {
  readonly path: { readonly type: string; readonly value: string };
  readonly headers?: readonly { readonly type: string; readonly name: string; readonly value: string }[];
}

/** A rule of an HTTPRoute. */
interface HttpRule {
  readonly matches: readonly HttpMatch[];
  readonly [field: string]: unknown;
}

export function httpRoute(route: DesiredRoute, { reference, own }: Parent, rules: readonly HttpRule[]) {
  return {
    apiVersion: HttpRouteKind.apiVersion,
    kind: HttpRouteKind.kind,
    metadata: childMetadata(own, route),
    spec: { parentRefs: [reference], hostnames: [route.hostname], rules: rules.map(onlyAtHost(route.hostname)) },
  };
}

/** A wildcard's listener asks the route of a hostname before its own (HTTPRouteSpec, hostnames). */
export function suspendedRoute(route: DesiredRoute, hostnames: readonly string[], { reference, own }: Parent) {
  const { spec, ...made } = httpRoute(route, { reference, own: `${own}${suspendedSuffix}` }, []);
  return { ...made, spec: { ...spec, hostnames, rules: leadEverythingTo(redirectBackend) } };
}

const everything = '/';
const below = (path: string): Pick<HttpRule, 'matches'> => ({
  matches: [{ path: { type: 'PathPrefix', value: path } }],
});
const leadTo = (path: string, { name, port }: RouteBackend) => ({
  ...below(path),
  backendRefs: [{ group: '', kind: 'Service', name, port, weight: 1 }],
});
const toHttps = {
  ...below(everything),
  filters: [{ type: 'RequestRedirect', requestRedirect: { scheme: 'https', statusCode: 301 } }],
};

export const leadEverythingTo = (backend: RouteBackend): readonly HttpRule[] => [leadTo(everything, backend)];

/**
 * Request targets that the platform itself answers. The listener of a wildcard takes requests to hostnames that have no route yet, so it
 * answers their tokens.
 */
const ownPaths = ({ hostname, answersToken = false, answersChallenges = false }: DesiredRoute) => [
  ...(answersToken || isWildcard(hostname) ? [leadTo(tokenPath, redirectBackend)] : []),
  ...(answersChallenges ? [leadTo(challengePath, redirectBackend)] : []),
];

/** Over HTTP: challenges and tokens, and to HTTPS with everything else once the hostname is served there, if only by a wildcard. */
export const plainRules = (route: DesiredRoute): readonly HttpRule[] => [
  ...ownPaths(route),
  ...(route.backend || route.isServedByWildcard ? [toHttps] : []),
];

/** Over HTTPS; none before there is a certificate and something to serve. */
export function secureRules(route: DesiredRoute): readonly HttpRule[] {
  const { backend, hasCertificate } = route;
  return hasCertificate && backend ? [...ownPaths(route), leadTo(everything, backend)] : [];
}

/**
 * Where an HTTPRoute is attached to listeners for HTTP and HTTPS alike: challenges and tokens, and to HTTPS with what came over HTTP. The edge says
 * by X-Forwarded-Proto how a request came, whatever the visitor claims.
 */
export const rulesOfBoth = (route: DesiredRoute): readonly HttpRule[] => [
  ...ownPaths(route),
  ...(route.backend
    ? [{ ...toHttps, matches: toHttps.matches.map((match) => ({ ...match, headers: cameOverHttp })) }]
    : []),
];

const cameOverHttp = [{ type: 'Exact', name: 'X-Forwarded-Proto', value: 'http' }];

/** Beside such a route: everything else, over HTTPS. An answer may take its time, where an edge would end it after a while. */
export const otherRules = ({ backend, hasCertificate }: DesiredRoute): readonly HttpRule[] =>
  hasCertificate && backend ? [{ ...leadTo(everything, backend), timeouts: { request: '0s' } }] : [];

/** Name of the Service that the HTTPRoutes among these objects lead everything to. */
export const backendOf = (objects: readonly KubernetesObject[]): string | undefined =>
  objects
    .filter(({ kind, metadata }) => kind === HttpRouteKind.kind && !metadata.name.endsWith(suspendedSuffix))
    .flatMap((object) => (object as HttpRoute).spec?.rules ?? [])
    .find(({ matches, backendRefs }) => backendRefs && matches?.[0]?.path?.value === everything)?.backendRefs?.[0]
    ?.name;

/**
 * A rule of this hostname's route: of a wildcard's it answers one label below the base alone, as its certificate does, where Gateway API has
 * a wildcard match several (HTTPRouteSpec, hostnames).
 */
const onlyAtHost =
  (hostname: string) =>
  (rule: HttpRule): HttpRule =>
    isWildcard(hostname) ? { ...rule, matches: rule.matches.map((match) => oneLabelBelow(hostname, match)) } : rule;

const oneLabelBelow = (wildcard: string, { headers = [], ...match }: HttpMatch): HttpMatch => ({
  ...match,
  headers: [...headers, { type: 'RegularExpression', name: 'Host', value: expressionOf(wildcard) }],
});

/** RE2, matched as a whole. A Host may be in capitals, and have a port (RFC 9110, section 7.2). */
const expressionOf = (wildcard: string): string => `(?i)[^.:]+\\.${baseOf(wildcard).replaceAll('.', '\\.')}(:[0-9]+)?`;
