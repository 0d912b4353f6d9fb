import type { WriteAction } from '../controller-runtime/actions.ts';
import type { Certificate } from '../resources/cert-manager-types.ts';
import { CertificateKind } from '../resources/kinds.ts';
import { findCondition, isTrue, timestamp } from '../rules/conditions.ts';

/**
 * Why a certificate is issued before cert-manager would: somebody asked, the authority suggests it (RFC 9773), or the present one is to be
 * revoked.
 */
export type IssueReason = 'ManuallyTriggered' | 'RenewalSuggested' | 'RevocationRequested';

const messages: Readonly<Record<IssueReason, string>> = {
  ManuallyTriggered: 'a new attempt was requested',
  RenewalSuggested: 'the certificate authority suggests to renew it now',
  RevocationRequested: 'an administrator has the present certificate revoked',
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

/** Takes back that a Certificate is being issued; cert-manager begins again if it finds a reason. */
export function cancelIssuance(certificate: Certificate): WriteAction {
  const { conditions = [], ...rest } = certificate.status ?? {};
  const others = conditions.filter(({ type }) => type !== 'Issuing');
  const object = { ...certificate, status: { ...rest, conditions: others } };
  return { verb: 'replaceStatus', kind: CertificateKind, object };
}

/** Reasons to replace a certificate that still has most of its life. No tenant can bring one about. */
const earlyRenewals: ReadonlySet<string> = new Set<IssueReason>(['RenewalSuggested', 'RevocationRequested']);

/** True while it is issued for one of them. Nobody but the operator and cert-manager writes that. */
export function isEarlyRenewal(certificate: Certificate | undefined): boolean {
  const issuing = findCondition(certificate?.status?.conditions, 'Issuing');
  return isTrue(issuing) && earlyRenewals.has(issuing?.reason ?? '');
}

/**
 * The start of the new issuance. cert-manager discards requests that failed before it and creates new ones. It is set
 * just after the last failure by cert-manager's own clock: if ours were ahead, every new failure would seem to precede
 * it, and orders would be repeated without end.
 */
const beganAt = (lastFailureTime: string | undefined, now: number): string =>
  timestamp(lastFailureTime === undefined ? now : Date.parse(lastFailureTime) + 1_000);
