import { randomBytes, randomInt } from 'node:crypto';
import type { DnsRecord, RecordType } from '../dns-facts.ts';
import type { NameReader } from './wire-name.ts';
import { createNameReader, encodeName, MalformedMessage, readName } from './wire-name.ts';
import type { RecordPlace } from './rdata.ts';
import { readRdata, recordAt, typeName, typeNumbers } from './rdata.ts';
import type { ExtendedErrors, SignedSection } from './dnssec-records.ts';
import { readExtendedErrors, signedRecord, types } from './dnssec-records.ts';

/** A question to send; its name is in lower case without the trailing dot. */
export interface Question {
  readonly name: string;
  readonly type: RecordType | 'DS' | 'DNSKEY';
  readonly recursive: boolean;
  /** sets DO (RFC 3225): `signed` asks for signatures too, the others what a resolver says with CD clear and with CD set */
  readonly dnssec?: 'signed' | 'checking' | 'unchecked';
  /** asked a second time: what was said the first time may have been of that moment alone */
  readonly isAgain?: boolean;
  /** how long to wait, milliseconds; by default what is known of the server decides */
  readonly timeoutMs?: number;
}

/** A server's response, reduced to what is used here. */
export interface Response {
  /** NOERROR, NXDOMAIN, SERVFAIL, REFUSED, or RCODE and a number, EDNS bits included (RFC 6891 section 6.1.3) */
  readonly rcode: string;
  readonly authoritative: boolean;
  readonly truncated: boolean;
  readonly answers: readonly DnsRecord[];
  readonly authorities: readonly DnsRecord[];
  readonly additionals: readonly DnsRecord[];
  /** only for a question that asks for signatures or for DS: the records of answer and authority section, with them */
  readonly signed?: SignedSection;
  /** codes of RFC 8914 */
  readonly extendedErrors?: ExtendedErrors;
}

/** Records accepted in one response: per RRset (a name and a type), and in total. */
export const messageLimits = Object.freeze({ recordsPerSet: 64, records: 256 });

const headerLength = 12;
const classIn = 1;
const optType = 41;
const payloadSize = 1232;
const recursionDesired = 0x0100;
const checkingDisabled = 0x0010;
const dnssecOk = 0x8000;
/** The number of a question's type. */
export const numberOf = (type: Question['type']): number =>
  type === 'DS' || type === 'DNSKEY' ? types[type] : typeNumbers[type];

/** Numbers of 16 bits each, as most fields of a message are (RFC 1035, section 4.1). */
export function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  values.forEach((value, index) => bytes.writeUInt16BE(value, index * 2));
  return bytes;
}

export interface Query {
  readonly id: number;
  readonly bytes: Buffer;
}

/** Encodes a query, with EDNS or without. Throws RangeError for a name that cannot be encoded; check nameFits first. */
export function encodeQuestion({ name, type, recursive, dnssec }: Question, edns = true): Query {
  const wireName = encodeName(name);
  const id = randomInt(65_536);
  const flags = (recursive ? recursionDesired : 0) | (dnssec === 'unchecked' ? checkingDisabled : 0);
  const header = words(id, flags, 1, 0, 0, edns ? 1 : 0);
  const opt = edns ? [Buffer.from([0]), words(optType, payloadSize, 0, dnssec ? dnssecOk : 0, 0)] : [];
  return { id, bytes: Buffer.concat([header, wireName, words(numberOf(type), classIn), ...opt]) };
}

const isLetter = (byte: number): boolean => (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);

/** The same query with random case in its name, which makes answers harder to forge (draft-vixie-dnsext-dns0x20). */
export function withRandomCase({ id, bytes }: Query): Query {
  const end = questionEnd(bytes);
  const random = randomBytes(end);
  return {
    id,
    bytes: bytes.map((byte, at) => flipped(byte, at < end && at >= headerLength, random[at] ?? 0)) as Buffer,
  };
}

const flipped = (byte: number, inName: boolean, random: number): number =>
  inName && isLetter(byte) && (random & 1) === 1 ? byte ^ 0x20 : byte;

/** Does the response repeat the name in exactly the query's case? Only for responses that decodeResponse accepted. */
export function hasSameSpelling(response: Buffer, { bytes }: Query): boolean {
  if (response.readUInt16BE(4) === 0) return true;
  const end = questionEnd(bytes);
  return response.subarray(headerLength, end).equals(bytes.subarray(headerLength, end));
}

const questionEnd = (bytes: Buffer): number => readName(bytes, headerLength).next;

/**
 * Decodes the response to exactly this question. Null for anything else, to be ignored as a stray or forged packet: a
 * different id or opcode, a query, or a message whose question differs in name (compared byte by byte, ignoring case),
 * type or class (RFC 5452 section 9.1). `malformed` and `bounds-exceeded` are responses to the question that cannot be
 * parsed, or that have more records than the limits allow. `names` reads the message's names.
 */
export function decodeResponse(
  bytes: Buffer,
  id: number,
  question: Question,
  names: NameReader = createNameReader(bytes),
): Response | 'malformed' | 'bounds-exceeded' | null {
  const refused = bareRefusal(bytes, id);
  if (refused) return refused;
  try {
    return answers(bytes, id, question, names) ? readResponse(bytes, names, isSignedBy(question)) : null;
  } catch (error) {
    if (!(error instanceof MalformedMessage)) throw error;
    return error instanceof TooManyRecords ? 'bounds-exceeded' : 'malformed';
  }
}

