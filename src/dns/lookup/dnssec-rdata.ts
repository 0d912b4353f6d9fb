import type { ReadName } from './wire-name.ts';
import { createNameReader, MalformedMessage } from './wire-name.ts';

/** DNSKEY (RFC 4034 section 2). */
export interface KeyData {
  readonly keyTag: number;
  readonly flags: number;
  readonly algorithm: number;
  readonly publicKey: Buffer;
  /** the whole record data, which a DS record is the digest of */
  readonly rdata: Buffer;
}

/** DS (RFC 4034 section 5). */
export interface SignerData {
  readonly keyTag: number;
  readonly algorithm: number;
  readonly digestType: number;
  readonly digest: Buffer;
}

/** RRSIG (RFC 4034 section 3). Times are seconds since the Unix epoch. */
export interface SignatureData {
  readonly covered: number;
  readonly algorithm: number;
  readonly labels: number;
  readonly originalTtl: number;
  readonly expiration: number;
  readonly inception: number;
  readonly keyTag: number;
  readonly signer: string;
  /** the data up to the signature itself, with the signer's name in lower case: the first thing that is signed */
  readonly signedPart: Buffer;
  readonly signature: Buffer;
}

const zoneKeyFlag = 0x0100;
const revokedFlag = 0x0080;
const dnssecProtocol = 3;

/** Null for a key that may not sign zone data: not a zone key, revoked (RFC 5011), another protocol, or cut off. */
export function readKey(rdata: Buffer): KeyData | null {
  if (rdata.length <= 4) return null;
  const flags = rdata.readUInt16BE(0);
  const algorithm = rdata.readUInt8(3);
  if ((flags & zoneKeyFlag) === 0 || (flags & revokedFlag) !== 0 || rdata.readUInt8(2) !== dnssecProtocol) return null;
  return { keyTag: keyTagOf(rdata), flags, algorithm, publicKey: rdata.subarray(4), rdata };
}

/** RFC 4034 appendix B; algorithm 1, which has a rule of its own, is not supported by anybody. */
function keyTagOf(rdata: Buffer): number {
  let sum = 0;
  for (const [index, byte] of rdata.entries()) sum += (index & 1) === 0 ? byte << 8 : byte;
  return (sum + (sum >>> 16)) & 0xffff;
}

export function readSigner(rdata: Buffer): SignerData | null {
  if (rdata.length <= 4) return null;
  const [keyTag, algorithm, digestType] = [rdata.readUInt16BE(0), rdata.readUInt8(2), rdata.readUInt8(3)];
  return { keyTag, algorithm, digestType, digest: rdata.subarray(4) };
}

const fixedPart = 18;

/** Null for data that are cut off, or whose signer is no name or is compressed. */
export function readSignature(rdata: Buffer): SignatureData | null {
  if (rdata.length <= fixedPart) return null;
  const signer = uncompressedName(rdata, fixedPart);
  if (signer === null || signer.next >= rdata.length) return null;
  return {
    covered: rdata.readUInt16BE(0),
    algorithm: rdata.readUInt8(2),
    labels: rdata.readUInt8(3),
    originalTtl: rdata.readUInt32BE(4),
    expiration: rdata.readUInt32BE(8),
    inception: rdata.readUInt32BE(12),
    keyTag: rdata.readUInt16BE(16),
    signer: signer.name,
    signedPart: Buffer.concat([rdata.subarray(0, fixedPart), lowerCase(rdata.subarray(fixedPart, signer.next))]),
    signature: rdata.subarray(signer.next),
  };
}

/** The name at the offset of record data, in which names are not compressed; null for what is none. */
export function uncompressedName(rdata: Buffer, offset: number): ReadName | null {
  try {
    return createNameReader(rdata, 0).read(offset);
  } catch (error) {
    if (error instanceof MalformedMessage) return null;
    throw error;
  }
}

/** A name's bytes in lower case; lengths of labels are below the letters. */
const lowerCase = (wire: Buffer): Buffer =>
  Buffer.from(wire.map((byte) => (byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte)));
