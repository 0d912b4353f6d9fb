import { schemaBounds, clip } from '../resources/object-limits.ts';
import type { Reason } from './reasons.ts';

/**
 * A condition as Kubernetes defines it (metav1.Condition): an observation, keyed by type. As it is read from the cluster
 * its reason is any text, for another version may have written it; what we write carries a reason of rules/reasons.ts.
 */
export interface Condition<R extends string = string> {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  /** one CamelCase word */
  readonly reason: R;
  /** for people; no times and no generated names, so that it does not flap */
  readonly message: string;
  readonly observedGeneration?: number;
  /** RFC 3339, seconds */
  readonly lastTransitionTime: string;
}

/** What a step concludes; time and generation are added when it is written. */
export type Finding<R extends Reason = Reason> = Pick<Condition<R>, 'status' | 'reason' | 'message'>;

export const yes = <R extends Reason>(reason: R, message: string): Finding<R> => ({ status: 'True', reason, message });
export const no = <R extends Reason>(reason: R, message: string): Finding<R> => ({ status: 'False', reason, message });
export const unknown = <R extends Reason>(reason: R, message: string): Finding<R> => ({
  status: 'Unknown',
  reason,
  message,
});

/** RFC 3339 with seconds, as the API server writes metav1.Time. */
export const timestamp = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

export const isTrue = (finding: { readonly status: string } | undefined): boolean => finding?.status === 'True';

/** The condition of a type, if there is one; ours and cert-manager's alike. */
export function findCondition<T extends { readonly type: string }>(
  conditions: readonly T[] | undefined,
  type: string,
): T | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** A condition that was read as the finding it was, where its reason is one of these; undefined where it is none. */
export function findingIn<R extends Reason>(
  condition: Condition | undefined,
  reasons: Readonly<Record<R, unknown>>,
): Finding<R> | undefined {
  if (!condition || !isReason(condition.reason, reasons)) return undefined;
  const { status, reason, message } = condition;
  return { status, reason, message };
}

const isReason = <R extends Reason>(reason: string, reasons: Readonly<Record<R, unknown>>): reason is R =>
  Object.hasOwn(reasons, reason);

export interface Stamp {
  readonly generation: number;
  /** milliseconds since the Unix epoch */
  readonly now: number;
}

/** Findings as conditions, in the order given and within bounds; lastTransitionTime moves only with the status. */
export function conditionsFrom(
  findings: Readonly<Record<string, Finding>>,
  before: readonly Condition[] | undefined,
  stamp: Stamp,
): readonly Condition<Reason>[] {
  return Object.entries(findings).map(([type, finding]) => {
    const earlier = findCondition(before, type);
    const kept = earlier?.status === finding.status ? earlier.lastTransitionTime : undefined;
    return {
      type,
      ...finding,
      message: clip(finding.message, schemaBounds.message),
      observedGeneration: stamp.generation,
      lastTransitionTime: kept ?? timestamp(stamp.now),
    };
  });
}
