import type { NameReader } from './wire-name.ts';

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

const classIn = 1;

/** Reads the record at the offset, whose bounds the caller has checked; none for another class. */
export function readSignedRecord(message: Buffer, names: NameReader, offset: number): SignedSection {
  const { name, next } = names.read(offset);
  if (message.readUInt16BE(next + 2) !== classIn) return [];
  const start = next + 10;
  const rdata = message.subarray(start, start + message.readUInt16BE(next + 8));
  return [{ name, type: message.readUInt16BE(next), rdata }];
}

const extendedErrorOption = 15;

/** Codes that are kept; a server has one or two to say. */
const mostCodes = 16;

/** The codes in the OPT record at the offset (RFC 8914 section 2); options that reach past its end are ignored. */
export function readExtendedErrors(message: Buffer, names: NameReader, offset: number): ExtendedErrors {
  const { next } = names.read(offset);
  const end = next + 10 + message.readUInt16BE(next + 8);
  const codes: number[] = [];
  for (let at = next + 10; at + 4 <= end && codes.length < mostCodes;) {
    const length = message.readUInt16BE(at + 2);
    if (message.readUInt16BE(at) === extendedErrorOption && length >= 2 && at + 6 <= end) {
      codes.push(message.readUInt16BE(at + 4));
    }
    at += 4 + length;
  }
  return codes;
}
