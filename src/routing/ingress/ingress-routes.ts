import type { Ingress } from '../../resources/kubernetes-types.ts';
import { IngressKind } from '../../resources/kinds.ts';
import type { RouteImplementation } from '../route-port.ts';
import { ingressManifest } from './ingress-manifest.ts';

/** Routes as Ingresses of one class, one for each hostname. */
export function createIngressRoutes({ className }: { readonly className: string }): RouteImplementation {
  return Object.freeze({
    kinds: { ingresses: IngressKind },
    manifests: (route) => [ingressManifest(route, className)],
    backendOf: ([ingress]) => backendOf(ingress as Ingress | undefined),
  } satisfies RouteImplementation);
}

const backendOf = (ingress: Ingress | undefined): string | undefined =>
  ingress?.spec?.rules?.[0]?.http?.paths[0]?.backend.service?.name;
