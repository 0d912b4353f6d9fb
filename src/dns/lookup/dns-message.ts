import { randomBytes, randomInt } from 'node:crypto';
import type { DnsRecord, RecordType } from '../dns-facts.ts';
import { MalformedMessage, readName, writeName } from './wire-name.ts';
import { readRdata, typeName, typeNumbers } from './rdata.ts';

/** A question as it is sent; names in lower case without the trailing dot. */
export interface Question {
  readonly name: string;
  readonly type: RecordType;
  readonly recursive: boolean;
}

/** What a server said, reduced to what is read here. */
export interface Response {
  /** with the extended bits of EDNS (RFC 6891 section 6.1.3): NOERROR, NXDOMAIN, SERVFAIL, REFUSED, or RCODE and a number */
  readonly rcode: string;
  readonly authoritative: boolean;
  readonly truncated: boolean;
  readonly answers: readonly DnsRecord[];
  readonly authorities: readonly DnsRecord[];
  readonly additionals: readonly DnsRecord[];
}

/** Records that are read of one answer: of one RRset (a name and a type), and altogether. */
export const messageLimits = Object.freeze({ recordsPerSet: 64, records: 256 });

const headerLength = 12;
const classIn = 1;
const optType = 41;
const payloadSize = 1232;
const recursionDesired = 0x0100;

export interface Query {
  readonly id: number;
  readonly bytes: Buffer;
}

/** A query with EDNS. Throws RangeError for a name that does not fit on the wire; nameFits tells beforehand. */
export function encodeQuestion({ name, type, recursive }: Question): Query {
  const wireName = writeName(name);
  if (wireName === null) throw new RangeError('the name does not fit into a question');
  const id = randomInt(65_536);
  const header = words(id, recursive ? recursionDesired : 0, 1, 0, 0, 1);
  const opt = Buffer.concat([Buffer.from([0]), words(optType, payloadSize, 0, 0, 0)]);
  return { id, bytes: Buffer.concat([header, wireName, words(typeNumbers[type], classIn), opt]) };
}

export const nameFits = (name: string): boolean => writeName(name) !== null;

function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  values.forEach((value, index) => bytes.writeUInt16BE(value, index * 2));
  return bytes;
}

const isLetter = (byte: number): boolean => (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);

/** The same query with the case of its letters drawn by chance (draft-vixie-dnsext-dns0x20): harder to forge an answer to. */
export function withRandomCase({ id, bytes }: Query): Query {
  const end = questionEnd(bytes);
  const chance = randomBytes(end);
  return {
    id,
    bytes: bytes.map((byte, at) => flipped(byte, at < end && at >= headerLength, chance[at] ?? 0)) as Buffer,
  };
}

const flipped = (byte: number, inName: boolean, chance: number): number =>
  inName && isLetter(byte) && (chance & 1) === 1 ? byte ^ 0x20 : byte;

/** Does the response spell the name exactly as the query did? Only for responses that decodeResponse accepted. */
export function hasSameSpelling(response: Buffer, { bytes }: Query): boolean {
  const end = questionEnd(bytes);
  return response.subarray(headerLength, end).equals(bytes.subarray(headerLength, end));
}

const questionEnd = (bytes: Buffer): number => readName(bytes, headerLength).next;

/**
 * The response to exactly this question. Null for anything else, which is ignored as a stray or forged packet: another
 * id, no response, another opcode, and whatever does not repeat the question, name (as bytes, but for case), type and
 * class IN (RFC 5452 section 9.1). `malformed` and `bounds-exceeded` are of the right server: it said something that
 * cannot be read, or more than is read.
 */
export function decodeResponse(
  bytes: Buffer,
  id: number,
  question: Question,
): Response | 'malformed' | 'bounds-exceeded' | null {
  try {
    return answers(bytes, id, question) ? readResponse(bytes) : null;
  } catch (error) {
    if (!(error instanceof MalformedMessage)) throw error;
    return error instanceof TooManyRecords ? 'bounds-exceeded' : 'malformed';
  }
}

