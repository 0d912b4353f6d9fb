import type { CertificateRequest } from '../resources/cert-manager-types.ts';
import { findCondition, timestamp } from '../rules/conditions.ts';
import { schemaBounds, clip } from '../resources/object-limits.ts';
import type { WriteAction } from '../controller-runtime/actions.ts';
import { requestStatus } from './request-status.ts';

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
  return decision(request, {
    type: 'Approved',
    status: 'True',
    reason: 'projectdomain.io',
    message: 'DNS, CAA, the request itself and the order ledger agree',
    lastTransitionTime: timestamp(now),
  });
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
  return [decision(request, condition)];
}

const decision = (request: CertificateRequest, condition: Readonly<Record<string, string>>): WriteAction =>
  requestStatus(request, { conditions: [condition] });
