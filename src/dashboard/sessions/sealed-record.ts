import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Cluster, Redis } from 'ioredis';
import { derivedKey } from '../../lib/derived-key.ts';

/** What a store of such records needs. */
export interface RecordStoreOptions {
  readonly redis: Redis | Cluster;
  /** the installation's HMAC secret */
  readonly secret: Uint8Array;
  /** milliseconds since the Unix epoch */
  readonly now: () => number;
  /** called for every record that this installation did not write */
  readonly forged: () => void;
}

/**
 * Records in Redis under a MAC over their content and the place where they are: write access to Redis is not enough to
 * forge, change or move one.
 */
export interface SealedRecords<Content> {
  seal(place: string, content: Content): string;
  /** Parses and authenticates the value at a place; null if this installation did not write it there. */
  open(place: string, text: string): Content | null;
}

/** The names of a record's fields; their order is part of what the MAC covers. */
interface Fields<Text extends string, Count extends string> {
  readonly texts: readonly Text[];
  readonly numbers: readonly Count[];
}

type RecordOf<Text extends string, Count extends string> = { readonly [Name in Text]: string } & {
  readonly [Name in Count]: number;
};

/** The MAC key is derived from the installation's HMAC secret for this purpose only. */
export function sealedRecords<const Text extends string, const Count extends string>(
  installationSecret: Uint8Array,
  purpose: string,
  { texts, numbers }: Fields<Text, Count>,
): SealedRecords<RecordOf<Text, Count>> {
  const key = derivedKey(installationSecret, purpose);
  const names: readonly (Text | Count)[] = [...texts, ...numbers];
  const macOf = (place: string, content: RecordOf<Text, Count>): Buffer =>
    createHmac('sha256', key)
      .update(JSON.stringify([place, ...names.map((name) => content[name])]))
      .digest();
  return Object.freeze<SealedRecords<RecordOf<Text, Count>>>({
    seal: (place, content) => JSON.stringify({ ...content, mac: macOf(place, content).toString('base64url') }),
    open(place, text) {
      const record = read(text);
      if (record === null || typeof record.mac !== 'string') return null;
      if (!texts.every((name) => typeof record[name] === 'string')) return null;
      if (!numbers.every((name) => typeof record[name] === 'number')) return null;
      const content = Object.fromEntries(names.map((name) => [name, record[name]])) as RecordOf<Text, Count>;
      return isEqual(Buffer.from(record.mac, 'base64url'), macOf(place, content)) ? content : null;
    },
  });
}

const isEqual = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && timingSafeEqual(one, other);

const longestRecord = 2_048;

function read(text: string): Readonly<{ [name: string]: unknown }> | null {
  if (text.length > longestRecord) return null;
  try {
    const given = JSON.parse(text) as Readonly<{ [name: string]: unknown }> | null;
    return typeof given === 'object' ? given : null;
  } catch {
    return null;
  }
}
