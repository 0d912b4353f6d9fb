import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import type { ProjectDomain } from '../../generated/project-domain.ts';
import type { IssuerRef } from '../../issuing/issuer-ref.ts';
import { isOrderedHere } from '../../issuing/issuer-ref.ts';
import type { Certificate } from '../../resources/cert-manager-types.ts';
import { hostnameAnnotation, verifyAnnotation } from '../../resources/object-metadata.ts';
import type { Caches } from '../needs.ts';
import type { Change, ReconcileKeys } from '../reconcile-requests.ts';
import { unsettledValue } from '../settled-objects.ts';
import { claimKey, claimName } from '../../rules/claim-name.ts';
import { servedUntil } from './renewal.ts';

/** Whose orders have to be looked at when something changes. */
export interface OrderTriggers {
  ofClaim(claim: HostnameClaim): ReconcileKeys;
  /** Somebody asked for a new attempt for this domain: what rests of its open orders does not rest any longer. */
  ofVerify(change: Change<ProjectDomain>): ReconcileKeys;
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
  const ofClaim = ({ metadata, spec }: HostnameClaim): ReconcileKeys => {
    const isOpen = spec.orders?.some(({ outcome, acme }) => outcome === 'Pending' && (isOurs || acme !== undefined));
    return isOpen === true ? { acmeOrder: [metadata.name] } : {};
  };
  return {
    ofCertificate,
    ofClaim,
    ofVerify({ object, previous }) {
      const [asked, before] = [object, previous].map((one) => one?.metadata.annotations?.[verifyAnnotation]);
      const claim = asked === undefined || asked === before ? undefined : claims.get(claimKey(object.spec.hostname));
      const { name, namespace = '' } = object.metadata;
      const isHolder = claim?.spec.holder.name === name && claim.spec.holder.namespace === namespace;
      return claim && isHolder ? ofClaim(claim) : {};
    },
    ofChangedCertificate: ({ type, object, previous }) =>
      type !== 'deleted' && servedUntil(object) !== servedUntil(previous) && servedUntil(object) !== null
        ? ofCertificate(object)
        : {},
    *ofStart() {
      for (const { name } of claims.keysByIndex('unsettled', unsettledValue)) yield { acmeOrder: [name] };
    },
  };
}
