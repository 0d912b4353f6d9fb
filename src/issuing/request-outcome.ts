import type { WriteAction } from '../controller-runtime/actions.ts';
import type { CertificateRequest } from '../resources/cert-manager-types.ts';
import { clip, schemaBounds } from '../resources/object-limits.ts';
import { findCondition, isTrue, timestamp } from '../rules/conditions.ts';
import { requestStatus } from './request-status.ts';

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
