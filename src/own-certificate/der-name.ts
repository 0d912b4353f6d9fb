import type { DerValue } from './der-value.ts';
import { DerFault, tags, within } from './der-value.ts';
import { derOid } from './der-types.ts';

/** The common names in a distinguished name, wherever they stand in it; null for one that is no text of ASCII alone. */
export type CommonNames = readonly (string | null)[];

const commonName = '2.5.4.3';
const [utf8String, numericString, printableString, t61String, ia5String, bmpString] = [12, 18, 19, 20, 22, 30] as const;

/** Every kind of text that Go's crypto/x509 (parser.go, parseASN1String) reads, by its rules. */
const texts: ReadonlyMap<number, (content: Buffer) => string> = new Map([
  [utf8String, (content) => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content)],
  [numericString, (content) => matching(content, /^[0-9 ]*$/)],
  [printableString, (content) => matching(content, /^[A-Za-z0-9 '()+,\-./:=?*&]*$/)],
  [ia5String, (content) => matching(content, /^\p{ASCII}*$/u)],
  [t61String, (content) => content.toString('latin1')],
  [bmpString, bmpText],
]);

/** Those in which a hostname is the same to everybody who reads it. */
const plain: ReadonlySet<number> = new Set([utf8String, printableString, ia5String]);

/** Reads a Name (RFC 5280, section 4.1.2.4) of which every text is one. Throws DerFault. */
export function commonNamesOf(name: DerValue | undefined): CommonNames {
  const attributes = within(name, tags.sequence).flatMap((set) => within(set, tags.set));
  return attributes.flatMap((attribute) => {
    const [type, value, ...others] = within(attribute, tags.sequence);
    if (value === undefined || others.length > 0) throw new DerFault('an attribute of a name is not one value');
    const text = textOf(value);
    if (derOid(type) !== commonName) return [];
    return [plain.has(value.tag) && /^[\x20-\x7e]*$/.test(text) ? text : null];
  });
}

function textOf({ tag, content }: DerValue): string {
  const read = texts.get(tag);
  if (!read) throw new DerFault('a text in a name is of a kind that is not read');
  const text = readable(() => read(content));
  if (/(?=\p{ASCII})\p{Cc}/u.test(text)) throw new DerFault('a text in a name has control characters');
  return text;
}

function readable(read: () => string): string {
  try {
    return read();
  } catch {
    throw new DerFault('a text in a name is not of the kind that it says');
  }
}

function matching(content: Buffer, pattern: RegExp): string {
  const text = content.toString('latin1');
  if (!pattern.test(text)) throw new DerFault('other characters');
  return text;
}

/** UCS-2 without what is reserved in it, as Go has it. */
function bmpText(content: Buffer): string {
  if (content.length % 2 !== 0) throw new DerFault('half a character');
  const points = Array.from({ length: content.length / 2 }, (_, index) => content.readUInt16BE(2 * index));
  const isReserved = (point: number) =>
    (point >= 0xd800 && point <= 0xdfff) || (point >= 0xfdd0 && point <= 0xfdef) || point >= 0xfffe;
  if (points.some(isReserved)) throw new DerFault('reserved characters');
  return String.fromCharCode(...points);
}
