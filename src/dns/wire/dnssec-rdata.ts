import { createNameReader, MalformedMessage } from './wire-name.ts';

/** DNSKEY (RFC 4034 section 2). */
export interface KeyData {
  readonly keyTag: number;
  readonly algorithm: number;
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
  readonly expiration: number;
  readonly inception: number;
  readonly keyTag: number;
  readonly signer: string;
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
  return { keyTag: keyTagOf(rdata), algorithm, rdata };
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
  const signer = rdata.length > fixedPart ? nameAt(rdata, fixedPart) : null;
  if (signer === null) return null;
  return {
    covered: rdata.readUInt16BE(0),
    algorithm: rdata.readUInt8(2),
    expiration: rdata.readUInt32BE(8),
    inception: rdata.readUInt32BE(12),
    keyTag: rdata.readUInt16BE(16),
    signer,
  };
}

function nameAt(rdata: Buffer, offset: number): string | null {
  try {
    return createNameReader(rdata, 0).read(offset).name;
  } catch (error) {
    if (error instanceof MalformedMessage) return null;
    throw error;
  }
}