/** DS records are read with the signatures, whoever is asked for them. */
const isSignedBy = ({ dnssec, type }: Question): boolean => dnssec === 'signed' || type === 'DS';

const bareRefusals: readonly number[] = [1, 4];

/** FORMERR and NOTIMP may come without the question, from a server that cannot parse EDNS (RFC 6891 section 7). */
function bareRefusal(bytes: Buffer, id: number): Response | null {
  if (bytes.length < headerLength || bytes.readUInt16BE(0) !== id) return null;
  const flags = bytes.readUInt16BE(2);
  const rcode = flags & 0x0f;
  if ((flags & 0xf800) !== 0x8000 || bytes.readUInt16BE(4) !== 0 || !bareRefusals.includes(rcode)) return null;
  const none = { answers: [], authorities: [], additionals: [] };
  return { rcode: rcodeName(rcode), authoritative: false, truncated: false, ...none };
}

class TooManyRecords extends MalformedMessage {}

/** True for a response (QR set, opcode 0) with one question, which is ours. */
function answers(bytes: Buffer, id: number, { name, type }: Question, names: NameReader): boolean {
  if (bytes.length < headerLength || bytes.readUInt16BE(0) !== id) return false;
  if ((bytes.readUInt16BE(2) & 0xf800) !== 0x8000 || bytes.readUInt16BE(4) !== 1) return false;
  const echoed = tryReadName(names);
  if (echoed === null || echoed.next + 4 > bytes.length || echoed.name !== name) return false;
  return bytes.readUInt16BE(echoed.next) === numberOf(type) && bytes.readUInt16BE(echoed.next + 2) === classIn;
}

function tryReadName(names: NameReader) {
  try {
    return names.read(headerLength);
  } catch {
    return null;
  }
}

const sections = ['answers', 'authorities', 'additionals'] as const;

function readResponse(bytes: Buffer, names: NameReader, isSigned: boolean): Response {
  const flags = bytes.readUInt16BE(2);
  const truncated = (flags & 0x0200) !== 0;
  const found = { answers: [] as DnsRecord[], authorities: [] as DnsRecord[], additionals: [] as DnsRecord[] };
  const signed: SignedSection[number][] = [];
  const count = counter();
  let offset = names.read(headerLength).next + 4;
  let extended = 0;
  let extendedErrors: ExtendedErrors = [];
  for (const [index, section] of sections.entries()) {
    const expected = truncated ? 0 : bytes.readUInt16BE(6 + index * 2);
    for (let number = 0; number < expected; number += 1) {
      const place = recordAt(bytes, names, offset);
      const record = readRecord(bytes, names, place);
      count(record);
      if (record) found[section].push(record);
      if (isSigned && section !== 'additionals' && place.class === classIn) signed.push(signedRecord(bytes, place));
      if (place.type === optType) [extended, extendedErrors] = [place.ttl >>> 24, readExtendedErrors(bytes, place)];
      offset = place.end;
    }
  }
  return {
    rcode: rcodeName((extended << 4) | (flags & 0x0f)),
    authoritative: (flags & 0x0400) !== 0,
    truncated,
    ...found,
    ...(isSigned ? { signed } : {}),
    ...(extendedErrors.length > 0 ? { extendedErrors } : {}),
  };
}

/** Counts records as they are read, so that a large response costs no more than the limits allow. */
function counter(): (record: DnsRecord | null) => void {
  const sets = new Map<string, Map<RecordType, number>>();
  let total = 0;
  return (record) => {
    total += 1;
    if (total > messageLimits.records) throw new TooManyRecords('too many records');
    if (record === null) return;
    const ofName = sets.get(record.name) ?? new Map<RecordType, number>();
    const size = (ofName.get(record.type) ?? 0) + 1;
    sets.set(record.name, ofName.set(record.type, size));
    if (size > messageLimits.recordsPerSet) throw new TooManyRecords('too many records of one set');
  };
}

/** Null for a record of a type or a class that is not read here. */
function readRecord(message: Buffer, names: NameReader, place: RecordPlace): DnsRecord | null {
  const type = place.class === classIn ? typeName(place.type) : undefined;
  if (type === undefined) return null;
  const { minimum, ...content } = readRdata(type, { message, names, start: place.start, end: place.end });
  return { name: place.name, type, ttl: Math.min(place.ttl, minimum ?? place.ttl), ...content };
}

const rcodeNames: ReadonlyMap<number, string> = new Map([
  [0, 'NOERROR'],
  [2, 'SERVFAIL'],
  [3, 'NXDOMAIN'],
  [5, 'REFUSED'],
]);

export const rcodeName = (rcode: number): string => rcodeNames.get(rcode) ?? `RCODE${rcode}`;

/** What else response codes are called (IANA DNS parameters). */
const otherNames: Readonly<Partial<Record<string, string>>> = {
  RCODE1: 'FORMERR',
  RCODE4: 'NOTIMP',
  RCODE6: 'YXDOMAIN',
  RCODE7: 'YXRRSET',
  RCODE8: 'NXRRSET',
  RCODE9: 'NOTAUTH',
  RCODE10: 'NOTZONE',
  RCODE16: 'BADVERS',
};

/** A response code for people: its name, or `RCODE` and the number where it has none. */
export const printedRcode = (rcode: string): string => otherNames[rcode] ?? rcode;
