import { isDeepStrictEqual } from 'node:util';
import { constants } from 'node:zlib';
import { DeflateRaw, InflateRaw } from 'minizlib';

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

/** Deflates short texts (RFC 1951) that resemble a dictionary, and inflates them again. */
interface DictionaryCompression {
  deflate(text: string): Buffer;
  /** Throws on anything that was not deflated with the same dictionary. */
  inflate(deflated: Buffer): string;
}

/** An object that is longer than the dictionary still finds all of it. */
const windowBits = 13;
/** A third faster than zlib's own default (zlib manual, deflateInit2), and results are some 5 % longer. */
const effort = { level: 3, memLevel: 3 };
/** What one call gives is in one piece, but for a few long texts. */
const chunkSize = 4_096;

/**
 * Each direction has one context of zlib, which is reset for each text: a new one takes longer than the compression, and leaves
 * some tens of kilobytes for the allocator to give back (docs/adr/0054-one-zlib-context-for-many-objects.md).
 */
export function createDictionaryCompression(dictionary: Buffer): DictionaryCompression {
  const options = { dictionary, windowBits, chunkSize, flush: constants.Z_FINISH };
  const deflate = createConversion(() => new DeflateRaw({ ...options, ...effort }));
  const inflate = createConversion(() => new InflateRaw(options));
  return {
    deflate: (text) => deflate(Buffer.from(text)),
    inflate: (deflated) => inflate(deflated).toString(),
  };
}

/** Makes its context when it is first needed, and a new one after an error, as that closes a context. */
function createConversion(createContext: () => DeflateRaw | InflateRaw): (input: Buffer) => Buffer {
  let context: DeflateRaw | InflateRaw | undefined;
  return (input) => {
    context ??= createContext();
    try {
      context.reset();
      context.write(input);
      const result = context.read();
      if (result === null) throw new Error('zlib gave nothing');
      return result;
    } catch (error) {
      context = undefined;
      throw error;
    }
  };
}
