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

/**
 * Pointers that one name may follow. A compressor needs one for each earlier name that a name continues with: Go's resolver has never taken
 * more than ten.
 */
export const maxPointers = 16;

/**
 * Steps for each byte of a message: a step is a byte of a label, or a pointer. Every place is read once, so only names that overlap others
 * take more than one, and no compressor writes such.
 */
export const stepsPerByte = 2;

export interface ReadName {
  readonly name: string;
  /** offset of the first byte after the name in place, wherever its pointers led */
  readonly next: number;
}

/** Reads the names of one message. */
export interface NameReader {
  /** Throws MalformedMessage for what is not a name, and once the names have taken more steps than their bytes are worth. */
  read(offset: number): ReadName;
  /** how many steps were taken so far */
  steps(): number;
}

/** A name from one of its labels or pointers to its end. */
interface Suffix extends ReadName {
  /** bytes on the wire without compression */
  readonly length: number;
  readonly pointers: number;
  /** where its first pointer leads; -1 without one */
  readonly target: number;
}

/** What is left for the rest of a name. */
interface Room {
  readonly length: number;
  readonly pointers: number;
  /** a pointer has to lead further back than this, so that following pointers ends */
  readonly below: number;
}

/** Labels that follow each other in place. */
interface Labels {
  readonly texts: readonly string[];
  readonly offsets: readonly number[];
  /** the root label, a pointer, or a label that was read before */
  readonly end: number;
}

/** A name that was read, and the places of its labels. */
interface Known {
  readonly suffix: Suffix;
  readonly offsets: readonly number[];
}

/**
 * Reads each place of the message once, whatever leads there: names that continue alike share their ends. So all names of a message
 * together take no more than `stepsPerByte` steps for each byte of it. `pointers` is how many one name may follow.
 */
export function createNameReader(message: Buffer, pointers = maxPointers): NameReader {
  const names: Known[] = [];
  /** for each byte of the message, which of the names has a label there: counted from 1 */
  const nameAt = new Uint16Array(message.length);
  const mostSteps = message.length * stepsPerByte;
  let steps = 0;

  const take = (count: number): void => {
    steps += count;
    if (steps > mostSteps) throw new MalformedMessage('names that overlap');
  };

  const keep = (suffix: Suffix, offsets: readonly number[]): Suffix => {
    names.push({ suffix, offsets });
    for (let index = 0; index < offsets.length; index += 1) nameAt[offsets[index] ?? 0] = names.length;
    return suffix;
  };

  const knownAt = (at: number): Suffix | undefined => {
    const number = nameAt[at] ?? 0;
    const known = number === 0 ? undefined : names[number - 1];
    if (known === undefined || known.offsets[0] === at) return known?.suffix;
    return keep(endOf(known, at), [at]);
  };

  const labelsFrom = (start: number, room: number): Labels => {
    const [texts, offsets]: [string[], number[]] = [[], []];
    let at = start;
    for (let size = byteAt(message, at); size !== 0 && size < 0xc0 && !nameAt[at]; size = byteAt(message, at)) {
      if (size > maxLabelLength || at + size + 1 - start >= room) throw new MalformedMessage('a name that is too long');
      take(size + 1);
      texts.push(labelText(message, at + 1, size));
      offsets.push(at);
      at += size + 1;
    }
    return { texts, offsets, end: at };
  };

  const suffixAt = (start: number, room: Room): Suffix => {
    const known = knownAt(start);
    if (known) return mustFit(known, room);
    const { texts, offsets, end } = labelsFrom(start, room.length);
    const { pointers: follow, below } = room;
    const left = end === start ? room : { length: room.length - (end - start), pointers: follow, below };
    const rest = knownAt(end) ?? keep(ending(end, left), [end]);
    mustFit(rest, left);
    if (texts.length === 0) return rest;
    const own = texts.length === 1 ? (texts[0] ?? '') : texts.join('.');
    const name = rest.name === '' ? own : `${own}.${rest.name}`;
    const { next, pointers: followed, target } = rest;
    return keep({ name, next, length: end - start + rest.length, pointers: followed, target }, offsets);
  };

  const ending = (at: number, room: Room): Suffix => {
    const size = byteAt(message, at);
    take(1);
    if (size === 0) return { name: '', next: at + 1, length: 1, pointers: 0, target: -1 };
    const target = ((size & 0x3f) << 8) | byteAt(message, at + 1);
    if (target >= room.below) throw new MalformedMessage('a pointer that does not lead backwards');
    if (room.pointers === 0) throw new MalformedMessage('a name with too many pointers');
    const rest = suffixAt(target, { length: room.length, pointers: room.pointers - 1, below: target });
    return { name: rest.name, next: at + 2, length: rest.length, pointers: rest.pointers + 1, target };
  };

  return {
    read: (offset) => suffixAt(offset, { length: maxWireLength, pointers, below: offset }),
    steps: () => steps,
  };
}

/** The end of a name from the label at a place on. */
function endOf({ suffix, offsets }: Known, at: number): Suffix {
  const labels = offsets.indexOf(at);
  let from = 0;
  for (let passed = 0; passed < labels; passed += 1) from = suffix.name.indexOf('.', from) + 1;
  return { ...suffix, name: suffix.name.slice(from), length: suffix.length - (at - (offsets[0] ?? 0)) };
}

/** What was read from elsewhere may be too much for this name. */
function mustFit(suffix: Suffix, room: Room): Suffix {
  if (suffix.length > room.length) throw new MalformedMessage('a name that is too long');
  if (suffix.pointers > room.pointers) throw new MalformedMessage('a name with too many pointers');
  if (suffix.target >= room.below) throw new MalformedMessage('a pointer that does not lead backwards');
  return suffix;
}

/** Reads one name of a message of which nothing else is read. */
export const readName = (message: Buffer, offset: number): ReadName => createNameReader(message).read(offset);

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
function escapedByte(byte: number): string {
  return `\\${byte.toString().padStart(3, '0')}`;
}

const dot = 0x2e;

/** The name in uncompressed wire format; null when the text is not a name or is too long. */
export function writeName(name: string): Buffer | null {
  if (name === '') return Buffer.alloc(1);
  const bytes = Buffer.alloc(maxWireLength);
  let [start, at] = [0, 1];
  for (let index = 0; index <= name.length; index += 1) {
    const code = index === name.length ? dot : name.charCodeAt(index);
    if (code !== dot) {
      if (at - start > maxLabelLength || at >= maxWireLength - 1) return null;
      const escaped = code === backslash ? escapedAt(name, index) : null;
      bytes[at] = escaped ?? code;
      if (escaped !== null) index += 3;
      at += 1;
      continue;
    }
    if (at === start + 1) return null;
    bytes[start] = at - start - 1;
    [start, at] = [at, at + 1];
  }
  return bytes.subarray(0, at);
}

const backslash = 0x5c;

/** The byte that `\DDD` at the index stands for; null where a backslash is one. */
function escapedAt(name: string, index: number): number | null {
  const digits = name.slice(index + 1, index + 4);
  return /^\d{3}$/.test(digits) ? Number(digits) : null;
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
