import type { KubernetesObject } from '../../kubernetes/kubernetes-port.ts';
import type { GatewayCondition, HttpRoute, ListenerSet, RouteParentStatus } from '../../resources/gateway-types.ts';
import { isRead, isWorthTelling } from './seen-conditions.ts';

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
