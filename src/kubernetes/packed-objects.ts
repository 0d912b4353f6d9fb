import { isDeepStrictEqual } from 'node:util';
import type { DictionaryCompression } from './dictionary-compression.ts';
import { createDictionaryCompression } from './dictionary-compression.ts';

/** Turns objects of one kind into short strings and back. */
export interface Packing<T> {
  readonly pack: (object: T) => string;
  /** A new object, equal to the one that was packed. */
  readonly unpack: (packed: string) => T;
  /** True when it is equal to the object that was packed. */
  readonly isPackOf: (packed: string, object: T) => boolean;
}

/** After so many objects a new dictionary is made: the first ones may be unlike those that follow, as in a new cluster. */
const renewals: readonly number[] = [1, 64, 4_096];

const dictionaryTexts = 2;
/** A dictionary is read anew for each object: about one of the longest kind. */
const dictionaryBytesAtMost = 4_096;

/**
 * Objects of one kind resemble each other, so each is kept as JSON, deflated (RFC 1951) with recent objects of the kind as the
 * preset dictionary (zlib manual, deflateSetDictionary), in a string of one byte per character: a tenth of what the
 * objects take. Its first character says which dictionary was used; those in use stay, as there are few.
 */
export function createPacking<T extends object>(): Packing<T> {
  const dictionaries: DictionaryCompression[] = [];
  const recent: string[] = [];
  let count = 0;

  const renew = (text: string) => {
    count += 1;
    recent.push(text);
    if (recent.length > dictionaryTexts) recent.shift();
    if (!renewals.includes(count)) return;
    dictionaries.push(createDictionaryCompression(Buffer.from(recent.join('')).subarray(-dictionaryBytesAtMost)));
  };
  const textOf = (packed: string): string => {
    const dictionary = dictionaries[packed.charCodeAt(0)];
    if (!dictionary) throw new Error('packed by somebody else');
    return dictionary.inflate(Buffer.from(packed, 'latin1').subarray(1));
  };

  return {
    pack(object) {
      const text = JSON.stringify(object);
      renew(text);
      const newest = dictionaries.length - 1;
      const deflated = (dictionaries[newest] as DictionaryCompression).deflate(text);
      return Buffer.concat([Buffer.of(newest), deflated]).toString('latin1');
    },
    unpack: (packed) => JSON.parse(textOf(packed)) as T,
    isPackOf(packed, object) {
      const text = textOf(packed);
      return text === JSON.stringify(object) || isDeepStrictEqual(JSON.parse(text), object);
    },
  };
}
