import type { Condition as ReadCondition } from '../generated/object-meta.ts';
import { schemaBounds, clip } from '../resources/object-limits.ts';
import type { CodeRow } from './codes/code-rows.ts';
import type { Reason } from './reasons.ts';

/**
 * A condition as Kubernetes defines it (metav1.Condition): an observation, keyed by type. When read from the cluster
 * its reason may be any text, as another version may have written it; what we write has a reason of rules/reasons.ts, and a
 * message without times and generated names, so that it does not change at every reconcile.
 */
export interface Condition<R extends string = string> extends Omit<ReadCondition, 'reason'> {
  /** one CamelCase word */
  readonly reason: R;
}

/** What a step concludes: a condition before its time and generation are added. */
export type Finding<R extends Reason = Reason> = Pick<Condition<R>, 'status' | 'reason' | 'message'>;

const finding =
  (status: Condition['status']) =>
  <R extends Reason>(reason: R, message: string): Finding<R> => ({ status, reason, message });

export const yes = finding('True');
export const no = finding('False');
export const unknown = finding('Unknown');

/** What is to be known for a reason's sentence; the message itself where its row has none. */
type Said<Row> = Row extends { readonly sentence: (...known: infer Known) => string } ? Known : [message: string];

/**
 * How findings of a table's reasons are made: each has the message that the row of its reason has, so that the two always agree. Where the row has
 * none, the message is given.
 */
export function findingsOf<Rows extends Readonly<Record<string, CodeRow>>>(rows: Rows) {
  const messageOf = (reason: keyof Rows, known: readonly unknown[]): string => {
    const sentence = rows[reason]?.sentence as ((...known: readonly unknown[]) => string) | undefined;
    return sentence ? sentence(...known) : String(known[0]);
  };
  const having =
    (status: Condition['status']) =>
    <R extends keyof Rows & Reason>(reason: R, ...known: Said<Rows[R]>): Finding<R> => ({
      status,
      reason,
      message: messageOf(reason, known),
    });
  return { yes: having('True'), no: having('False'), unknown: having('Unknown') };
}

/** RFC 3339 in whole seconds, as the kube-apiserver writes metav1.Time. */
export const timestamp = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

export const isTrue = (finding: { readonly status: string } | undefined): boolean => finding?.status === 'True';

/** The condition of a type, if there is one; for our conditions and cert-manager's. */
export function findCondition<T extends { readonly type: string }>(
  conditions: readonly T[] | undefined,
  type: string,
): T | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** All of them by their type. */
export const conditionsByType = <T extends { readonly type: string }>(
  conditions: readonly T[] = [],
): Readonly<Partial<Record<string, T>>> => Object.fromEntries(conditions.map((one) => [one.type, one]));

/** The finding that a condition was written from; undefined when its reason is none of `reasons`. */
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

interface Stamp {
  readonly generation: number;
  /** milliseconds since the Unix epoch */
  readonly now: number;
}

/**
 * What every status begins with: the findings as conditions, and the generation of the spec that they are about. Both go with one write, so that nobody
 * takes what was so of an earlier spec for what is so of this one (kstatus, https://github.com/kubernetes-sigs/cli-utils/tree/master/pkg/kstatus).
 * Conditions are in the given order, messages clipped; lastTransitionTime changes only with the status.
 */
export function observedConditions(
  findings: Readonly<Record<string, Finding>>,
  before: readonly Condition[] | undefined,
  { generation: observedGeneration, now }: Stamp,
) {
  const conditions = Object.entries(findings).map(([type, { status, reason, message }]): Condition<Reason> => {
    const earlier = findCondition(before, type);
    const lastTransitionTime = earlier?.status === status ? earlier.lastTransitionTime : timestamp(now);
    return {
      type,
      status,
      reason,
      message: clip(message, schemaBounds.message),
      observedGeneration,
      lastTransitionTime,
    };
  });
  return { observedGeneration, conditions };
}
