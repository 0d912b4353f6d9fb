import type { Finding } from '../../../rules/conditions.ts';
import { findingsOf } from '../../../rules/conditions.ts';
import { certificateReasons } from '../../../rules/codes/certificate-reasons.ts';
import { isKnownSecret, ownPhase } from '../../../rules/own-certificate.ts';
import type { CertificateReason } from '../../../rules/reasons.ts';
import type { ProjectDomainSnapshot } from '../project-domain-snapshot.ts';
import { ownRefusal } from './own-recheck.ts';

const { no } = findingsOf(certificateReasons);

/** Why the certificate that the spec names is not to be served; null where it is, or there is none. */
export function ownTrouble(snapshot: ProjectDomainSnapshot): Finding<CertificateReason> | null {
  const { own, ownSecretIsThere, now } = snapshot;
  if (own?.isForged)
    return no(
      'OwnCertificateMissing',
      'spec.certificate was not written by the API server, so it is not served; send the certificate by PUT',
    );
  if (!own?.wanted) return null;
  if (own.lost) return no('OwnCertificateNotHeld', { lost: own.lost.hostname });
  const refusal = ownRefusal(snapshot);
  if (refusal) return no('OwnCertificateRefused', { rule: refusal.reason });
  if (ownSecretIsThere === false)
    return no('OwnCertificateMissing', 'the Secret of the certificate is not there; send the certificate again by PUT');
  if (own.routed === own.wanted.secretName) return null;
  return ownPhase(own.wanted, now) === 'Ended' ? ownEnded() : null;
}

export const ownEnded = (): Finding<CertificateReason> => no('OwnCertificateEnded');

/** Whether the route may no longer name the Secret of the customer's own that it names. */
export function isRouteOver({ own, now }: ProjectDomainSnapshot): boolean {
  const until = own?.routedUntil ?? null;
  return until !== null && now >= until;
}

/** Whether the route is to name its Secret: it is there, and known of for a while, or named already. */
export function isOwnRoutable(snapshot: ProjectDomainSnapshot): boolean {
  const { own, ownSecretIsThere, domain } = snapshot;
  if (!own?.wanted || ownTrouble(snapshot)) return false;
  const { secretName } = own.wanted;
  return own.routed === secretName || (ownSecretIsThere === true && isKnownSecret(domain, secretName));
}
