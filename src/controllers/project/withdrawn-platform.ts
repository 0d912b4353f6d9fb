import type { WriteAction } from '../../controller-runtime/actions.ts';
import { removeAction } from '../../controller-runtime/actions.ts';
import { CertificateKind } from '../../resources/kinds.ts';
import { disarmKept } from '../../routing/kept-route.ts';
import { isRouteOwnedBy, removeRoute } from '../../routing/route-writes.ts';
import type { ProjectSnapshot } from './project-snapshot.ts';

/**
 * Deletes route and certificate of a platform hostname; its claim and TLS Secret stay. Only what this very project owns: the name's next holder may have
 * its own under the same name.
 */
export function withdrawPlatform({
  project,
  settings,
  hostname,
  route,
  certificate,
}: ProjectSnapshot): readonly WriteAction[] {
  const { uid, namespace = '' } = project.metadata;
  const ownsCertificate = certificate?.metadata.ownerReferences?.some((owner) => owner.uid === uid) ?? false;
  return [
    ...(route && isRouteOwnedBy(route, uid)
      ? [...removeRoute(settings.routes, route), ...disarmKept(settings.routes, { namespace, hostname, ...route })]
      : []),
    ...(certificate && ownsCertificate ? [removeAction(CertificateKind, certificate)] : []),
  ];
}
