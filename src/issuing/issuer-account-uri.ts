import type { AcmeIssuer } from '../generated/acme-issuer.ts';
import type { ClusterIssuer } from '../resources/cert-manager-types.ts';
import { AcmeIssuerKind, ClusterIssuerKind } from '../resources/kinds.ts';
import type { IssuerRef } from './issuer-ref.ts';
import { isOrderedHere } from './issuer-ref.ts';

export type Issuer = ClusterIssuer | AcmeIssuer;

/** The kind of the object that an issuer is. */
export const issuerKindOf = (issuer: IssuerRef) => (isOrderedHere(issuer) ? AcmeIssuerKind : ClusterIssuerKind);

/**
 * URL of the issuer's ACME account, of several the preferred one's, by which CAA records name it (RFC 8657); null before it is
 * registered.
 */
export function accountUriOf(issuer: Issuer | undefined): string | null {
  const status = issuer?.status ?? {};
  if ('acme' in status) return status.acme?.uri ?? null;
  return 'accounts' in status ? (status.accounts?.find(({ uri }) => uri !== undefined)?.uri ?? null) : null;
}
