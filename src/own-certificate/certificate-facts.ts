import type { KeyObject } from 'node:crypto';
import { X509Certificate } from 'node:crypto';
import { AsnConvert } from '@peculiar/asn1-schema';
import {
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_subjectAltName,
  KeyUsage,
  SubjectAlternativeName,
} from '@peculiar/asn1-x509';

/** What is asked of one certificate of a chain. */
export interface CertificateFacts {
  readonly x509: X509Certificate;
  /** for sentences: its common name, or else its whole subject */
  readonly title: string;
  readonly publicKey: KeyObject;
  /** OID */
  readonly signatureAlgorithm: string;
  readonly isCa: boolean;
  /** how many authorities may stand between it and the first certificate; null without a bound */
  readonly pathLength: number | null;
  /** bits of KeyUsageFlags; null where every use is allowed */
  readonly keyUsage: number | null;
  /** OIDs; null where every purpose is allowed */
  readonly purposes: readonly string[] | null;
  /** OIDs of all its extensions */
  readonly extensions: readonly string[];
  /** alternative names: hostnames, and the kinds of all others */
  readonly names: readonly string[];
  readonly otherNames: readonly string[];
}

/** None for a few hostnames gets near this length; a longer one is not parsed. */
const longest = 16_384;

/** Reads one certificate as DER; null for anything else, and for a certificate that says one thing twice. */
export function certificateFacts(der: Buffer): CertificateFacts | null {
  if (der.length === 0 || der.length > longest) return null;
  try {
    return factsOf(new X509Certificate(der));
  } catch {
    return null;
  }
}

type Extensions = ReadonlyMap<string, ArrayBuffer>;

function factsOf(x509: X509Certificate): CertificateFacts | null {
  const { tbsCertificate, signatureAlgorithm } = AsnConvert.parse(x509.raw, Certificate);
  const listed = [...(tbsCertificate.extensions ?? [])];
  const extensions = new Map(listed.map(({ extnID, extnValue }) => [extnID, extnValue.buffer]));
  if (extensions.size !== listed.length || !isDated(x509)) return null;
  const { cA: isCa, pathLenConstraint } = read(extensions, id_ce_basicConstraints, BasicConstraints) ?? { cA: false };
  const alternatives = [...(read(extensions, id_ce_subjectAltName, SubjectAlternativeName) ?? [])];
  const purposes = read(extensions, id_ce_extKeyUsage, ExtendedKeyUsage);
  return {
    x509,
    title: titleOf(x509),
    publicKey: x509.publicKey,
    signatureAlgorithm: signatureAlgorithm.algorithm,
    isCa,
    pathLength: pathLenConstraint ?? null,
    keyUsage: read(extensions, id_ce_keyUsage, KeyUsage)?.toNumber() ?? null,
    purposes: purposes === null ? null : [...purposes],
    extensions: [...extensions.keys()],
    names: alternatives.flatMap(({ dNSName }) => (dNSName === undefined ? [] : [dNSName])),
    otherNames: alternatives.flatMap((name) => (name.dNSName === undefined ? [Object.keys(name)[0] ?? 'unknown'] : [])),
  };
}

const isDated = ({ validFromDate, validToDate }: X509Certificate): boolean =>
  [validFromDate, validToDate].every((date) => !Number.isNaN(date.getTime()));

/** An extension's value; null without it. Throws on one that cannot be read. */
function read<T>(extensions: Extensions, id: string, type: new () => T): T | null {
  const value = extensions.get(id);
  return value === undefined ? null : AsnConvert.parse(value, type);
}

const titleAtMost = 100;

/** Whoever made the certificate wrote it: printable, on one line, and not too long. */
export const printable = (text: string, atMost: number): string =>
  [...text.replaceAll(/[\p{C}\s]+/gu, ' ').trim()].slice(0, atMost).join('');

function titleOf({ subject, fingerprint256 }: X509Certificate): string {
  const common = /^CN=(.*)$/m.exec(subject ?? '')?.[1];
  return printable(common ?? subject ?? '', titleAtMost) || fingerprint256;
}
