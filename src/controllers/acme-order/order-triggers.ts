import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import type { ProjectDomain } from '../../generated/project-domain.ts';
import type { IssuerRef } from '../../issuing/issuer-ref.ts';
import { isOrderedHere } from '../../issuing/issuer-ref.ts';
import { hasRevocations } from '../../issuing/revocations.ts';
import type { Certificate } from '../../resources/cert-manager-types.ts';
import { hostnameAnnotation, verifyAnnotation } from '../../resources/object-metadata.ts';
import { claimKey, claimName } from '../../rules/claim-name.ts';
import { unsettledValue } from '../claim-indexes.ts';
import type { Caches } from '../needs.ts';
import type { Change, ReconcileKeys } from '../reconcile-requests.ts';
import { servedUntil } from './renewal.ts';

/** Whose orders and revocations have to be looked at when something changes. Where cert-manager orders, only what the operator began before. */
export function orderTriggersOf({ claims }: Pick<Caches, 'claims'>, issuer: IssuerRef) {
  const isOurs = isOrderedHere(issuer);
  const hostnameOf = ({ metadata }: Certificate) => claimName(metadata.annotations?.[hostnameAnnotation] ?? '');
  const ofCertificate = (certificate: Certificate): ReconcileKeys =>
    isOurs && hostnameOf(certificate) !== '' ? { acmeOrder: [hostnameOf(certificate)] } : {};
  const openOrdersOf = ({ metadata, spec }: HostnameClaim): ReconcileKeys => {
    const isOpen = spec.orders?.some(({ outcome, acme }) => outcome === 'Pending' && (isOurs || acme !== undefined));
    return isOpen === true ? { acmeOrder: [metadata.name] } : {};
  };
  return {
    /** A request of this Certificate came, went or was decided. */
    ofCertificate,
    ofClaim: (claim: HostnameClaim): ReconcileKeys => ({
      ...openOrdersOf(claim),
      ...(hasRevocations(claim) ? { revocation: [claim.metadata.name] } : {}),
    }),
    /** Somebody asked for a new attempt for this domain: what rests of its open orders does not rest any longer. */
    ofVerify({ object, previous }: Change<ProjectDomain>): ReconcileKeys {
      const [asked, before] = [object, previous].map((one) => one?.metadata.annotations?.[verifyAnnotation]);
      const claim = asked === undefined || asked === before ? undefined : claims.get(claimKey(object.spec.hostname));
      const { name, namespace = '' } = object.metadata;
      const isHolder = claim?.spec.holder.name === name && claim.spec.holder.namespace === namespace;
      return claim && isHolder ? openOrdersOf(claim) : {};
    },
    /**
     * A Certificate changed: from when it is served on, its authority is asked when to renew it; and a request to revoke may wait for one that was
     * begun or stored.
     */
    ofChangedCertificate({ type, object, previous }: Change<Certificate>): ReconcileKeys {
      const served = servedUntil(object);
      const isServedAnew = type !== 'deleted' && served !== servedUntil(previous) && served !== null;
      const isRevoking = claims.countByIndex('revoking', hostnameOf(object)) > 0;
      return {
        ...(isServedAnew ? ofCertificate(object) : {}),
        ...(isRevoking ? { revocation: [hostnameOf(object)] } : {}),
      };
    },
    /** Every order that a predecessor left open. */
    *ofStart(): Iterable<ReconcileKeys> {
      for (const { name } of claims.keysByIndex('unsettled', unsettledValue)) yield { acmeOrder: [name] };
    },
  };
}
