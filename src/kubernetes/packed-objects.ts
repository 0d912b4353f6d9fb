import { isDeepStrictEqual } from 'node:util';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

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
/** An object that is longer than the dictionary still finds all of it. */
const windowBits = 13;
/** A third faster than zlib's own default (zlib manual, deflateInit2), and results are some 5 % longer. */
const effort = { level: 3, memLevel: 3 };

/**
 * Node.js allocates a chunk for each result, of 16 kB unless told otherwise: as garbage of very many objects that alone makes
 * V8 mark the whole heap again and again. Longer results take several chunks.
 */
const packedChunk = { chunkSize: 1_024 };
const unpackedChunk = { chunkSize: 4_096 };

/**
 * Objects of one kind resemble each other, so each is kept as JSON, deflated (RFC 1951) with recent objects of the kind as the
 * preset dictionary (zlib manual, deflateSetDictionary), in a string of one byte per character: a tenth of what the
 * objects take. Its first character says which dictionary was used; those in use stay, as there are few.
 */
export function createPacking<T extends object>(): Packing<T> {
  const dictionaries: Buffer[] = [];
  const recent: string[] = [];
  let count = 0;

  const renew = (text: string) => {
    count += 1;
    recent.push(text);
    if (recent.length > dictionaryTexts) recent.shift();
    if (renewals.includes(count)) dictionaries.push(Buffer.from(recent.join('')).subarray(-dictionaryBytesAtMost));
  };
  const textOf = (packed: string): string => {
    const dictionary = dictionaries[packed.charCodeAt(0)];
    if (!dictionary) throw new Error('packed by somebody else');
    return inflateRawSync(Buffer.from(packed, 'latin1').subarray(1), {
      dictionary,
      windowBits,
      ...unpackedChunk,
    }).toString();
  };

  return {
    pack(object) {
      const text = JSON.stringify(object);
      renew(text);
      const newest = dictionaries.length - 1;
      const deflated = deflateRawSync(text, {
        dictionary: dictionaries[newest] as Buffer,
        windowBits,
        ...effort,
        ...packedChunk,
      });
      return Buffer.concat([Buffer.of(newest), deflated]).toString('latin1');
    },
    unpack: (packed) => JSON.parse(textOf(packed)) as T,
    isPackOf(packed, object) {
      const text = textOf(packed);
      return text === JSON.stringify(object) || isDeepStrictEqual(JSON.parse(text), object);
    },
  };
}
