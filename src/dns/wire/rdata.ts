import { SocketAddress } from 'node:net';
import type { DnsRecord, RecordType } from '../dns-facts.ts';
import type { NameReader } from './wire-name.ts';
import { MalformedMessage } from './wire-name.ts';

/** The record types in use, with their numbers (IANA DNS parameters); records of other types are skipped. */
export const typeNumbers: Readonly<Record<RecordType, number>> = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  TXT: 16,
  AAAA: 28,
  HTTPS: 65,
  CAA: 257,
};

const typeNames = new Map(Object.entries(typeNumbers).map(([name, number]) => [number, name as RecordType]));

export const typeName = (number: number): RecordType | undefined => typeNames.get(number);

/** Where a record is in its message (RFC 1035 section 4.1.3). */
export interface RecordPlace {
  readonly name: string;
  /** numbers (IANA DNS parameters) */
  readonly type: number;
  readonly class: number;
  /** seconds; of an OPT record high bits of the response code and flags (RFC 6891 section 6.1.3) */
  readonly ttl: number;
  /** offset of its data, and of what follows */
  readonly start: number;
  readonly end: number;
}

/** Reads what stands before a record's data. Throws MalformedMessage when it is cut off, or its data would be. */
export function recordAt(message: Buffer, names: NameReader, offset: number): RecordPlace {
  const { name, next } = names.read(offset);
  const start = next + 10;
  if (start > message.length) throw new MalformedMessage('cut off inside a record');
  const end = start + message.readUInt16BE(next + 8);
  if (end > message.length) throw new MalformedMessage('data that reach past the message');
  const [type, ofClass] = [message.readUInt16BE(next), message.readUInt16BE(next + 2)];
  return { name, type, class: ofClass, ttl: message.readUInt32BE(next + 4), start, end };
}

/** The position of a record's data in its message. */
export interface Rdata {
  readonly message: Buffer;
  /** of the message */
  readonly names: NameReader;
  readonly start: number;
  readonly end: number;
}

type Content = Pick<DnsRecord, 'value' | 'caa'> & { readonly minimum?: number };

/** Parses a record's data. Throws MalformedMessage when it violates its type's format or exceeds its length. */
export function readRdata(type: RecordType, rdata: Rdata): Content {
  switch (type) {
    case 'A':
      return { value: exactly(rdata, 4).join('.') };
    case 'AAAA':
      return { value: address6(exactly(rdata, 16)) };
    case 'CNAME':
    case 'NS':
      return { value: nameIn(rdata).name };
    case 'SOA':
      return soa(rdata);
    case 'TXT':
      return { value: text(rdata) };
    case 'CAA':
      return caa(rdata);
    case 'HTTPS':
      return https(rdata);
  }
}

const bytesOf = ({ message, start, end }: Rdata): Buffer => message.subarray(start, end);

function exactly(rdata: Rdata, length: number): Buffer {
  const bytes = bytesOf(rdata);
  if (bytes.length !== length) throw new MalformedMessage('an address of the wrong length');
  return bytes;
}

/** The canonical text of an IPv6 address (RFC 5952), so that equal addresses are equal strings. */
function address6(bytes: Buffer): string {
  const groups = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16));
  return new SocketAddress({ address: groups.join(':'), family: 'ipv6' }).address;
}

function nameIn({ names, start, end }: Rdata): { readonly name: string; readonly next: number } {
  const read = names.read(start);
  if (read.next > end) throw new MalformedMessage('a name that reaches past its record');
  return read;
}

/** bytes of an SOA after its two names: serial, refresh, retry, expire, minimum */
const soaNumbers = 20;

function soa(rdata: Rdata): Content {
  const primary = nameIn(rdata);
  const mailbox = nameIn({ ...rdata, start: primary.next });
  if (mailbox.next + soaNumbers !== rdata.end) throw new MalformedMessage('an SOA of the wrong length');
  return { value: primary.name, minimum: rdata.message.readUInt32BE(rdata.end - 4) };
}

