import type { WriteAction } from '../controller-runtime/actions.ts';
import type { Certificate } from '../resources/cert-manager-types.ts';
import { CertificateKind } from '../resources/kinds.ts';
import { findCondition, isTrue, timestamp } from '../rules/conditions.ts';

/** Why a certificate is issued before cert-manager would: somebody asked, or the authority suggests it (RFC 9773). */
export type IssueReason = 'ManuallyTriggered' | 'RenewalSuggested';

const messages: Readonly<Record<IssueReason, string>> = {
  ManuallyTriggered: 'a new attempt was requested',
  RenewalSuggested: 'the certificate authority suggests to renew it now',
};

/** Has cert-manager issue a Certificate now, as cmctl renew does, and forget its failures. `now` in milliseconds since the Unix epoch. */
export function issueAnew(certificate: Certificate, reason: IssueReason, now: number): WriteAction {
  const { conditions = [], lastFailureTime, failedIssuanceAttempts: _, ...rest } = certificate.status ?? {};
  const issuing = {
    type: 'Issuing',
    status: 'True' as const,
    reason,
    message: messages[reason],
    lastTransitionTime: beganAt(lastFailureTime, now),
    observedGeneration: certificate.metadata.generation ?? 0,
  };
  const others = conditions.filter(({ type }) => type !== 'Issuing');
  const object = { ...certificate, status: { ...rest, conditions: [...others, issuing] } };
  return { verb: 'replaceStatus', kind: CertificateKind, object };
}

/** True while it is issued because the authority suggested it. Nobody but the operator and cert-manager writes that. */
export function isRenewalSuggested(certificate: Certificate | undefined): boolean {
  const issuing = findCondition(certificate?.status?.conditions, 'Issuing');
  return isTrue(issuing) && issuing?.reason === ('RenewalSuggested' satisfies IssueReason);
}

/**
 * The start of the new issuance. cert-manager discards requests that failed before it and creates new ones. It is set
 * just after the last failure by cert-manager's own clock: if ours were ahead, every new failure would seem to precede
 * it, and orders would be repeated without end.
 */
const beganAt = (lastFailureTime: string | undefined, now: number): string =>
  timestamp(lastFailureTime === undefined ? now : Date.parse(lastFailureTime) + 1_000);
