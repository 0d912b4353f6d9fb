import type { Certificate, CertificateRequest } from '../resources/cert-manager-types.ts';
import { readSigningRequest } from './signing-request.ts';
import type { IssuerRef } from './cert-manager/certificate-manifest.ts';
import { issuerGroup } from './cert-manager/certificate-manifest.ts';

/** What a request must be for: the one hostname, by our Certificate, which belongs to its holder. */
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
/** As the Certificate that issuing/cert-manager/certificate-manifest.ts makes asks for: ECDSA, 256. */
const key = 'ec prime256v1';

const isControlledBy = ({ metadata }: Owned, kind: string, uid: string | undefined): boolean =>
  uid !== undefined &&
  (metadata.ownerReferences ?? []).some(
    (owner) => owner.controller === true && owner.kind === kind && owner.uid === uid,
  );

/**
 * Why a CertificateRequest is not the one that our Certificate makes, as a sentence; null when it is. What it says of
 * itself in annotations proves nothing: its owner, its issuer and its signing request are read.
 */
export function requestMismatch(request: CertificateRequest, expected: ExpectedRequest): string | null {
  return ownerObjection(request, expected) ?? issuerObjection(request, expected) ?? contentObjection(request, expected);
}

function ownerObjection(request: CertificateRequest, { certificate, owner }: ExpectedRequest): string | null {
  if (!certificate) return 'the request names a Certificate that does not exist';
  if (!isControlledBy(request, 'Certificate', certificate.metadata.uid))
    return `the request is not controlled by Certificate ${certificate.metadata.name}`;
  if (!isControlledBy(certificate, owner.kind, owner.metadata.uid))
    return `Certificate ${certificate.metadata.name} is not controlled by the ${owner.kind} that holds the hostname`;
  return null;
}

/** cert-manager's defaults: a reference without a group means its own, without a kind an Issuer of the namespace. */
function issuerObjection({ spec }: CertificateRequest, { issuer }: ExpectedRequest): string | null {
  const { group = issuerGroup, kind = 'Issuer', name } = spec.issuerRef;
  if (group === issuerGroup && kind === issuer.kind && name === issuer.name) return null;
  return `the request goes to ${kind} ${name} of ${group}; certificates are ordered of ${issuer.kind} ${issuer.name}`;
}

function contentObjection({ spec }: CertificateRequest, { hostname }: ExpectedRequest): string | null {
  if (spec.isCA) return 'the request asks for the certificate of an authority';
  const asked = readSigningRequest(spec.request);
  if (!asked) return 'the signing request cannot be read';
  if (asked.names.length !== 1 || asked.names[0] !== `dns:${hostname}`)
    return `the signing request must name ${hostname} and nothing else`;
  if (asked.subject.length > 1 || (asked.subject[0] ?? `${commonName}=${hostname}`) !== `${commonName}=${hostname}`)
    return `the subject of the signing request must be empty, or have ${hostname} as its common name and nothing else`;
  return asked.key === key ? null : `the key of the signing request must be ECDSA on P-256, not ${asked.key}`;
}
