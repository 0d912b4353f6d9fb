import { randomInt } from 'node:crypto';
import { encodeName } from '../wire/wire-name.ts';
import { printedRcode, rcodeName, words } from '../wire/dns-message.ts';

/** The texts that shall be at a name of a zone, in place of whatever is there. */
export interface TextsUpdate {
  /** in lower case without the trailing dot, as `name` */
  readonly zone: string;
  readonly name: string;
  /** none: no text is left there */
  readonly texts: readonly string[];
  /** seconds */
  readonly ttl: number;
}

const opcodeUpdate = 5;
const [typeSoa, typeTxt] = [6, 16];
const [classIn, classAny] = [1, 255];
const longestText = 255;

/** A message that replaces the TXT records at a name (RFC 2136, sections 2.5.1 and 2.5.2). Throws RangeError for what does not fit. */
export function encodeUpdate({ zone, name, texts, ttl }: TextsUpdate): Buffer {
  const [zoneName, owner] = [encodeName(zone), encodeName(name)];
  const header = words(randomInt(65_536), opcodeUpdate << 11, 1, 0, 1 + texts.length, 0);
  const all = Buffer.concat([owner, words(typeTxt, classAny, 0, 0, 0)]);
  const added = texts.map((text) => {
    const bytes = Buffer.from(text, 'latin1');
    if (bytes.length > longestText) throw new RangeError('a text longer than 255 bytes');
    const rdata = Buffer.concat([Buffer.from([bytes.length]), bytes]);
    return Buffer.concat([owner, words(typeTxt, classIn, ttl >>> 16, ttl & 0xffff, rdata.length), rdata]);
  });
  return Buffer.concat([header, zoneName, words(typeSoa, classIn), all, ...added]);
}

/** The code of a response to this update; null for any other message. */
export function updateCode(response: Buffer, update: Buffer): string | null {
  if (response.length < 12 || response.readUInt16BE(0) !== update.readUInt16BE(0)) return null;
  const flags = response.readUInt16BE(2);
  const isResponse = (flags & 0x8000) !== 0 && ((flags >> 11) & 0x0f) === opcodeUpdate;
  return isResponse ? printedRcode(rcodeName(flags & 0x0f)) : null;
}