class TooManyRecords extends MalformedMessage {}

/** QR set, opcode 0, one question, and that is ours. */
function answers(bytes: Buffer, id: number, { name, type }: Question): boolean {
  if (bytes.length < headerLength || bytes.readUInt16BE(0) !== id) return false;
  if ((bytes.readUInt16BE(2) & 0xf800) !== 0x8000 || bytes.readUInt16BE(4) !== 1) return false;
  const echoed = tryReadName(bytes);
  if (echoed === null || echoed.next + 4 > bytes.length || echoed.name !== name) return false;
  return bytes.readUInt16BE(echoed.next) === typeNumbers[type] && bytes.readUInt16BE(echoed.next + 2) === classIn;
}

function tryReadName(bytes: Buffer) {
  try {
    return readName(bytes, headerLength);
  } catch {
    return null;
  }
}

const sections = ['answers', 'authorities', 'additionals'] as const;

function readResponse(bytes: Buffer): Response {
  const flags = bytes.readUInt16BE(2);
  const truncated = (flags & 0x0200) !== 0;
  const found = { answers: [] as DnsRecord[], authorities: [] as DnsRecord[], additionals: [] as DnsRecord[] };
  const count = counter();
  let offset = questionEnd(bytes) + 4;
  let extended = 0;
  for (const [index, section] of sections.entries()) {
    const expected = truncated ? 0 : bytes.readUInt16BE(6 + index * 2);
    for (let number = 0; number < expected; number += 1) {
      const { next, record, opt } = readRecord(bytes, offset);
      count(record);
      if (record) found[section].push(record);
      extended = opt ?? extended;
      offset = next;
    }
  }
  return {
    rcode: rcodeName((extended << 4) | (flags & 0x0f)),
    authoritative: (flags & 0x0400) !== 0,
    truncated,
    ...found,
  };
}

/** Counts while records are read, so that a large answer costs no more than the bounds. */
function counter(): (record: DnsRecord | null) => void {
  const sets = new Map<string, number>();
  let total = 0;
  return (record) => {
    total += 1;
    if (total > messageLimits.records) throw new TooManyRecords('too many records');
    if (record === null) return;
    const set = `${record.type} ${record.name}`;
    const size = (sets.get(set) ?? 0) + 1;
    sets.set(set, size);
    if (size > messageLimits.recordsPerSet) throw new TooManyRecords('too many records of one set');
  };
}

interface ReadRecord {
  readonly next: number;
  readonly record: DnsRecord | null;
  /** high bits of the response code, of an OPT record */
  readonly opt?: number;
}

function readRecord(bytes: Buffer, offset: number): ReadRecord {
  const { name, next: fixed } = readName(bytes, offset);
  if (fixed + 10 > bytes.length) throw new MalformedMessage('cut off inside a record');
  const number = bytes.readUInt16BE(fixed);
  const start = fixed + 10;
  const next = start + bytes.readUInt16BE(fixed + 8);
  if (next > bytes.length) throw new MalformedMessage('data that reach past the message');
  if (number === optType) return { next, record: null, opt: bytes[fixed + 4] ?? 0 };
  const type = typeName(number);
  if (type === undefined || bytes.readUInt16BE(fixed + 2) !== classIn) return { next, record: null };
  const { minimum, ...content } = readRdata(type, { message: bytes, start, end: next });
  const ttl = bytes.readUInt32BE(fixed + 4);
  return { next, record: { name, type, ttl: Math.min(ttl, minimum ?? ttl), ...content } };
}

const rcodeNames: ReadonlyMap<number, string> = new Map([
  [0, 'NOERROR'],
  [2, 'SERVFAIL'],
  [3, 'NXDOMAIN'],
  [5, 'REFUSED'],
]);

const rcodeName = (rcode: number): string => rcodeNames.get(rcode) ?? `RCODE${rcode}`;
