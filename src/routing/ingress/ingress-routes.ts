import type { KubernetesObject } from '../../kubernetes/kubernetes-port.ts';
import { childMetadata } from '../../resources/object-metadata.ts';
import { childName } from '../../rules/dns-target.ts';
import { challengePath, tokenPath } from '../../rules/domain-token.ts';
import { isWildcard } from '../../rules/wildcard.ts';
import { redirectBackend } from '../redirect-service.ts';
import { noRouteFindings } from '../route-findings.ts';
import type { Annotations, IngressController } from '../edges/controllers.ts';
import type { DesiredRoute, RouteBackend, RouteImplementation } from '../route-port.ts';
import { hasSuspended, suspendedSuffix } from '../route-port.ts';
import type { Ingress } from '../../resources/kubernetes-types.ts';
import { IngressKind } from '../../resources/kinds.ts';

const everything = '/';

/** The class of Ingresses, and what the controller that serves them has to be told. */
export interface IngressClass {
  readonly className: string;
  readonly controller: IngressController;
}

/** networking.k8s.io/v1, one hostname; no annotation but those that the controller has to be told by. */
function ingressManifest(route: DesiredRoute, { className, controller }: IngressClass, suffix: string) {
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
    metadata: annotated(metadata, annotationsOf(route, controller)),
    spec: {
      ingressClassName: className,
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
  { className }: IngressClass,
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

const annotationsOf = (
  { hostname, backend, hasCertificate, isSecretLost = false }: DesiredRoute,
  { annotations, wildcardAnnotations, httpsRedirect }: IngressController,
): Annotations => ({
  ...(isWildcard(hostname) ? wildcardAnnotations : {}),
  ...annotations,
  // Without a certificate it would lead nowhere, and the challenge for the next one with it.
  ...(httpsRedirect && backend && !isSecretLost && (hasCertificate || httpsRedirect.hasDefaultCertificate)
    ? httpsRedirect.annotations
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
export function createIngressRoutes(options: IngressClass, suffix = ''): RouteImplementation {
  return Object.freeze({
    kinds: { ingresses: { kind: IngressKind, suffixes: [suffix], wildcardSuffixes: [`${suffix}${suspendedSuffix}`] } },
    servesWildcards: options.controller.wildcardAnnotations !== null,
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
