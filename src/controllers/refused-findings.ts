import type { Condition, Finding } from '../rules/conditions.ts';
import { findCondition, no } from '../rules/conditions.ts';
import type { RefusedWrite } from './refused-write.ts';
import { refusalHead } from './refused-write.ts';

interface Saying {
  /** the condition of the step that a write belongs to */
  readonly conditionOf: (refused: RefusedWrite) => string;
  /** the conditions as they are */
  readonly before: readonly Condition[] | undefined;
}

/**
 * The findings of a reconcile with what the cluster refused of it. What is true stays true, as what was there before the write still is; a no
 * keeps its own reason, which somebody has to resolve too; anything else says no for the refusal. Pure.
 */
export function withRefusals<T extends Readonly<Record<keyof T, Finding>>>(
  findings: T,
  refused: readonly RefusedWrite[],
  { conditionOf, before }: Saying,
): T {
  if (refused.length === 0) return findings;
  const byCondition = Map.groupBy(refused, conditionOf);
  const said = Object.entries<Finding>(findings).map(([type, finding]) => {
    const [first, ...others] = byCondition.get(type) ?? [];
    return [type, first ? refusedFinding(finding, [first, ...others], findCondition(before, type)) : finding] as const;
  });
  return Object.fromEntries(said) as unknown as T;
}

/**
 * The message stays as it was while the same is refused by the same: the kube-apiserver's words may have a time or a number in them that is another
 * at each attempt, and a status is not to be written for that.
 */
function refusedFinding(
  finding: Finding,
  [first, ...others]: readonly [RefusedWrite, ...RefusedWrite[]],
  before: Condition | undefined,
): Finding {
  const isReplaced = finding.status === 'Unknown' && finding.reason !== 'ReadyToSwitch';
  const head = isReplaced ? refusalHead(first) : `${finding.message}; ${refusalHead(first)}`;
  const more = others.length === 0 ? '' : `; and ${others.length} more`;
  const message = before?.message.startsWith(head) ? before.message : `${head}${first.said}${more}`;
  if (isReplaced) return no('WriteRefused', message);
  return { ...finding, message, ...(finding.status === 'True' ? { reason: 'WriteRefused' } : {}) };
}
