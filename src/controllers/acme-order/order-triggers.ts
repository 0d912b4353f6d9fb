import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import type { IssuerRef } from '../../issuing/issuer-ref.ts';
import { isOrderedHere } from '../../issuing/issuer-ref.ts';
import type { Certificate } from '../../resources/cert-manager-types.ts';
import { hostnameAnnotation } from '../../resources/object-metadata.ts';
import type { Caches } from '../reconciler-dependencies.ts';
import type { ReconcileKeys } from '../reconcile-requests.ts';
import { unsettledValue } from '../settled-objects.ts';

/** Whose orders have to be looked at when something changes. */
export interface OrderTriggers {
  ofClaim(claim: HostnameClaim): ReconcileKeys;
  /** A request of this Certificate came, went or was decided. */
  ofCertificate(certificate: Certificate): ReconcileKeys;
  /** Everything that a predecessor left open. */
  ofStart(): Iterable<ReconcileKeys>;
}

const nobody: OrderTriggers = Object.freeze({ ofClaim: () => ({}), ofCertificate: () => ({}), ofStart: () => [] });

/** Nobody's where cert-manager orders. */
export function orderTriggersOf({ claims }: Pick<Caches, 'claims'>, issuer: IssuerRef): OrderTriggers {
  if (!isOrderedHere(issuer)) return nobody;
  return {
    ofClaim: ({ metadata, spec }) =>
      spec.orders?.some(({ outcome }) => outcome === 'Pending') ? { acmeOrder: [metadata.name] } : {},
    ofCertificate({ metadata }) {
      const hostname = metadata.annotations?.[hostnameAnnotation];
      return hostname === undefined ? {} : { acmeOrder: [hostname] };
    },
    *ofStart() {
      for (const { name } of claims.keysByIndex('unsettled', unsettledValue)) yield { acmeOrder: [name] };
    },
  };
}
