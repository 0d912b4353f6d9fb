import type { Intent, Kind, KubeObject, ObjectKey, Preconditions } from '../kube/port.ts';

/** One thing to do to the cluster, as plain data that can be printed and compared. */
export type Action =
  | { readonly verb: 'apply'; readonly kind: Kind; readonly object: Intent }
  | { readonly verb: 'applyStatus'; readonly kind: Kind; readonly object: Intent }
  | { readonly verb: 'create'; readonly kind: Kind; readonly object: Intent }
  | { readonly verb: 'replace'; readonly kind: Kind; readonly object: KubeObject & { readonly spec?: unknown } }
  | { readonly verb: 'replaceStatus'; readonly kind: Kind; readonly object: KubeObject }
  | { readonly verb: 'remove'; readonly kind: Kind; readonly key: ObjectKey; readonly preconditions?: Preconditions };

/** Something worth telling people about an object, once. */
export interface Announcement {
  readonly about: KubeObject;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** What a reconcile decided: done in this order, the status last. */
export interface Plan {
  readonly actions: readonly Action[];
  readonly announcements: readonly Announcement[];
  /** milliseconds since the Unix epoch; null when only an event brings the key back */
  readonly revisitAt: number | null;
}

/** What the queue is told: nothing, or when to come back (milliseconds from now). */
export interface Outcome {
  readonly revisitAfterMs?: number;
}

export const nothingToDo: Plan = Object.freeze({ actions: [], announcements: [], revisitAt: null });

/** The earliest of several times, null where there is none. */
export function earliest(...times: readonly (number | null)[]): number | null {
  const known = times.filter((time): time is number => time !== null);
  return known.length === 0 ? null : Math.min(...known);
}
