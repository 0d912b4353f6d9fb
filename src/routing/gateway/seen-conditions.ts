import type { KubernetesObject } from '../../kubernetes/kubernetes-port.ts';
import type {
  GatewayCondition,
  HttpRoute,
  ListenerSet,
  ParentReference,
  RouteParentStatus,
} from '../../resources/gateway-types.ts';
import { ListenerSetKind } from '../../resources/kinds.ts';

/** Types of conditions that are read, and the status in which each is a fault or worth telling. */
const worthTelling: Readonly<Partial<Record<string, string>>> = {
  Accepted: 'False',
  ResolvedRefs: 'False',
  Programmed: 'False',
  Conflicted: 'True',
  OverlappingTLSConfig: 'True',
};

const isRead = ({ type }: GatewayCondition): boolean => Object.hasOwn(worthTelling, type);

export const isWorthTelling = ({ type, status }: GatewayCondition): boolean => worthTelling[type] === status;

/** The API gives new objects conditions that are Unknown: nobody has said those. */
const isSaid = ({ status }: GatewayCondition): boolean => status !== 'Unknown';

/** What anybody has said of an object, in any of its generations. */
export const conditionsOf = (object: KubernetesObject): readonly GatewayCondition[] =>
  (object.kind === ListenerSetKind.kind
    ? ofListenerSet(object)
    : parentsOf(object).flatMap(({ conditions = [] }) => conditions)
  ).filter(isSaid);

/**
 * What `controller` says of an object as it is now: of its present generation and, of a route, as attached to what it was attached to by us. The
 * status of a ListenerSet does not name who wrote it.
 */
export function answersOf(object: KubernetesObject, controller: string | null): readonly GatewayCondition[] {
  if (controller === null) return [];
  const said =
    object.kind === ListenerSetKind.kind
      ? ofListenerSet(object)
      : parentsOf(object)
          .filter((parent) => parent.controllerName === controller && isOurParent(parent, object))
          .flatMap(({ conditions = [] }) => conditions);
  return said.filter((one) => isSaid(one) && one.observedGeneration === object.metadata.generation);
}

function ofListenerSet({ status = {} }: ListenerSet): readonly GatewayCondition[] {
  const { conditions = [], listeners = [] } = status;
  return [...conditions, ...listeners.flatMap((listener) => listener.conditions ?? [])];
}

const parentsOf = (object: KubernetesObject): readonly RouteParentStatus[] =>
  (object as HttpRoute).status?.parents ?? [];

const isOurParent = ({ parentRef }: RouteParentStatus, route: HttpRoute): boolean =>
  (route.spec?.parentRefs ?? []).some((wanted) => parentText(wanted, route) === parentText(parentRef, route));

const parentText = (parent: ParentReference, { metadata }: KubernetesObject): string => {
  const { group = 'gateway.networking.k8s.io', kind = 'Gateway', namespace = metadata.namespace } = parent;
  return [group, kind, namespace, parent.name, parent.sectionName ?? ''].join('/');
};

/**
 * What caches keep of the status of a hostname's objects, of which there are several for each hostname: which generation was answered, and
 * reason and time of what is worth telling. Messages name other objects, and counts change with every neighbour. Fields that are absent
 * stay absent.
 */

/** A ListenerSet with the conditions that are read here. */
export function keptOfListenerSet(object: KubernetesObject): KubernetesObject {
  const { status, ...rest } = object as ListenerSet;
  if (status === undefined) return object;
  const { conditions, listeners } = status;
  const kept = {
    ...keptConditions(conditions),
    ...(listeners === undefined
      ? {}
      : { listeners: listeners.map((one) => ({ name: one.name, ...keptConditions(one.conditions) })) }),
  };
  return { ...rest, status: kept } as ListenerSet;
}

/** An HTTPRoute with the conditions that are read here, of each of its parents. */
export function keptOfHttpRoute(object: KubernetesObject): KubernetesObject {
  const { status, ...rest } = object as HttpRoute;
  if (status?.parents === undefined) return object;
  return { ...rest, status: { parents: status.parents.map(keptParent) } } as HttpRoute;
}

const keptParent = ({ parentRef, controllerName, conditions }: RouteParentStatus): RouteParentStatus => ({
  parentRef,
  controllerName,
  ...keptConditions(conditions),
});

const keptConditions = (conditions: readonly GatewayCondition[] | undefined) =>
  conditions === undefined ? {} : { conditions: conditions.filter(isRead).map(keptCondition) };

/** Of one that is as it should be, neither its reason nor its time. */
function keptCondition(condition: GatewayCondition): GatewayCondition {
  const { type, status, reason, observedGeneration, lastTransitionTime } = condition;
  const generation = observedGeneration === undefined ? {} : { observedGeneration };
  if (!isWorthTelling(condition)) return { type, status, ...generation };
  return {
    type,
    status,
    ...generation,
    ...(reason === undefined ? {} : { reason }),
    ...(lastTransitionTime === undefined ? {} : { lastTransitionTime }),
  };
}
