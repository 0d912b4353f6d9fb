import type { KubernetesObject, EventRecord } from '../kubernetes/kubernetes-port.ts';
import type { WriteAction } from '../controller-runtime/actions.ts';
import type { IssueAct } from '../rules/issue-acts.ts';
import { actSentence } from '../rules/issue-acts.ts';
import type { IssueParams } from '../rules/issue-params.ts';
import { issueSentence } from '../rules/issue-params.ts';
import type { EventReason } from '../rules/reasons.ts';
import type { RefusalCode } from '../rules/codes/refusal-codes.ts';
import type { Refusal } from '../rules/write-refusal.ts';

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
export function refusalHead(refused: RefusedWrite): string {
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
