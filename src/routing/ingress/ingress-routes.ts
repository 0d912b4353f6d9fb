import type { KubernetesObject } from '../../kubernetes/kubernetes-port.ts';
import { childMetadata } from '../../resources/object-metadata.ts';
import { childName } from '../../rules/dns-target.ts';
import { challengePath } from '../../rules/challenge-path.ts';
import { tokenPath } from '../../rules/domain-token.ts';
import { isWildcard } from '../../rules/wildcard.ts';
import { redirectBackend } from '../redirect-service.ts';
import { noRouteFindings } from '../route-findings.ts';
import type { DesiredRoute, RouteBackend, RouteImplementation } from '../route-port.ts';
import { hasSuspended, suspendedSuffix } from '../route-port.ts';
import type { Ingress } from '../../resources/kubernetes-types.ts';
import { IngressKind } from '../../resources/kinds.ts';

const everything = '/';

/** By what means an ingress controller lets a hostname's own route go before that of a wildcard. */
type WildcardPrecedence = 'Traefik';

/**
 * Annotations of a wildcard's Ingress. Traefik asks the longest rule first, which is the wildcard's, unless it has a priority: 1 is the
 * lowest, and less than the length of any rule.
 */
const lowestPriority: Readonly<Record<WildcardPrecedence, Readonly<Record<string, string>>>> = {
  Traefik: { 'traefik.ingress.kubernetes.io/router.priority': '1' },
};

/** Which ingress controller has to be told that a connection may be upgraded. */
type WebsocketPermission = 'Contour';

/** Annotations of every Ingress. Contour refuses to upgrade connections at paths that are not named. */
const upgradesEverywhere: Readonly<Record<WebsocketPermission, Readonly<Record<string, string>>>> = {
  Contour: { 'projectcontour.io/websocket-routes': everything },
};

/** Which ingress controller leads visitors of a hostname from http to https if its Ingress says so. */
type RedirectPermission = 'Contour' | 'Traefik';

/** Annotations of the Ingress of a hostname that is served over HTTPS. Over http Traefik then asks the one Ingress for all hostnames, which leads to the redirector. */
const leadsToHttps: Readonly<Record<RedirectPermission, Readonly<Record<string, string>>>> = {
  Contour: { 'ingress.kubernetes.io/force-ssl-redirect': 'true' },
  Traefik: { 'traefik.ingress.kubernetes.io/router.entrypoints': 'websecure' },
};

/** Which of them have a default certificate, for hostnames that have none of their own. */
const hasDefaultCertificate: Readonly<Record<RedirectPermission, boolean>> = { Contour: false, Traefik: true };

export interface IngressRoutesOptions {
  readonly className: string;
  /** null where no wildcards are served */
  readonly wildcards: WildcardPrecedence | null;
  /** null for a controller that upgrades connections unasked */
  readonly websockets: WebsocketPermission | null;
  /** null for a controller that redirects as its own configuration says, or not at all */
  readonly httpsRedirect: RedirectPermission | null;
}

/** networking.k8s.io/v1, one hostname; no controller-specific annotation but for the precedence of a wildcard, for websockets, and for the redirect to HTTPS. */
function ingressManifest(route: DesiredRoute, options: IngressRoutesOptions, suffix: string) {
  const { hostname, backend, hasCertificate, answersToken = false, answersChallenges = false } = route;
  const name = childName(hostname);
  const { secretName = name } = route;
  const metadata = childMetadata(`${name}${suffix}`, route);
  const paths = [
    ...(backend ? [pathTo(everything, backend)] : []),
    ...(answersToken ? [pathTo(tokenPath, redirectBackend)] : []),
    ...(answersChallenges ? [pathTo(challengePath, redirectBackend)] : []),
  ];
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: annotated(metadata, annotationsOf(route, options)),
    spec: {
      ingressClassName: options.className,
      ...(hasCertificate ? { tls: [{ hosts: [hostname], secretName }] } : {}),
      rules: [{ host: hostname, http: { paths } }],
    },
  };
}

/**
 * One Ingress for all of them, whose rules are asked before the wildcard's. It names no certificate: the wildcard's covers them, and an edge that serves
 * wildcards finds it by the name that is asked for.
 */
function suspendedManifest(
  route: DesiredRoute,
  hostnames: readonly string[],
  { className }: IngressRoutesOptions,
  suffix: string,
) {
  const http = { paths: [pathTo(everything, redirectBackend)] };
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: childMetadata(`${childName(route.hostname)}${suffix}${suspendedSuffix}`, route),
    spec: { ingressClassName: className, rules: hostnames.map((host) => ({ host, http })) },
  };
}

type Metadata = ReturnType<typeof childMetadata>;

type Annotations = Readonly<Record<string, string>>;

const annotationsOf = (
  { hostname, backend, hasCertificate, isSecretLost = false }: DesiredRoute,
  { wildcards, websockets, httpsRedirect }: IngressRoutesOptions,
): Annotations => ({
  ...(wildcards !== null && isWildcard(hostname) ? lowestPriority[wildcards] : {}),
  ...(websockets === null ? {} : upgradesEverywhere[websockets]),
  // Without a certificate it would lead nowhere, and the challenge for the next one with it.
  ...(httpsRedirect !== null && backend && !isSecretLost && (hasCertificate || hasDefaultCertificate[httpsRedirect])
    ? leadsToHttps[httpsRedirect]
    : {}),
});

const annotated = (metadata: Metadata, more: Annotations): Metadata =>
  Object.keys(more).length === 0 ? metadata : { ...metadata, annotations: { ...metadata.annotations, ...more } };

const pathTo = (path: string, { name, port }: RouteBackend) => ({
  path,
  pathType: 'Prefix',
  backend: { service: { name, port: { number: port } } },
});

/** Routes as Ingresses of one class, one for each hostname. `suffix` follows the hostname's own name in theirs. */
export function createIngressRoutes(options: IngressRoutesOptions, suffix = ''): RouteImplementation {
  return Object.freeze({
    kinds: { ingresses: { kind: IngressKind, suffixes: [suffix], wildcardSuffixes: [`${suffix}${suspendedSuffix}`] } },
    servesWildcards: options.wildcards !== null,
    manifests: (route) => [ingressManifest(route, options, suffix)],
    suspensions: (route) =>
      hasSuspended(route) ? [suspendedManifest(route, route.suspendedBelow, options, suffix)] : [],
    backendOf: (objects) => backendOf(ownOf(objects)),
    secretOf: (objects) => ownOf(objects)?.spec?.tls?.[0]?.secretName,
    // An Ingress has no conditions.
    findingsOf: () => noRouteFindings,
  } satisfies RouteImplementation);
}

/** That of the hostname itself. */
const ownOf = (objects: readonly KubernetesObject[]): Ingress | undefined =>
  objects.find(({ metadata }) => !metadata.name.endsWith(suspendedSuffix));

const backendOf = (ingress: Ingress | undefined): string | undefined =>
  ingress?.spec?.rules?.[0]?.http?.paths.find(({ path }) => path === everything)?.backend.service?.name;
