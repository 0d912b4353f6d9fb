import type { NameReader } from './wire-name.ts';
import { writeName } from './wire-name.ts';

/** One record with the bytes that its signature covers (RFC 4034 section 6.2): names in its data are in lower case. */
export interface SignedRecord {
  readonly name: string;
  /** its number, as most of these types are read by nothing else */
  readonly type: number;
  /** seconds */
  readonly ttl: number;
  readonly rdata: Buffer;
}

export type SignedSection = readonly SignedRecord[];

/** Codes of RFC 8914. */
export type ExtendedErrors = readonly number[];

/** Type numbers (IANA DNS parameters) of what DNSSEC adds, and of those whose data hold names. */
export const types = Object.freeze({
  NS: 2,
  CNAME: 5,
  SOA: 6,
  DNAME: 39,
  DS: 43,
  RRSIG: 46,
  NSEC: 47,
  DNSKEY: 48,
  NSEC3: 50,
});

const classIn = 1;

/**
 * Reads the record at the offset, whose bounds the caller has checked; none for another class. Names in data are read
 * only for the types that this operator looks at; signatures over other types with names cannot be verified.
 */
export function readSignedRecord(message: Buffer, names: NameReader, offset: number): SignedSection {
  const { name, next } = names.read(offset);
  if (message.readUInt16BE(next + 2) !== classIn) return [];
  const [type, ttl] = [message.readUInt16BE(next), message.readUInt32BE(next + 4)];
  const start = next + 10;
  const end = start + message.readUInt16BE(next + 8);
  return [{ name, type, ttl, rdata: canonicalData(message, names, { type, start, end }) }];
}

interface Data {
  readonly type: number;
  readonly start: number;
  readonly end: number;
}

/** How many names the data of a type begin with. */
const namesIn: ReadonlyMap<number, number> = new Map([
  [types.NS, 1],
  [types.CNAME, 1],
  [types.SOA, 2],
  [types.DNAME, 1],
]);

function canonicalData(message: Buffer, names: NameReader, { type, start, end }: Data): Buffer {
  const first = namesIn.get(type) ?? 0;
  const written: Buffer[] = [];
  let at = start;
  for (let count = 0; count < first; count += 1) {
    const { name, next } = names.read(at);
    written.push(writeName(name) ?? Buffer.alloc(0));
    at = next;
  }
  return Buffer.concat([...written, message.subarray(Math.min(at, end), end)]);
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
