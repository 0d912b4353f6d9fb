import type { Certificate } from '../resources/cert-manager-types.ts';
import { findCondition, isTrue } from '../rules/conditions.ts';
import type { IssuerKind, IssuerRef } from './issuer-ref.ts';
import { isNamed, issuerGroup } from './issuer-ref.ts';

/** An issuer as a Certificate names it. */
export interface CertificateIssuer {
  readonly group: string;
  readonly kind: IssuerKind;
  readonly name: string;
}

const referenceTo = ({ kind, name }: IssuerRef): CertificateIssuer => ({ group: issuerGroup({ kind }), kind, name });

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
