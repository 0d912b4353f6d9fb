import type { KeyObject } from 'node:crypto';
import { X509Certificate } from 'node:crypto';
import { printable } from '../lib/printable.ts';
import type { CertificateNames, NameConstraints } from './alternative-names.ts';
import { alternativeNames, nameConstraints } from './alternative-names.ts';
import type { DerExtension } from './der-extensions.ts';
import { basicConstraints, extensionIds, isKnownExtension, purposes, derExtensions } from './der-extensions.ts';
import type { CommonNames } from './der-name.ts';
import { commonNamesOf } from './der-name.ts';
import type { RsaSize } from './der-public-key.ts';
import { publicKeyOf } from './der-public-key.ts';
import { derFlags, derInteger, derOctetBits, derOid, isNegative, mustBeTime } from './der-types.ts';
import type { DerValue } from './der-value.ts';
import { DerFault, derValue, tags, within } from './der-value.ts';

/** What is asked of one certificate of a chain. */
export interface CertificateFacts extends CertificateNames {
  readonly x509: X509Certificate;
  /** for sentences: its common name, or else its whole subject */
  readonly title: string;
  readonly publicKey: KeyObject;
  /** null for a key that is not of RSA */
  readonly rsa: RsaSize | null;
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
  /** OIDs of those that nobody here knows, and that demand to be known */
  readonly unknownCritical: readonly string[];
  readonly commonNames: CommonNames;
  /** what an authority may sign for; null without a bound */
  readonly nameConstraints: NameConstraints | null;
}

/** Why a certificate cannot be read, to follow "it cannot be read: ". */
export interface UnreadableCertificate {
  readonly fault: string;
}

/** None for a few hostnames gets near this length; a longer one is not parsed. */
const longest = 16_384;

/** Reads one certificate as DER. What somebody may read in another way, or not at all, is not read; nothing is computed with it. */
export function certificateFacts(der: Buffer): CertificateFacts | UnreadableCertificate {
  if (der.length > longest) return { fault: `it has more than ${longest} bytes` };
  try {
    return factsOf(der, derCertificate(der));
  } catch (error) {
    return { fault: error instanceof DerFault ? error.message : 'OpenSSL does not read it' };
  }
}

function factsOf(der: Buffer, read: DerCertificate): CertificateFacts {
  const x509 = new X509Certificate(der);
  if (!isDated(x509)) throw new DerFault('one of its dates is none');
  const known = new Map(read.extensions.map(({ id, value }) => [id, value]));
  const as = <T>(id: string, parse: (value: DerValue) => T): T | null => {
    const value = known.get(id);
    return value === undefined ? null : parse(derValue(value));
  };
  const { isCa, pathLength } = as(extensionIds.basicConstraints, basicConstraints) ?? { isCa: false, pathLength: null };
  return {
    x509,
    title: titleOf(x509),
    publicKey: x509.publicKey,
    rsa: read.rsa,
    signatureAlgorithm: read.signatureAlgorithm,
    isCa,
    pathLength,
    keyUsage: as(extensionIds.keyUsage, derFlags),
    purposes: as(extensionIds.purposes, purposes),
    extensions: [...known.keys()],
    unknownCritical: read.extensions.flatMap(({ id, isCritical }) => (isCritical && !isKnownExtension(id) ? [id] : [])),
    commonNames: read.commonNames,
    nameConstraints: as(extensionIds.nameConstraints, nameConstraints),
    ...(as(extensionIds.alternativeNames, alternativeNames) ?? { names: [], otherNames: [] }),
  };
}

const isDated = ({ validFromDate, validToDate }: X509Certificate): boolean =>
  [validFromDate, validToDate].every((date) => !Number.isNaN(date.getTime()));

const titleAtMost = 100;

function titleOf({ subject, fingerprint256 }: X509Certificate): string {
  const common = /^CN=(.*)$/m.exec(subject ?? '')?.[1];
  return printable((common ?? subject ?? '').trim(), titleAtMost) || fingerprint256;
}

/** What stands in a certificate, read from its bytes alone: nothing is computed with them. */
interface DerCertificate extends Pick<CertificateFacts, 'signatureAlgorithm' | 'commonNames' | 'rsa'> {
  readonly extensions: readonly DerExtension[];
}

const version3 = 2;
const serialAtMost = 20;
const versionTag = 0xa0;
const extensionsTag = 0xa3;

/**
 * Reads a certificate (RFC 5280, section 4.1) as strictly as the strictest of those who will read it: what Go's crypto/x509 refuses is
 * refused (test/unit/own-certificate/what-go-refuses.test.ts). Throws DerFault.
 */
function derCertificate(bytes: Buffer): DerCertificate {
  const [signed, algorithm, signature, ...others] = within(derValue(bytes), tags.sequence);
  const [version, serial, innerAlgorithm, issuer, validity, subject, key, extensions, ...rest] = within(
    signed,
    tags.sequence,
  );
  if (others.length + rest.length > 0) throw new DerFault('it has parts that certificates do not have');
  mustBeVersion3(version);
  mustBeSerial(derInteger(serial));
  if (!algorithm || !innerAlgorithm?.whole.equals(algorithm.whole))
    throw new DerFault('it names two algorithms for its one signature');
  derOctetBits(signature);
  commonNamesOf(issuer);
  const [from, to, ...times] = within(validity, tags.sequence);
  for (const time of [from, to]) mustBeTime(time);
  if (times.length > 0) throw new DerFault('it has more than two dates');
  return {
    signatureAlgorithm: derOid(within(algorithm, tags.sequence)[0]),
    commonNames: commonNamesOf(subject),
    rsa: publicKeyOf(key),
    extensions: extensionsOf(extensions),
  };
}

function mustBeVersion3(version: DerValue | undefined): void {
  const number = version?.tag === versionTag ? derInteger(derValue(version.content)) : null;
  if (number?.length !== 1 || number[0] !== version3) throw new DerFault('its version is not 3');
}

function mustBeSerial(serial: Buffer): void {
  if (isNegative(serial)) throw new DerFault('its serial number is negative');
  if (serial.length > serialAtMost) throw new DerFault(`its serial number has more than ${serialAtMost} octets`);
}

function extensionsOf(value: DerValue | undefined): readonly DerExtension[] {
  if (value === undefined) return [];
  if (value.tag !== extensionsTag) throw new DerFault('it has an identifier besides its names');
  return derExtensions(derValue(value.content));
}
