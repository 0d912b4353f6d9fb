import { X509Certificate } from 'node:crypto';
import { AsnConvert } from '@peculiar/asn1-schema';
import { AuthorityKeyIdentifier, Certificate, id_ce_authorityKeyIdentifier } from '@peculiar/asn1-x509';

/** RFC 5280 bounds a serial number to 20 octets; key identifiers are hashes. */
const idAtMost = 128;

/**
 * How an authority names a certificate in renewal information: base64url of its issuer's key identifier and of its serial number,
 * with a dot between them (RFC 9773, section 4.1). Null for a certificate without the first one, which no authority with
 * renewal information issues, and for one with endless numbers. Throws on what is no certificate.
 */
export function certificateId(pem: string): string | null {
  const { tbsCertificate } = AsnConvert.parse(new X509Certificate(pem).raw, Certificate);
  const extension = tbsCertificate.extensions?.find(({ extnID }) => extnID === id_ce_authorityKeyIdentifier);
  if (!extension) return null;
  const { keyIdentifier } = AsnConvert.parse(extension.extnValue.buffer, AuthorityKeyIdentifier);
  if (!keyIdentifier) return null;
  const encode = (bytes: ArrayBuffer) => Buffer.from(bytes).toString('base64url');
  const id = `${encode(keyIdentifier.buffer)}.${encode(tbsCertificate.serialNumber)}`;
  return id.length > idAtMost ? null : id;
}
