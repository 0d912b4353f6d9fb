import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import { hasRevocations } from '../../issuing/revocations.ts';
import type { KubernetesObject } from '../../kubernetes/kubernetes-port.ts';
import { hostnameAnnotation } from '../../resources/object-metadata.ts';
import type { Caches } from '../needs.ts';
import type { ReconcileKeys } from '../reconcile-requests.ts';
import { claimName } from '../../rules/claim-name.ts';

/** Whose revocations have to be looked at when something changes. */
export interface RevocationTriggers {
  ofClaim(claim: HostnameClaim): ReconcileKeys;
  /** A new certificate was begun or stored, which a request may wait for. */
  ofCertificate(certificate: KubernetesObject): ReconcileKeys;
  /** Everything that a predecessor left open. */
  ofStart(): Iterable<ReconcileKeys>;
}

export const revocationTriggersOf = ({ claims }: Pick<Caches, 'claims'>): RevocationTriggers => ({
  ofClaim: (claim) => (hasRevocations(claim) ? { revocation: [claim.metadata.name] } : {}),
  ofCertificate({ metadata }) {
    const name = claimName(metadata.annotations?.[hostnameAnnotation] ?? '');
    return claims.countByIndex('revoking', name) > 0 ? { revocation: [name] } : {};
  },
  *ofStart() {
    for (const name of claims.indexValues('revoking')) yield { revocation: [name] };
  },
});
