import { createPublicKey } from 'node:crypto';
import { CertificationRequest } from '@peculiar/asn1-csr';
import type { OctetString } from '@peculiar/asn1-schema';
import { AsnConvert } from '@peculiar/asn1-schema';
import { Extensions, id_ce_subjectAltName, SubjectAlternativeName } from '@peculiar/asn1-x509';

/** What a PKCS#10 certification request (RFC 2986) asks for. */
export interface SigningRequest {
  /** subject alternative names as `dns:www.example.com`; names of another kind by their kind alone */
  readonly names: readonly string[];
  /** attributes of the subject as `OID=value`; a common name is 2.5.4.3 */
  readonly subject: readonly string[];
  /** as node:crypto names it: `ec prime256v1`, `rsa 2048` */
  readonly key: string;
  /** SubjectPublicKeyInfo, DER */
  readonly publicKey: Buffer;
  /** the request itself, DER */
  readonly der: Buffer;
}

/** No request for one hostname gets near this length; a longer one is not parsed. */
const longest = 16_384;
const extensionRequest = '1.2.840.113549.1.9.14';
const armour = /^-----BEGIN CERTIFICATE REQUEST-----\r?\n([A-Za-z0-9+/=\r\n]+)-----END CERTIFICATE REQUEST-----\s*$/;

/** Reads `spec.request` of a CertificateRequest: base64 of one PEM block. Null for anything else. */
export function readSigningRequest(request: string | undefined): SigningRequest | null {
  if (request === undefined || request.length > longest) return null;
  const body = armour.exec(Buffer.from(request, 'base64').toString('latin1'))?.[1];
  if (body === undefined) return null;
  try {
    return factsOf(Buffer.from(body, 'base64'));
  } catch {
    return null;
  }
}

function factsOf(der: Buffer): SigningRequest {
  const { certificationRequestInfo: info } = AsnConvert.parse(der, CertificationRequest);
  const subject = info.subject.flatMap((set) => [...set]).map(({ type, value }) => `${type}=${value.toString()}`);
  const spki = Buffer.from(AsnConvert.serialize(info.subjectPKInfo));
  const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey({ key: spki, format: 'der', type: 'spki' });
  const size = asymmetricKeyDetails?.namedCurve ?? asymmetricKeyDetails?.modulusLength ?? '';
  const key = `${asymmetricKeyType ?? 'unknown'} ${size}`.trim();
  return { names: namesOf(info.attributes), subject, key, publicKey: spki, der };
}

type Attributes = CertificationRequest['certificationRequestInfo']['attributes'];

/** The names in every attribute and every extension with alternative names, so that a second one cannot hide. */
function namesOf(attributes: Attributes): readonly string[] {
  const requests = [...attributes].filter(({ type }) => type === extensionRequest).flatMap(({ values }) => values);
  const extensions = requests.flatMap((value) => [...AsnConvert.parse(value, Extensions)]);
  const alternatives = extensions.filter(({ extnID }) => extnID === id_ce_subjectAltName);
  return alternatives.flatMap(({ extnValue }) => alternativeNames(extnValue));
}

function alternativeNames(value: OctetString): readonly string[] {
  return [...AsnConvert.parse(value.buffer, SubjectAlternativeName)].map((name) => {
    if (name.dNSName !== undefined) return `dns:${name.dNSName}`;
    return Object.keys(name).find((kind) => name[kind as keyof typeof name] !== undefined) ?? 'unknown';
  });
}
