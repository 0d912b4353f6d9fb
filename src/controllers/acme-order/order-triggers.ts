import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import type { IssuerRef } from '../../issuing/issuer-ref.ts';
import { isOrderedHere } from '../../issuing/issuer-ref.ts';
import type { Certificate } from '../../resources/cert-manager-types.ts';
import { hostnameAnnotation } from '../../resources/object-metadata.ts';
import type { Caches } from '../reconciler-dependencies.ts';
import type { Change, ReconcileKeys } from '../reconcile-requests.ts';
import { unsettledValue } from '../settled-objects.ts';
import { claimName } from '../../rules/claim-name.ts';
import { servedUntil } from './renewal.ts';

/** Whose orders have to be looked at when something changes. */
export interface OrderTriggers {
  ofClaim(claim: HostnameClaim): ReconcileKeys;
  /** A request of this Certificate came, went or was decided. */
  ofCertificate(certificate: Certificate): ReconcileKeys;
  /** A Certificate changed: from when it is served on, its authority is asked when to renew it. */
  ofChangedCertificate(change: Change<Certificate>): ReconcileKeys;
  /** Everything that a predecessor left open. */
  ofStart(): Iterable<ReconcileKeys>;
}

/** Where cert-manager orders, only what the operator began before. */
export function orderTriggersOf({ claims }: Pick<Caches, 'claims'>, issuer: IssuerRef): OrderTriggers {
  const isOurs = isOrderedHere(issuer);
  const ofCertificate = ({ metadata }: Certificate): ReconcileKeys => {
    const hostname = metadata.annotations?.[hostnameAnnotation];
    return isOurs && hostname !== undefined ? { acmeOrder: [claimName(hostname)] } : {};
  };
  return {
    ofCertificate,
    ofChangedCertificate: ({ type, object, previous }) =>
      type !== 'deleted' && servedUntil(object) !== servedUntil(previous) && servedUntil(object) !== null
        ? ofCertificate(object)
        : {},
    ofClaim({ metadata, spec }) {
      const isOpen = spec.orders?.some(({ outcome, acme }) => outcome === 'Pending' && (isOurs || acme !== undefined));
      return isOpen === true ? { acmeOrder: [metadata.name] } : {};
    },
    *ofStart() {
      for (const { name } of claims.keysByIndex('unsettled', unsettledValue)) yield { acmeOrder: [name] };
    },
  };
}
