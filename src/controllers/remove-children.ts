import type { WriteAction } from '../controller-runtime/actions.ts';
import { removeAction } from '../controller-runtime/actions.ts';
import type { KubernetesObject } from '../kubernetes/kubernetes-port.ts';
import { CertificateKind } from '../resources/kinds.ts';
import type { Owner } from '../resources/object-metadata.ts';
import { disarmKept, areRemovableBy, removeRoute } from '../routing/route-writes.ts';
import type { ObservedRoute, RouteImplementation } from '../routing/route-port.ts';

interface Children {
  readonly hostname: string;
  readonly route: ObservedRoute | undefined;
  readonly certificate: KubernetesObject | undefined;
}

interface Removing {
  /** whose children they are */
  readonly owner: Owner & { readonly metadata: { readonly namespace?: string } };
  /** whether the hostname's claim names it */
  readonly isHolder: boolean;
}

/**
 * Deletes route and certificate of a hostname; its claim and TLS Secret stay. Only what this very owner has, as the name's next holder may have its own under the
 * same name. While it is the holder itself, only what another controller owns stays.
 */
export function removeChildren(
  routes: RouteImplementation,
  { hostname, route, certificate }: Children,
  { owner, isHolder }: Removing,
): readonly WriteAction[] {
  const { uid, namespace = '' } = owner.metadata;
  const remover = { uid, isHolder };
  return [
    ...(route && areRemovableBy(route.objects, remover)
      ? [
          ...removeRoute(routes, route),
          ...disarmKept(routes, { namespace, hostname, ...route, ...(isHolder && { holder: owner }) }),
        ]
      : []),
    ...(certificate && areRemovableBy([certificate], remover) ? [removeAction(CertificateKind, certificate)] : []),
  ];
}
