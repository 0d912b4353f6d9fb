import type { WriteAction } from '../../controller-runtime/actions.ts';
import { removeAction } from '../../controller-runtime/actions.ts';
import { CertificateKind } from '../../resources/kinds.ts';
import { disarmKept } from '../../routing/kept-route.ts';
import { areRemovableBy, removeRoute } from '../../routing/route-writes.ts';
import { isPlatformHolder } from '../../rules/platform-hostname.ts';
import type { ProjectSnapshot } from './project-snapshot.ts';

/**
 * Deletes route and certificate of a platform hostname; its claim and TLS Secret stay. Only what this very project owns, as the name's next holder may have
 * its own under the same name. While it is the holder itself, only what another controller owns stays.
 */
export function withdrawPlatform({
  project,
  settings,
  hostname,
  route,
  certificate,
  claim,
}: ProjectSnapshot): readonly WriteAction[] {
  const { uid, namespace = '' } = project.metadata;
  const remover = { uid, isHolder: isPlatformHolder(claim, project) };
  return [
    ...(route && areRemovableBy(route.objects, remover)
      ? [
          ...removeRoute(settings.routes, route),
          ...disarmKept(settings.routes, {
            namespace,
            hostname,
            ...route,
            ...(remover.isHolder && { holder: project }),
          }),
        ]
      : []),
    ...(certificate && areRemovableBy([certificate], remover) ? [removeAction(CertificateKind, certificate)] : []),
  ];
}
