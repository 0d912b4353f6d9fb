import type { Intent, Kind, KubernetesObject, ObjectKey, Preconditions } from '../kubernetes/kubernetes-port.ts';
import { identityOf, preconditionsOf } from '../kubernetes/object-keys.ts';

/** One thing to do to the cluster, as plain data that can be printed and compared. */
export type WriteAction =
  | { readonly verb: 'apply'; readonly kind: Kind; readonly object: Intent }
  | { readonly verb: 'applyStatus'; readonly kind: Kind; readonly object: Intent }
  | { readonly verb: 'create'; readonly kind: Kind; readonly object: Intent }
  | { readonly verb: 'replace'; readonly kind: Kind; readonly object: KubernetesObject & { readonly spec?: unknown } }
  | { readonly verb: 'replaceStatus'; readonly kind: Kind; readonly object: KubernetesObject }
  | { readonly verb: 'remove'; readonly kind: Kind; readonly key: ObjectKey; readonly preconditions?: Preconditions };

/** Something worth telling people about an object, once. */
export interface EventRecord {
  readonly about: KubernetesObject;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** What a reconcile decided: done in this order, the status last. */
export interface Actions {
  readonly writes: readonly WriteAction[];
  readonly events: readonly EventRecord[];
  /** milliseconds since the Unix epoch; null when only an event brings the key back */
  readonly requeueAt: number | null;
}

/** What the queue is told: nothing, or when to come back (milliseconds from now). */
export interface ReconcileResult {
  readonly requeueAfterMs?: number;
}

export const noActions: Actions = Object.freeze({ writes: [], events: [], requeueAt: null });

/** The earliest of several times, null where there is none. */
export function earliest(...times: readonly (number | null)[]): number | null {
  const known = times.filter((time): time is number => time !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/** Deletes the object that was read; one that has taken its name since stays. */
export function removeAction(kind: Kind, object: Pick<KubernetesObject, 'metadata'>): WriteAction {
  const { namespace = '', name } = object.metadata;
  return { verb: 'remove', kind, key: { namespace, name }, preconditions: preconditionsOf(object) };
}

/** Applies what we say of the object's status, all of it. */
export const statusAction = (kind: Kind, object: Pick<KubernetesObject, 'metadata'>, status: object): WriteAction => ({
  verb: 'applyStatus',
  kind,
  object: { apiVersion: kind.apiVersion, kind: kind.kind, metadata: identityOf(object), status },
});
