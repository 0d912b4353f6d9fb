/** One value of DER (X.690 section 10): what it is, and what it holds. */
export interface DerValue {
  /** the whole octet: class, form and number */
  readonly tag: number;
  readonly content: Buffer;
  /** with tag and length */
  readonly whole: Buffer;
}

/** What is no DER, or not what has to stand in its place. The message completes "it cannot be read: ". */
export class DerFault extends Error {}

export const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  sequence: 0x30,
  set: 0x31,
} as const;

/** The one value that the bytes are. Throws DerFault for anything before, after or beside it. */
export function derValue(bytes: Buffer): DerValue {
  const [value, ...others] = derValues(bytes);
  if (value === undefined || others.length > 0) throw new DerFault('something stands where one value has to');
  return value;
}

/** The values that the bytes are, in their order. Throws DerFault. */
export function derValues(bytes: Buffer): readonly DerValue[] {
  const values: DerValue[] = [];
  for (let at = 0; at < bytes.length;) {
    const value = valueAt(bytes, at);
    values.push(value);
    at += value.whole.length;
  }
  return values;
}

/** What a value of this tag holds, as values. Throws DerFault for another tag. */
export const within = (value: DerValue | undefined, tag: number): readonly DerValue[] =>
  derValues(contentOf(value, tag));

/** What a value of this tag holds. Throws DerFault for another tag. */
export function contentOf(value: DerValue | undefined, tag: number): Buffer {
  if (value?.tag !== tag) throw new DerFault('a value of another type stands there');
  return value.content;
}

/** A tag of one octet, and the shortest form of a definite length. */
function valueAt(bytes: Buffer, at: number): DerValue {
  const tag = bytes[at] ?? 0;
  const first = bytes[at + 1];
  if ((tag & 0x1f) === 0x1f || first === undefined) throw new DerFault('a tag or a length is not as DER has it');
  const octets = first < 0x80 ? 0 : first & 0x7f;
  const start = at + 2 + octets;
  if (first === 0x80 || octets > 3 || start > bytes.length) throw new DerFault('a length is not as DER has it');
  const length = octets === 0 ? first : bytes.readUIntBE(at + 2, octets);
  const least = octets === 0 ? 0 : Math.max(0x80, 2 ** (8 * (octets - 1)));
  if (length < least || start + length > bytes.length) throw new DerFault('a length is not as DER has it');
  return { tag, content: bytes.subarray(start, start + length), whole: bytes.subarray(at, start + length) };
}
