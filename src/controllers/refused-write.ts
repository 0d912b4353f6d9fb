import type { KubernetesObject, EventRecord } from '../kubernetes/kubernetes-port.ts';
import type { WriteAction } from '../controller-runtime/actions.ts';
import type { IssueAct } from '../rules/issue-acts.ts';
import { actSentence } from '../rules/issue-acts.ts';
import type { IssueParams } from '../rules/issue-params.ts';
import { issueSentence } from '../rules/issue-params.ts';
import type { EventReason } from '../rules/reasons.ts';
import type { RefusalCode } from '../rules/codes/refusal-codes.ts';
import type { Refusal } from '../rules/write-refusal.ts';
import type { Condition, Finding } from '../rules/conditions.ts';
import { findCondition, no } from '../rules/conditions.ts';

/** A write that the kube-apiserver refused, as plain data: what was to be written, and why it was not. */
export interface RefusedWrite extends Refusal {
  readonly kind: string;
  /** '' for cluster-scoped kinds */
  readonly namespace: string;
  readonly name: string;
}

/** Namespace ('' without one) and name of the object that is written. */
export function targetOf(action: WriteAction): Pick<RefusedWrite, 'namespace' | 'name'> {
  if (action.verb === 'remove') return action.key;
  const { namespace = '', name } = action.object.metadata;
  return { namespace, name };
}

export const refusedWrite = (action: WriteAction, { code, by, said }: Refusal): RefusedWrite => {
  const { namespace, name } = targetOf(action);
  return { kind: action.kind.kind, namespace, name, code, by, said };
};

/** The object that is written, as far as an Event names it; it may not be there. */
export function objectOf(action: WriteAction): KubernetesObject {
  if (action.verb !== 'remove') return action.object;
  const { apiVersion, kind } = action.kind;
  const { namespace, name } = action.key;
  return { apiVersion, kind, metadata: { name, ...(namespace === '' ? {} : { namespace }) } };
}

/** What has to be done, by whom: nobody who only edits DNS records can. */
const acts: Readonly<Record<RefusalCode, IssueAct>> = {
  QuotaFull: 'MakeRoomInQuota',
  AdmissionDenied: 'PermitWrite',
  AdmissionUnavailable: 'RepairWebhook',
  WriteUnanswered: 'RepairWebhook',
  OperatorForbidden: 'GrantRights',
  FieldsOwnedElsewhere: 'LeaveFields',
  NameTaken: 'FreeName',
  NamespaceEnding: 'AwaitNamespace',
  ObjectRejected: 'ReportRejection',
};

export const actOfRefusal = ({ code }: Pick<Refusal, 'code'>): IssueAct => acts[code];

/** What the sentences of code and act mention. */
export const refusalPlace = ({ kind, namespace, name, by }: RefusedWrite): IssueParams => ({
  object: namespace === '' ? `${kind} ${name}` : `${kind} ${namespace}/${name}`,
  by,
});

/** What was refused and what has to be done about it, without the kube-apiserver's own words: the same as long as that is. */
function refusalHead(refused: RefusedWrite): string {
  const params = refusalPlace(refused);
  const todo = actSentence(actOfRefusal(refused), { params, delete: [], create: [] });
  return `${issueSentence(refused.code, params)}: ${todo}; the kube-apiserver says: `;
}

/** A Warning about the object that has to wait for the writes; of several the first speaks. */
export function refusalEvent(
  about: KubernetesObject,
  [first, ...others]: readonly [RefusedWrite, ...RefusedWrite[]],
): EventRecord {
  const reason: EventReason = 'WriteRefused';
  const more = others.length === 0 ? '' : `; and ${others.length} more`;
  return { about, type: 'Warning', reason, message: `${refusalHead(first)}${first.said}${more}` };
}

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