/** Longer texts are cut: the values that matter are shorter, and people are shown no more. */
const maxTextBytes = 1_024;

/** The strings of a TXT record are joined into one value (RFC 7208 section 3.3 and common practice). */
function text({ message, start, end }: Rdata): string {
  const value = Buffer.alloc(Math.min(end - start, maxTextBytes + 1));
  let length = 0;
  for (let at = start; at < end;) {
    const from = at + 1;
    at = from + (message[at] ?? 0);
    if (at > end) throw new MalformedMessage('a string that reaches past its record');
    if (length < value.length) length += message.copy(value, length, from, at);
  }
  return printed(value.subarray(0, length));
}

/** RFC 8659 section 4.1. */
function caa(rdata: Rdata): Content {
  const bytes = bytesOf(rdata);
  const [flags = 0, size = 0] = bytes;
  const end = 2 + size;
  if (size === 0 || end > bytes.length) throw new MalformedMessage('a CAA without its tag');
  const tag = printed(bytes.subarray(2, end));
  const value = bytes.subarray(end);
  return {
    value: `${flags} ${tag} "${printed(value)}"`,
    caa: { flags, tag: tag.toLowerCase(), value: value.toString('latin1') },
  };
}

/** Keys of parameters that hold addresses (RFC 9460 section 14.3.2), with the bytes of one. */
const hintKeys: ReadonlyMap<number, { readonly name: string; readonly size: number }> = new Map([
  [4, { name: 'ipv4hint', size: 4 }],
  [6, { name: 'ipv6hint', size: 16 }],
]);

/** More addresses than a service has. */
const mostHints = 16;

/** RFC 9460 section 2.2: priority, target and the addresses that are hinted at; other parameters lead nowhere and are left out. */
function https(rdata: Rdata): Content {
  const { message, start, end } = rdata;
  if (start + 2 > end) throw new MalformedMessage('an HTTPS record without its priority');
  const target = nameIn({ ...rdata, start: start + 2 });
  const parts = [message.readUInt16BE(start).toString(), `${target.name}.`];
  for (let at = target.next; at < end;) {
    if (at + 4 > end) throw new MalformedMessage('a parameter that is cut off');
    const [key, from] = [message.readUInt16BE(at), at + 4];
    at = from + message.readUInt16BE(at + 2);
    if (at > end) throw new MalformedMessage('a parameter that reaches past its record');
    const hint = hintKeys.get(key);
    if (hint) parts.push(`${hint.name}=${hintsIn(message.subarray(from, at), hint.size).join(',')}`);
  }
  return { value: parts.join(' ') };
}

function hintsIn(bytes: Buffer, size: number): readonly string[] {
  if (bytes.length === 0 || bytes.length % size !== 0) throw new MalformedMessage('hints of the wrong length');
  const count = Math.min(bytes.length / size, mostHints);
  const each = Array.from({ length: count }, (_, index) => bytes.subarray(index * size, (index + 1) * size));
  return each.map((address) => (size === 4 ? address.join('.') : address6(address)));
}

const quote = 0x22;
const backslash = 0x5c;

const zero = 0x30;

/** Bytes as in a quoted string of a master file (RFC 1035 section 5.1): printable ASCII, all else escaped as `\DDD`. */
function printed(bytes: Buffer): string {
  const length = Math.min(bytes.length, maxTextBytes);
  const text = Buffer.allocUnsafe(length * 4);
  let at = 0;
  for (let index = 0; index < length; index += 1) {
    const byte = bytes[index] ?? 0;
    const isPlain = byte >= 0x20 && byte < 0x7f;
    if (!isPlain || byte === quote || byte === backslash) text[at++] = backslash;
    if (isPlain) text[at++] = byte;
    else for (const unit of [100, 10, 1]) text[at++] = zero + (Math.floor(byte / unit) % 10);
  }
  return text.toString('latin1', 0, at) + (bytes.length > maxTextBytes ? '...' : '');
}
