/**
 * Converts names between wire format (RFC 1035 section 3.1) and text. Text is lower case without the trailing dot; the
 * root is ''. Every byte other than a letter, digit, hyphen, underscore or asterisk is written `\DDD` (RFC 1035 section
 * 5.1), including a dot inside a label. So two names are equal as text exactly if they are equal on the wire but for
 * case, `endsWith` with a leading dot matches whole labels only, and no name can contain terminal escapes or HTML.
 */

/** The message violates the wire format. Thrown by the readers; dns-message.ts catches it. */
export class MalformedMessage extends Error {
  override readonly name = 'MalformedMessage';
}

/** bytes of a name on the wire, length bytes and root label included (RFC 1035 section 2.3.4) */
const maxWireLength = 255;
const maxLabelLength = 63;

export interface ReadName {
  readonly name: string;
  /** offset of the first byte after the name in place, wherever its pointers led */
  readonly next: number;
}

/** Reads a name. Compression pointers may only point backwards, so following them terminates. */
export function readName(message: Buffer, offset: number): ReadName {
  const labels: string[] = [];
  let [position, earliest, next, length] = [offset, offset, -1, 1];
  for (let size = byteAt(message, position); size !== 0; size = byteAt(message, position)) {
    if (size >= 0xc0) {
      if (next < 0) next = position + 2;
      position = ((size & 0x3f) << 8) | byteAt(message, position + 1);
      if (position >= earliest) throw new MalformedMessage('a pointer that does not lead backwards');
      earliest = position;
      continue;
    }
    length += size + 1;
    if (size > maxLabelLength || length > maxWireLength) throw new MalformedMessage('a name that is too long');
    labels.push(labelText(message, position + 1, size));
    position += size + 1;
  }
  return { name: labels.join('.'), next: next < 0 ? position + 1 : next };
}

function byteAt(message: Buffer, offset: number): number {
  const byte = message[offset];
  if (byte === undefined) throw new MalformedMessage('cut off inside a name');
  return byte;
}

function labelText(message: Buffer, start: number, size: number): string {
  if (start + size > message.length) throw new MalformedMessage('cut off inside a label');
  let text = '';
  for (let at = start; at < start + size; at += 1) text += plain[message[at] ?? 0] ?? '';
  return text;
}

/** The text for each byte of a label. */
const plain: readonly string[] = Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte).toLowerCase();
  return byte < 128 && /[a-z0-9_*-]/.test(character) ? character : escapedByte(byte);
});

/** A byte as `\DDD`. */
export function escapedByte(byte: number): string {
  return `\\${byte.toString().padStart(3, '0')}`;
}

/** The name in uncompressed wire format; null when the text is not a name or is too long. */
export function writeName(name: string): Buffer | null {
  const labels = name === '' ? [] : name.split('.').map(labelBytes);
  if (labels.some((label) => label.length === 0 || label.length > maxLabelLength)) return null;
  const bytes = Buffer.concat([...labels.flatMap((label) => [Buffer.from([label.length]), label]), Buffer.alloc(1)]);
  return bytes.length > maxWireLength ? null : bytes;
}

/** As writeName; throws RangeError for what is not a name, or is too long. */
export function encodeName(name: string): Buffer {
  const bytes = writeName(name);
  if (bytes === null) throw new RangeError('the name does not fit into a message');
  return bytes;
}

/** Does the name fit into a question? Without escapes each of its characters is one byte. */
export function nameFits(name: string): boolean {
  if (name === '') return true;
  if (name.includes('\\')) return writeName(name) !== null;
  if (name.length + 2 > maxWireLength) return false;
  return name.split('.').every((label) => label.length > 0 && label.length <= maxLabelLength);
}

function labelBytes(label: string): Buffer {
  if (!label.includes('\\')) return Buffer.from(label, 'latin1');
  const bytes = [...label.matchAll(/\\(\d{3})|[^]/g)].map(([character, code]) =>
    code === undefined ? character.charCodeAt(0) : Number(code),
  );
  return Buffer.from(bytes);
}
