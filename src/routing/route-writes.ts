import type { WriteAction } from '../controller-runtime/actions.ts';
import { removeAction } from '../controller-runtime/actions.ts';
import type { Intent, Kind, KubernetesObject } from '../kubernetes/kubernetes-port.ts';
import { isLeaving } from '../rules/leaving.ts';
import type { DesiredRoute, ObservedRoute, RouteImplementation } from './route-port.ts';
import { partsOf, suspendedSuffix } from './route-port.ts';
import type { Owner } from '../resources/object-metadata.ts';
import { redirectBackend } from './redirect-service.ts';

type Kinds = Pick<RouteImplementation, 'kinds'>;

/** Creates a hostname's route, or updates the one that is there to what is wanted: what is no part of that any more is deleted first. */
export function applyRoute(
  routes: RouteImplementation,
  wanted: DesiredRoute,
  before: ObservedRoute | undefined,
): readonly WriteAction[] {
  const objects = [...routes.suspensions(wanted), ...routes.manifests(wanted)];
  return writesFor(routes, objects, { owner: wanted.owner, objects: before?.objects ?? [] });
}

/** Deletes what the owner has beside these objects, and then applies them. */
function writesFor(
  routes: RouteImplementation,
  objects: readonly Intent[],
  before: Pick<ObservedRoute, 'objects'> & Pick<DesiredRoute, 'owner'>,
): readonly WriteAction[] {
  const isWanted = ({ kind, metadata }: KubernetesObject) =>
    objects.some((object) => object.kind === kind && object.metadata.name === metadata.name);
  const ours = before.objects.filter((object) => isOwnedBy(object, before.owner.metadata.uid));
  return [
    ...removeRoute(routes, { objects: ours.filter((object) => !isWanted(object)) }),
    ...objects.map((object) => ({ verb: 'apply', kind: kindOf(routes, object), object }) as const),
  ];
}

/** Creates, updates or deletes what keeps suspended hostnames from a wildcard's route, and leaves the route itself as it is. */
export function applySuspensions(
  routes: RouteImplementation,
  wanted: DesiredRoute,
  before: ObservedRoute | undefined,
): readonly WriteAction[] {
  const objects = before?.objects.filter(({ metadata }) => metadata.name.endsWith(suspendedSuffix)) ?? [];
  return writesFor(routes, routes.suspensions(wanted), { owner: wanted.owner, objects });
}

/** Deletes a route, on condition that its objects are exactly those that were read. What is deleted already and still kept is not deleted again. */
export const removeRoute = (routes: Kinds, { objects }: Pick<ObservedRoute, 'objects'>): readonly WriteAction[] =>
  objects.filter((object) => !isLeaving(object)).map((object) => removeAction(kindOf(routes, object), object));

/** Deletes whatever route a hostname has in a namespace. */
export const removeRouteOf = (routes: Kinds, namespace: string, hostname: string): readonly WriteAction[] =>
  partsOf(routes, namespace, hostname).map(({ kind, key }) => ({ verb: 'remove', kind, key }));

/** Whose a hostname's children may be. */
interface Remover {
  readonly uid: string | undefined;
  /** it holds the hostname's claim, and so whatever has the hostname's name in its namespace */
  readonly isHolder: boolean;
}

/**
 * True when these objects are all the remover's to delete. Of the hostname's holder that is also what nobody says is anybody's, as a mutating policy
 * may have taken the owner references away: only another controller keeps its own. Of anybody else it is what it owns itself.
 */
export const areRemovableBy = (objects: readonly KubernetesObject[], { uid, isHolder }: Remover): boolean =>
  isHolder
    ? !objects.some((object) => isOfOtherController(object, uid))
    : objects.every((object) => isOwnedBy(object, uid));

const isOfOtherController = ({ metadata }: KubernetesObject, uid: string | undefined): boolean =>
  metadata.ownerReferences?.some((owner) => owner.controller === true && owner.uid !== uid) ?? false;

const isOwnedBy = ({ metadata }: KubernetesObject, uid: string | undefined): boolean =>
  metadata.ownerReferences?.some((owner) => owner.uid === uid) ?? false;

/** The kind of one of a route's objects. Throws for any other object. */
function kindOf({ kinds }: Kinds, { apiVersion, kind: name }: KubernetesObject): Kind {
  const known = Object.values(kinds).find(({ kind }) => kind.kind === name && kind.apiVersion === apiVersion);
  if (!known) throw new Error(`${apiVersion} ${name} is not a kind that routes consist of`);
  return known.kind;
}

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
