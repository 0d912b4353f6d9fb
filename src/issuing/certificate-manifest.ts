import type { Certificate } from '../resources/cert-manager-types.ts';
import type { ChildManifestInput } from '../resources/object-metadata.ts';
import { childMetadata } from '../resources/object-metadata.ts';
import { findCondition, isTrue } from '../rules/conditions.ts';
import { childName } from '../rules/dns-target.ts';
import type { CertificateIssuer, IssuerRef } from './issuer-ref.ts';
import { isNamed, isOrderedHere, referenceTo } from './issuer-ref.ts';

/**
 * Percentage of the lifetime that is left when cert-manager renews, where the operator renews before that, when the authority suggests
 * it (RFC 9773): Let's Encrypt does with a third left, and cert-manager too if it is told nothing.
 */
const netBelowSuggestions = 25;

/** The Certificate (cert-manager) for exactly one hostname; its Secret has the same name and is not owned by it. */
export function certificateManifest(input: ChildManifestInput, issuer: CertificateIssuer) {
  const name = childName(input.hostname);
  return {
    apiVersion: 'cert-manager.io/v1',
    kind: 'Certificate',
    metadata: childMetadata(name, input),
    spec: {
      secretName: name,
      dnsNames: [input.hostname],
      issuerRef: { ...issuer },
      privateKey: { algorithm: 'ECDSA', size: 256, rotationPolicy: 'Always' },
      revisionHistoryLimit: 1,
      ...(isOrderedHere(issuer) ? { renewBeforePercentage: netBelowSuggestions } : {}),
    },
  };
}

/**
 * The issuer that a Certificate is to name. cert-manager issues anew whatever names another one, so where the installation's kind of
 * issuer changed, each certificate follows once cert-manager begins its renewal, never all at once.
 */
export function issuerForCertificate(certificate: Certificate | undefined, issuer: IssuerRef): CertificateIssuer {
  const former = formerIssuer(certificate, issuer);
  return former && isSettled(certificate) ? former : referenceTo(issuer);
}

/** Another kind's that we could have written; null for one of the same kind, whatever its name, and for anybody else's. */
function formerIssuer(certificate: Certificate | undefined, issuer: IssuerRef): CertificateIssuer | null {
  const named = certificate?.spec.issuerRef;
  if (!named) return null;
  const { name } = named;
  const former: IssuerRef = { kind: issuer.kind === 'AcmeIssuer' ? 'ClusterIssuer' : 'AcmeIssuer', name };
  return isNamed(former, named) ? referenceTo(former) : null;
}

/** Issued, and not about to be issued anew: at its renewal, or as somebody edited its issuer. */
function isSettled(certificate: Certificate | undefined): boolean {
  const conditions = certificate?.status?.conditions;
  return isTrue(findCondition(conditions, 'Ready')) && !isTrue(findCondition(conditions, 'Issuing'));
}
