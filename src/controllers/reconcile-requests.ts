import type { KubernetesObject } from '../kubernetes/kubernetes-port.ts';

/** A change of one object, as a cache tells it. */
export interface Change<T extends KubernetesObject = KubernetesObject> {
  readonly type: 'added' | 'modified' | 'deleted';
  readonly object: T;
  readonly previous: T | undefined;
}

/** The controllers a change can wake, each with the keys to reconcile. */
export interface ReconcileKeys {
  readonly plan?: readonly string[];
  readonly account?: readonly string[];
  readonly redirectorEndpoints?: readonly string[];
  readonly project?: readonly string[];
  readonly projectDomain?: readonly string[];
  readonly hostnameClaim?: readonly string[];
  /** one key: the ledger of the issuer that is ordered of */
  readonly orderLedger?: readonly string[];
  readonly acmeIssuer?: readonly string[];
  /** hostnames whose orders the operator places itself */
  readonly acmeOrder?: readonly string[];
  /** hostnames with certificates that have to be revoked */
  readonly revocation?: readonly string[];
  readonly apiKey?: readonly string[];
  readonly orphan?: readonly string[];
  /** routing classes whose Gateways have listeners of hostnames */
  readonly gatewayListeners?: readonly string[];
}

/** Keys that one change concerns although there may be very many of them: found in slices, reconciled behind clicks. */
export interface KeySweep {
  /** two sweeps of the same name are the same work */
  readonly name: string;
  /** somebody waits for its end: it is repeated without a pause */
  readonly isUrgent?: boolean;
  readonly pieces: () => Iterable<ReconcileKeys>;
}

export interface ReconcileRequests extends ReconcileKeys {
  /** keys that have waited for this, and whose turn does not last: before what else their share waits for */
  readonly ahead?: ReconcileKeys;
  readonly sweeps?: readonly KeySweep[];
}

/** A change of intent: what somebody wrote, annotations included. Our own status writes are not one. */
export function isIntent({ type, object, previous }: Change): boolean {
  if (type !== 'modified' || previous === undefined) return true;
  return (
    isDecisive({ type, object, previous }) ||
    isDifferent(object.metadata.annotations, previous.metadata.annotations) ||
    isDifferent(object.metadata.labels, previous.metadata.labels)
  );
}

/**
 * A change of what others decide from: spec (by its generation), owners or deletion. A kind without generations has no
 * echo of status writes; every change of it counts.
 */
export function isDecisive({ type, object, previous }: Change): boolean {
  if (type !== 'modified' || previous === undefined) return true;
  const [after, before] = [object.metadata, previous.metadata];
  if (after.generation === undefined || after.generation !== before.generation) return true;
  return (
    after.deletionTimestamp !== before.deletionTimestamp || isDifferent(after.ownerReferences, before.ownerReferences)
  );
}

export const isDifferent = (a: unknown, b: unknown): boolean => JSON.stringify(a) !== JSON.stringify(b);
