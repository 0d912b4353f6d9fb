import type { WriteAction } from '../controller-runtime/actions.ts';
import type { CertificateRequest } from '../resources/cert-manager-types.ts';
import { CertificateRequestKind } from '../resources/kinds.ts';
import { clip, schemaBounds } from '../resources/object-limits.ts';
import { findCondition, isTrue, timestamp } from '../rules/conditions.ts';

/** Writes all that is ours of a request's status. Fails with a conflict where the request has changed since it was read. */
function requestStatus(request: CertificateRequest, status: object): WriteAction {
  const { apiVersion, kind } = CertificateRequestKind;
  const { name, namespace, uid, resourceVersion } = request.metadata;
  const metadata = {
    name,
    ...(namespace ? { namespace } : {}),
    ...(uid ? { uid } : {}),
    ...(resourceVersion ? { resourceVersion } : {}),
  };
  return { verb: 'applyStatus', kind: CertificateRequestKind, object: { apiVersion, kind, metadata, status } };
}

/** Requests that are neither approved nor denied. */
export const undecided = (requests: readonly CertificateRequest[]): readonly CertificateRequest[] =>
  requests.filter((request) => {
    const conditions = request.status?.conditions;
    return !findCondition(conditions, 'Approved') && !findCondition(conditions, 'Denied');
  });

/**
 * Sets the Approved condition, as cmctl does; without it cert-manager orders nothing from this issuer. The write fails
 * with a conflict when the request has changed since it was read.
 */
export function approveRequest(request: CertificateRequest, now: number): WriteAction {
  const condition = {
    type: 'Approved',
    status: 'True',
    reason: 'projectdomain.io',
    message: 'DNS, CAA, the request itself and the order ledger agree',
    lastTransitionTime: timestamp(now),
  };
  return requestStatus(request, { conditions: [condition] });
}

/**
 * Denies a request for good, by cert-manager's contract for external issuers. Only for one of no Certificate of ours: cert-manager would
 * wait an hour with the next one.
 */
export function denyRequest(request: CertificateRequest, why: string, now: number): WriteAction {
  const message = clip(why, schemaBounds.message);
  const at = timestamp(now);
  const denied = { type: 'Denied', status: 'True', reason: 'projectdomain.io', message, lastTransitionTime: at };
  const ready = { type: 'Ready', status: 'False', reason: 'Denied', message, lastTransitionTime: at };
  return requestStatus(request, { failureTime: at, conditions: [denied, ready] });
}

/** Says in a condition of the request why it waits; the request stays neither approved nor denied. */
export function withholdApproval(request: CertificateRequest, why: string, now: number): readonly WriteAction[] {
  const message = clip(why, schemaBounds.message);
  const before = findCondition(request.status?.conditions, 'ApprovalWithheld');
  if (before?.message === message) return [];
  const lastTransitionTime = before?.lastTransitionTime ?? timestamp(now);
  const condition = { type: 'ApprovalWithheld', status: 'True', reason: 'Waiting', message, lastTransitionTime };
  return [requestStatus(request, { conditions: [condition] })];
}

/**
 * How far a CertificateRequest of an AcmeIssuer is, by cert-manager's contract for external issuers: its condition Ready is False with
 * reason Pending while it is worked on, Failed once its order has ended, and True with the certificate in the status.
 */

export const isApproved = ({ status }: CertificateRequest): boolean =>
  isTrue(findCondition(status?.conditions, 'Approved'));

/** Neither a certificate nor a failure follows any more. */
export function isEnded({ status }: CertificateRequest): boolean {
  const ready = findCondition(status?.conditions, 'Ready');
  return isTrue(ready) || ready?.reason === 'Failed' || ready?.reason === 'Denied';
}

/** Approved, and a certificate or a failure follows. */
export const isUnderWay = (request: CertificateRequest): boolean => isApproved(request) && !isEnded(request);

/** What the order of a request that is under way waits for, as pendingRequest wrote it; undefined while it says nothing. */
export const pendingMessage = (request: CertificateRequest): string | undefined =>
  isUnderWay(request) ? findCondition(request.status?.conditions, 'Ready')?.message : undefined;

/** `chain` as PEM, the certificate first. `now` in milliseconds since the Unix epoch, in all of these. */
export const issuedRequest = (request: CertificateRequest, chain: string, now: number): WriteAction =>
  outcome(request, {
    ready: { status: 'True', reason: 'Issued', message: 'the certificate is issued' },
    fields: { certificate: Buffer.from(chain).toString('base64') },
    now,
  });

export const failedRequest = (request: CertificateRequest, message: string, now: number): WriteAction =>
  outcome(request, {
    ready: { status: 'False', reason: 'Failed', message },
    fields: { failureTime: timestamp(now) },
    now,
  });

/** Says what the order waits for; nothing where the request says so already. */
export function pendingRequest(request: CertificateRequest, message: string, now: number): readonly WriteAction[] {
  const before = findCondition(request.status?.conditions, 'Ready');
  if (before?.message === clip(message, schemaBounds.message)) return [];
  return [outcome(request, { ready: { status: 'False', reason: 'Pending', message }, fields: {}, now })];
}

interface Outcome {
  readonly ready: { readonly status: 'True' | 'False'; readonly reason: string; readonly message: string };
  /** of the status, beside its conditions */
  readonly fields: Readonly<Record<string, string>>;
  readonly now: number;
}

/** With the approval, which is ours too and would be gone from what is applied. */
function outcome(request: CertificateRequest, { ready, fields, now }: Outcome): WriteAction {
  const conditions = request.status?.conditions ?? [];
  const approved = conditions.filter(({ type }) => type === 'Approved');
  const before = findCondition(conditions, 'Ready');
  const since = before?.status === ready.status ? before.lastTransitionTime : undefined;
  const message = clip(ready.message, schemaBounds.message);
  const condition = { type: 'Ready', ...ready, message, lastTransitionTime: since ?? timestamp(now) };
  return requestStatus(request, { ...fields, conditions: [...approved, condition] });
}
