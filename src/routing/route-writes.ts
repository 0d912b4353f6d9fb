import type { WriteAction } from '../controller-runtime/actions.ts';
import { removeAction } from '../controller-runtime/actions.ts';
import type { Kind, KubernetesObject } from '../kubernetes/kubernetes-port.ts';
import { childName } from '../rules/dns-target.ts';
import type { DesiredRoute, ObservedRoute, RouteImplementation } from './route-port.ts';

type Kinds = Pick<RouteImplementation, 'kinds'>;

/** Creates a hostname's route or updates it to what is wanted. */
export const applyRoute = (routes: RouteImplementation, wanted: DesiredRoute): readonly WriteAction[] =>
  routes.manifests(wanted).map((object) => ({ verb: 'apply', kind: kindOf(routes, object), object }));

/** Deletes a route, on condition that its objects are exactly those that were read. */
export const removeRoute = (routes: Kinds, { objects }: ObservedRoute): readonly WriteAction[] =>
  objects.map((object) => removeAction(kindOf(routes, object), object));

/** Deletes whatever route a hostname has in a namespace. */
export const removeRouteOf = (routes: Kinds, namespace: string, hostname: string): readonly WriteAction[] =>
  Object.values(routes.kinds).map((kind) => ({ verb: 'remove', kind, key: { namespace, name: childName(hostname) } }));

/** True when the owner with this uid owns every object of the route. */
export const isRouteOwnedBy = ({ objects }: ObservedRoute, uid: string | undefined): boolean =>
  objects.every(({ metadata }) => metadata.ownerReferences?.some((owner) => owner.uid === uid) ?? false);

function kindOf({ kinds }: Kinds, { apiVersion, kind: name }: KubernetesObject): Kind {
  const kind = Object.values(kinds).find((known) => known.kind === name && known.apiVersion === apiVersion);
  if (!kind) throw new Error(`${apiVersion} ${name} is not a kind that routes consist of`);
  return kind;
}
