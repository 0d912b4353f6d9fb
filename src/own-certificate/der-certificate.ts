import type { DerExtension } from './der-extensions.ts';
import { derExtensions } from './der-extensions.ts';
import type { CommonNames } from './der-name.ts';
import { commonNamesOf } from './der-name.ts';
import type { RsaSize } from './der-public-key.ts';
import { publicKeyOf } from './der-public-key.ts';
import { derInteger, derOctetBits, derOid, isNegative, mustBeTime } from './der-types.ts';
import type { DerValue } from './der-value.ts';
import { DerFault, derValue, tags, within } from './der-value.ts';

/** What stands in a certificate, read from its bytes alone: nothing is computed with them. */
export interface DerCertificate {
  /** OID */
  readonly signatureAlgorithm: string;
  readonly commonNames: CommonNames;
  /** null for a key that is not of RSA */
  readonly rsa: RsaSize | null;
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
export function derCertificate(bytes: Buffer): DerCertificate {
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
