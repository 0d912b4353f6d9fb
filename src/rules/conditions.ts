import { schemaBounds, clip } from '../resources/schema-bounds.ts';

/** A condition as Kubernetes defines it (metav1.Condition): an observation, keyed by type. */
export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  /** one CamelCase word from rules/reasons.ts */
  readonly reason: string;
  /** for people; no times and no generated names, so that it does not flap */
  readonly message: string;
  readonly observedGeneration?: number;
  /** RFC 3339, seconds */
  readonly lastTransitionTime: string;
}

/** What a step concludes; time and generation are added when it is written. */
export type Finding = Pick<Condition, 'status' | 'reason' | 'message'>;

export const yes = (reason: string, message: string): Finding => ({ status: 'True', reason, message });
export const no = (reason: string, message: string): Finding => ({ status: 'False', reason, message });
export const unknown = (reason: string, message: string): Finding => ({ status: 'Unknown', reason, message });

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
): readonly Condition[] {
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
