import type { KubernetesObject } from '../../kubernetes/kubernetes-port.ts';
import { childName } from '../../rules/dns-target.ts';
import { HttpRouteKind, ReferenceGrantKind } from '../../resources/kinds.ts';
import { childMetadata } from '../../resources/object-metadata.ts';
import { redirectBackend } from '../redirect-service.ts';
import type { DesiredRoute, RouteImplementation } from '../route-port.ts';
import { gatewayFindings } from './gateway-findings.ts';
import { listenerName, secretOfGrant, sharedListener } from './gateway-listeners.ts';
import type { GatewayReference } from './gateway-reference.ts';
import { edgeOf, gatewayGroup, toGateway } from './gateway-reference.ts';
import {
  backendOf,
  httpRoute,
  leadEverythingTo,
  otherRules,
  plainRules,
  rulesOfBoth,
  secureRules,
  secureSuffix,
} from './http-routes.ts';
import { keptOfHttpRoute } from './seen-conditions.ts';

/** The cache of the grants, by which the operator knows which hostnames are to have a listener. */
export const grantsCache = 'referenceGrants';

/**
 * Gateway API without ListenerSet: an HTTPRoute at the Gateway's shared listener for HTTP, one at the hostname's own listener for HTTPS, and,
 * once there is a certificate, a ReferenceGrant by which the Gateway may read it. The listener itself is written by whoever looks after the
 * Gateway, for as long as the grant is there. All else is as with ListenerSets (gateway-routes.ts). `sharesHostnames` is of the Gateway's
 * controller (GatewayController).
 */
export function createGatewayListenerRoutes(
  gateway: GatewayReference,
  suffix = '',
  sharesHostnames = true,
): RouteImplementation {
  return Object.freeze({
    kinds: {
      httpRoutes: { kind: HttpRouteKind, suffixes: [suffix, `${suffix}${secureSuffix}`], keep: keptOfHttpRoute },
      [grantsCache]: { kind: ReferenceGrantKind, suffixes: [suffix], head: headOfGrant },
    },
    servesWildcards: false,
    manifests: (route) => {
      const { hostname, backend, hasCertificate } = route;
      const own = `${childName(hostname)}${suffix}`;
      if (backend && !hasCertificate)
        return [httpRoute(route, { reference: toGateway(gateway), own }, leadEverythingTo(backend))];
      // Where one listener takes the hostname from another, a route at the shared one alone would lose it.
      const [plainly, securely, shared] = sharesHostnames
        ? [plainRules(route), secureRules(route), sharedListener]
        : [rulesOfBoth(route), otherRules(route), undefined];
      const plain = { reference: toGateway(gateway, shared), own };
      const secure = { reference: toGateway(gateway, listenerName(hostname)), own: `${own}${secureSuffix}` };
      return [
        // One without rules would be given a rule that answers everything with an error.
        ...(plainly.length > 0 ? [httpRoute(route, plain, plainly)] : []),
        ...(hasCertificate ? [referenceGrant(route, gateway, own)] : []),
        ...(securely.length > 0 ? [httpRoute(route, secure, securely)] : []),
      ];
    },
    // No wildcards, so nothing that one would catch.
    suspensions: () => [],
    backendOf,
    secretOf,
    findingsOf: (objects, look) =>
      gatewayFindings(
        objects.filter(({ kind }) => kind === HttpRouteKind.kind),
        look,
        {
          edge: edgeOf(gateway),
          service: backendOf(objects) ?? redirectBackend.name,
          secret: secretOf(objects) ?? '',
        },
      ),
  } satisfies RouteImplementation);
}

/** Whose it is, and since when. */
const headOfGrant = ({ apiVersion, kind, metadata }: KubernetesObject): KubernetesObject => {
  const { namespace = '', name, creationTimestamp = '' } = metadata;
  return { apiVersion, kind, metadata: { namespace, name, creationTimestamp } };
};

function secretOf(objects: readonly KubernetesObject[]): string | undefined {
  const grant = objects.find(({ kind }) => kind === ReferenceGrantKind.kind);
  return grant && secretOfGrant(grant);
}

/** The Secret that is served first. Until the listener follows a change, it refers to one of the others. */
function referenceGrant(route: DesiredRoute, { namespace }: GatewayReference, own: string) {
  const issued = childName(route.hostname);
  const { secretName = issued, otherSecrets = [] } = route;
  const names = new Set([secretName, issued, ...otherSecrets]);
  return {
    apiVersion: ReferenceGrantKind.apiVersion,
    kind: ReferenceGrantKind.kind,
    metadata: childMetadata(own, route),
    spec: {
      from: [{ group: gatewayGroup, kind: 'Gateway', namespace }],
      to: [...names].map((name) => ({ group: '', kind: 'Secret', name })),
    },
  };
}
