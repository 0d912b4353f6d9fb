import type { DelegationSigner, RecordSignature, ZoneKey } from '../dnssec-facts.ts';
import type { RecordPlace } from './rdata.ts';
import { createNameReader, MalformedMessage } from './wire-name.ts';

/** One record as it stands in a message; names in the data of these types are not compressed (RFC 3597 section 4). */
interface SignedRecord {
  readonly name: string;
  /** its number, as most of these types are read by nothing else */
  readonly type: number;
  readonly rdata: Buffer;
}

export type SignedSection = readonly SignedRecord[];

/** Codes of RFC 8914. */
export type ExtendedErrors = readonly number[];

/** Type numbers (IANA DNS parameters). */
export const types = Object.freeze({ CNAME: 5, DNAME: 39, DS: 43, RRSIG: 46, DNSKEY: 48 });

/** The record at the place, with its data as they are. */
export const signedRecord = (message: Buffer, { name, type, start, end }: RecordPlace): SignedSection[number] => ({
  name,
  type,
  rdata: message.subarray(start, end),
});

const extendedErrorOption = 15;

/** Codes that are kept; a server has one or two to say. */
const mostCodes = 16;

/** The codes in the OPT record at the place (RFC 8914 section 2); options that reach past its end are ignored. */
export function readExtendedErrors(message: Buffer, { start, end }: RecordPlace): ExtendedErrors {
  const codes: number[] = [];
  for (let at = start; at + 4 <= end && codes.length < mostCodes;) {
    const length = message.readUInt16BE(at + 2);
    if (message.readUInt16BE(at) === extendedErrorOption && length >= 2 && at + 6 <= end) {
      codes.push(message.readUInt16BE(at + 4));
    }
    at += 4 + length;
  }
  return codes;
}

/** DNSKEY (RFC 4034 section 2). */
export interface KeyData extends Omit<ZoneKey, 'isDelegated'> {
  /** the whole record data, which a DS record is the digest of */
  readonly rdata: Buffer;
}

/** DS (RFC 4034 section 5). */
export interface SignerData extends Omit<DelegationSigner, 'isSupported'> {
  readonly digestType: number;
  readonly digest: Buffer;
}

/** RRSIG (RFC 4034 section 3). */
interface SignatureData extends RecordSignature {
  readonly covered: number;
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
