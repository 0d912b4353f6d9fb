import type { WriteAction } from '../controller-runtime/actions.ts';
import type { KubernetesObject } from '../kubernetes/kubernetes-port.ts';
import type { Owner } from '../resources/object-metadata.ts';
import { isLeaving } from '../rules/leaving.ts';
import { redirectBackend } from './redirect-service.ts';
import type { RouteImplementation } from './route-port.ts';
import { kindOf } from './route-writes.ts';

interface KeptRoute {
  readonly namespace: string;
  readonly hostname: string;
  /** of its route, as they are in the cluster */
  readonly objects: readonly KubernetesObject[];
  /** whose it is where its objects do not say; absent: nothing becomes of such a one */
  readonly holder?: Owner;
}

/**
 * What is left of a route whose objects were deleted and are kept by somebody's finalizer: an edge goes on serving them. So they are changed to lead to
 * the redirector, which knows that nobody is served there. Nothing of objects that are not being deleted. Never makes one anew.
 */
export function disarmKept(
  routes: RouteImplementation,
  { namespace, hostname, objects, holder }: KeptRoute,
): readonly WriteAction[] {
  const kept = objects.filter(isLeaving);
  const owner = ownerOf(kept) ?? holder;
  if (owner === undefined || kept.length === 0) return [];
  const secretName = routes.secretOf(objects);
  const wanted = {
    namespace,
    hostname,
    owner,
    backend: redirectBackend,
    hasCertificate: secretName !== undefined,
    secretName,
  };
  return routes.manifests(wanted).flatMap((object) => {
    const one = kept.find(({ kind, metadata }) => kind === object.kind && metadata.name === object.metadata.name);
    const { uid } = one?.metadata ?? {};
    if (uid === undefined) return [];
    return [
      {
        verb: 'apply',
        kind: kindOf(routes, object),
        object: { ...object, metadata: { ...object.metadata, uid } },
      } as const,
    ];
  });
}

function ownerOf(objects: readonly KubernetesObject[]): Owner | undefined {
  const [owner] = objects.flatMap(
    ({ metadata }) => metadata.ownerReferences?.find(({ controller }) => controller) ?? [],
  );
  if (owner === undefined) return undefined;
  const { apiVersion, kind, name, uid } = owner;
  return { apiVersion, kind, metadata: { name, uid } };
}
