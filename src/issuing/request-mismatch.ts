import type { Certificate, CertificateRequest } from '../resources/cert-manager-types.ts';
import { hostnameAnnotation } from '../resources/object-metadata.ts';
import { readSigningRequest } from './signing-request.ts';
import type { IssuerRef } from './issuer-ref.ts';
import { isNamed, withDefaults } from './issuer-ref.ts';

/** What a request must match: its hostname, our Certificate, and the Certificate's owner, which holds the hostname. */
export interface ExpectedRequest {
  readonly hostname: string;
  readonly certificate: Certificate | undefined;
  /** the ProjectDomain or Project that holds the hostname's claim */
  readonly owner: { readonly kind: string; readonly metadata: { readonly uid?: string } };
  readonly issuer: IssuerRef;
}

interface Owned {
  readonly metadata: Certificate['metadata'];
}

const commonName = '2.5.4.3';
/** The key type that certificate-manifest.ts specifies: ECDSA, 256 bits. */
const key = 'ec prime256v1';

const isControlledBy = ({ metadata }: Owned, kind: string, uid: string | undefined): boolean =>
  uid !== undefined &&
  (metadata.ownerReferences ?? []).some(
    (owner) => owner.controller === true && owner.kind === kind && owner.uid === uid,
  );

/**
 * Why a CertificateRequest does not match what our Certificate asks for, as a sentence; null when it does. Its
 * annotations prove nothing, so its owner, its issuer and its signing request are checked.
 */
export function requestMismatch(request: CertificateRequest, expected: ExpectedRequest): string | null {
  return ownerObjection(request, expected) ?? issuerObjection(request, expected) ?? contentObjection(request, expected);
}

/**
 * Why a request is of no Certificate of ours, whatever it asks for; null where it is of one. `certificate` is what it names, if that
 * exists.
 */
export function foreignObjection(request: CertificateRequest, certificate: Certificate | undefined): string | null {
  if (!certificate)
    return 'the request names no Certificate that exists; this issuer serves ProjectDomains and Projects alone';
  if (!isControlledBy(request, 'Certificate', certificate.metadata.uid))
    return `the request is not controlled by Certificate ${certificate.metadata.name}`;
  if (certificate.metadata.annotations?.[hostnameAnnotation] !== undefined) return null;
  return `Certificate ${certificate.metadata.name} is of no ProjectDomain and no Project, and this issuer serves those alone`;
}

function ownerObjection(request: CertificateRequest, { certificate, owner }: ExpectedRequest): string | null {
  if (!certificate) return 'the request names a Certificate that does not exist';
  if (!isControlledBy(request, 'Certificate', certificate.metadata.uid))
    return `the request is not controlled by Certificate ${certificate.metadata.name}`;
  if (!isControlledBy(certificate, owner.kind, owner.metadata.uid))
    return `Certificate ${certificate.metadata.name} is not controlled by the ${owner.kind} that holds the hostname`;
  return null;
}

function issuerObjection({ spec }: CertificateRequest, { issuer }: ExpectedRequest): string | null {
  if (isNamed(issuer, spec.issuerRef)) return null;
  const { group, kind, name } = withDefaults(spec.issuerRef);
  return `the request is for ${kind} ${name} of ${group}; certificates are ordered from ${issuer.kind} ${issuer.name}`;
}

function contentObjection({ spec }: CertificateRequest, { hostname }: ExpectedRequest): string | null {
  if (spec.isCA) return 'the request asks for a CA certificate';
  const asked = readSigningRequest(spec.request);
  if (!asked) return 'the signing request cannot be read';
  if (asked.names.length !== 1 || asked.names[0] !== `dns:${hostname}`)
    return `the signing request must name ${hostname} and nothing else`;
  if (asked.subject.length > 1 || (asked.subject[0] ?? `${commonName}=${hostname}`) !== `${commonName}=${hostname}`)
    return `the subject of the signing request must be empty, or have ${hostname} as its common name and nothing else`;
  return asked.key === key ? null : `the key of the signing request must be ECDSA on P-256, not ${asked.key}`;
}
