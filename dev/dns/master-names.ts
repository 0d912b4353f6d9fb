/** Names and strings of master files with their escapes: `\DDD` is a byte, and `\X` the character X, whatever it means otherwise (RFC 1035, section 5.1). */

const escape = /\\(\d{3})|\\(\D)|([^\\]+)/gsuy;
/** Stands for a dot inside of a label, as a name is written with dots between its labels. */
const innerDot = '\uE02E';
const longestLabel = 63;
const longestName = 255;

/** The bytes of a string. Throws for an escape that is none. */
export function unescaped(text: string): Buffer {
  return Buffer.concat(
    parts(text).map(({ byte, plain }) => (byte === null ? Buffer.from(plain) : Buffer.from([byte]))),
  );
}

interface Part {
  /** of an escape; null of what is written as it is */
  readonly byte: number | null;
  readonly plain: string;
}

function parts(text: string): readonly Part[] {
  const found: Part[] = [];
  escape.lastIndex = 0;
  for (let at = 0; at < text.length; at = escape.lastIndex) {
    const [, digits, character, plain = ''] = escape.exec(text) ?? [];
    if (digits !== undefined) found.push({ byte: byteOf(digits), plain });
    else if (character === undefined) found.push({ byte: null, plain });
    else found.push(...[...Buffer.from(character)].map((byte) => ({ byte, plain })));
    if (escape.lastIndex === 0) throw new Error(`'${text}' ends inside of an escape`);
  }
  return found;
}

function byteOf(digits: string): number {
  const byte = Number(digits);
  if (byte > 255) throw new Error(`\\${digits} is no byte`);
  return byte;
}

/**
 * The name that master-file text says, in lower case without the trailing dot; relative ones are below the origin. A dot inside of a label is kept apart
 * (`wireName`).
 */
export function readName(text: string, origin: string): string {
  if (text === '@') return origin;
  const labels: Buffer[][] = [[]];
  for (const { byte, plain } of parts(text)) {
    if (byte !== null) labels.at(-1)?.push(Buffer.from([byte]));
    else
      plain.split('.').forEach((label, index) => {
        if (index > 0) labels.push([]);
        labels.at(-1)?.push(Buffer.from(label));
      });
  }
  const read = labels.map((label) => labelOf(Buffer.concat(label)));
  const isAbsolute = read.at(-1) === '';
  const own = isAbsolute ? read.slice(0, -1) : read;
  if (own.includes('') && text !== '.') throw new Error(`'${text}' has an empty label`);
  const name = [...own, ...(isAbsolute || origin === '' ? [] : [origin])].join('.').toLowerCase();
  if (Buffer.byteLength(name) + 2 > longestName) throw new Error(`'${text}' is too long`);
  return name;
}

function labelOf(bytes: Buffer): string {
  if (bytes.length > longestLabel) throw new Error('a label is longer than 63 bytes');
  const text = bytes.toString();
  if (!Buffer.from(text).equals(bytes)) throw new Error('a name with bytes that are no UTF-8 is not served here');
  return text.replaceAll('.', innerDot);
}

/** Does the name have a dot inside of a label? */
export const hasInnerDot = (name: string): boolean => name.includes(innerDot);

/** The mailbox of an SOA, in which dns-packet takes an escaped dot. */
export const mailbox = (text: string, origin: string): string => readName(text, origin).replaceAll(innerDot, '\\.');

/** A name as it goes over the wire, uncompressed. */
export function wireName(name: string): Buffer {
  const labels = name === '' ? [] : name.split('.').map((label) => Buffer.from(label.replaceAll(innerDot, '.')));
  return Buffer.concat([...labels.flatMap((label) => [Buffer.from([label.length]), label]), Buffer.from([0])]);
}
