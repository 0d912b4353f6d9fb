import { childName } from '../../rules/dns-target.ts';
import type { ChildManifestInput } from '../../resources/object-metadata.ts';
import { childMetadata } from '../../resources/object-metadata.ts';
import type { CertificateIssuer } from '../issuer-for-certificate.ts';
import { isOrderedHere } from '../issuer-ref.ts';

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
