import type { DerValue } from './der-value.ts';
import { contentOf, DerFault, tags } from './der-value.ts';

/** An INTEGER in its shortest form, in two's complement. Throws DerFault. */
export function derInteger(value: DerValue | undefined): Buffer {
  const content = contentOf(value, tags.integer);
  const [first, second = 0] = content;
  const isPadded = content.length > 1 && ((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80));
  if (first === undefined || isPadded) throw new DerFault('a number is not in its shortest form');
  return content;
}

export const isNegative = (integer: Buffer): boolean => (integer[0] ?? 0) >= 0x80;

/** How many bits a number that is not negative has. */
export function bitLength(integer: Buffer): number {
  const start = integer.findIndex((octet) => octet !== 0);
  return start < 0 ? 0 : 8 * (integer.length - start) - Math.clz32(integer[start] ?? 0) + 24;
}

/** A BOOLEAN, of which DER has two. Throws DerFault. */
export function derBoolean(value: DerValue | undefined): boolean {
  const content = contentOf(value, tags.boolean);
  const [octet] = content;
  if (content.length !== 1 || (octet !== 0 && octet !== 0xff))
    throw new DerFault('a boolean is neither true nor false');
  return octet === 0xff;
}

/** Octets of an arc of seven bits each: what other programs read has less than 32 bits (Go's encoding/asn1). */
const arcOctets = 4;

/** An OBJECT IDENTIFIER as people write it. Throws DerFault. */
export function derOid(value: DerValue | undefined): string {
  const content = contentOf(value, tags.oid);
  const arcs: number[] = [];
  let [arc, octets] = [0, 0];
  for (const octet of content) {
    if (octets === 0 && octet === 0x80) throw new DerFault('an object identifier is not in its shortest form');
    octets += 1;
    if (octets > arcOctets) throw new DerFault('an object identifier is too long');
    arc = arc * 128 + (octet & 0x7f);
    if (octet >= 0x80) continue;
    arcs.push(arc);
    [arc, octets] = [0, 0];
  }
  const [both, ...others] = arcs;
  if (both === undefined || octets > 0) throw new DerFault('an object identifier has no end');
  const top = Math.min(2, Math.floor(both / 40));
  return [top, both - 40 * top, ...others].join('.');
}

/** A BIT STRING of whole octets, as keys and signatures are. Throws DerFault. */
export function derOctetBits(value: DerValue | undefined): Buffer {
  const { unused, octets } = bits(value);
  if (unused > 0) throw new DerFault('a bit string is not one of octets');
  return octets;
}

/** A BIT STRING whose first bit is the lowest of the result. Throws DerFault. */
export function derFlags(value: DerValue | undefined): number {
  const { octets } = bits(value);
  if (octets.length > 2) throw new DerFault('a bit string is too long');
  return [0, 1, 2, 3, 4, 5, 6, 7, 8]
    .filter((bit) => ((octets[bit >> 3] ?? 0) & (0x80 >> (bit & 7))) !== 0)
    .reduce((flags, bit) => flags | (1 << bit), 0);
}

function bits(value: DerValue | undefined): { readonly unused: number; readonly octets: Buffer } {
  const content = contentOf(value, tags.bitString);
  const [unused = 8] = content;
  const octets = content.subarray(1);
  const rest = (octets.at(-1) ?? 0) & (2 ** unused - 1);
  if (unused > 7 || rest !== 0 || (octets.length === 0 && unused > 0))
    throw new DerFault('a bit string does not end as DER has it');
  return { unused, octets };
}

const utcTime = 0x17;
const generalizedTime = 0x18;

/** A time of a certificate (RFC 5280, section 4.1.2.5): to the second, in UTC, and one that there is. Throws DerFault. */
export function mustBeTime(value: DerValue | undefined): void {
  const iso = isoOf(value?.tag, value?.content.toString('latin1') ?? '');
  const time = Date.parse(iso ?? '');
  if (Number.isNaN(time) || new Date(time).toISOString() !== iso) throw new DerFault('one of its dates is none');
}

/** RFC 3339, with milliseconds; null for another form than that of the tag. */
function isoOf(tag: number | undefined, text: string): string | null {
  const form = tag === utcTime ? /^(\d\d)(\d{10})Z$/ : /^(\d{4})(\d{10})Z$/;
  const [, year, rest] = form.exec(text) ?? [];
  if (year === undefined || rest === undefined || (tag !== utcTime && tag !== generalizedTime)) return null;
  const [month, day, ...clock] = rest.match(/../g) ?? [];
  return `${tag === utcTime ? fullYear(year) : year}-${month}-${day}T${clock.join(':')}.000Z`;
}

const fullYear = (year: string): string => `${Number(year) >= 50 ? '19' : '20'}${year}`;
