import type {
  EventRecord,
  Intent,
  Kind,
  KubernetesObject,
  ObjectKey,
  Preconditions,
} from '../kubernetes/kubernetes-port.ts';
import { identityOf, preconditionsOf } from '../kubernetes/object-keys.ts';

/** One write to the cluster, as plain data that can be printed and compared. */
export type WriteAction =
  | {
      readonly verb: 'apply';
      readonly kind: Kind;
      readonly object: Intent;
      /** the object as it was read for this decision, of a kind that is not cached; null when there was none */
      readonly live?: KubernetesObject | null;
    }
  | { readonly verb: 'applyStatus'; readonly kind: Kind; readonly object: Intent }
  | { readonly verb: 'create'; readonly kind: Kind; readonly object: Intent }
  | { readonly verb: 'replace'; readonly kind: Kind; readonly object: KubernetesObject & { readonly spec?: unknown } }
  | { readonly verb: 'replaceStatus'; readonly kind: Kind; readonly object: KubernetesObject }
  | { readonly verb: 'remove'; readonly kind: Kind; readonly key: ObjectKey; readonly preconditions?: Preconditions };

/** What a reconcile decided. Writes are applied in this order, the status last. */
export interface Actions {
  readonly writes: readonly WriteAction[];
  readonly events: readonly EventRecord[];
  /** milliseconds since the Unix epoch; null when only an event brings the key back */
  readonly requeueAt: number | null;
}

/** The result of a successful reconcile. */
export interface ReconcileResult {
  /** when to requeue the key, in milliseconds from now; absent when only an event brings it back */
  readonly requeueAfterMs?: number;
  /** true while somebody waits for what the next reconcile finds */
  readonly isAwaited?: true;
  /** why the cluster refused a write, as the object's status says by now: the key is tried again as after a failure, at the latest */
  readonly refused?: unknown;
}

export const noActions: Actions = Object.freeze({ writes: [], events: [], requeueAt: null });

/** The earliest of several times; null when all of them are null. */
export function earliest(...times: readonly (number | null)[]): number | null {
  const known = times.filter((time): time is number => time !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/** Deletes exactly the object that was read; an object created under the same name since then is kept. */
export function removeAction(kind: Kind, object: Pick<KubernetesObject, 'metadata'>): WriteAction {
  const { namespace = '', name } = object.metadata;
  return { verb: 'remove', kind, key: { namespace, name }, preconditions: preconditionsOf(object) };
}

/** Applies `status` as the complete set of status fields that we own. */
export const statusAction = (kind: Kind, object: Pick<KubernetesObject, 'metadata'>, status: object): WriteAction => ({
  verb: 'applyStatus',
  kind,
  object: { apiVersion: kind.apiVersion, kind: kind.kind, metadata: identityOf(object), status },
});
