import { isDeepStrictEqual } from 'node:util';
import { withSharedStrings } from '../lib/shared-strings.ts';
import type { Packing } from './packed-objects.ts';

/** How a store keeps its objects in memory. `Held` is what it keeps of each. */
export interface Representation<T, Head, Held = unknown> {
  /** `object` is frozen. */
  hold(object: T): Held;
  /** Frozen, and equal to what was given. */
  whole(held: Held): T;
  /** The fields that a list of objects shows. */
  head(held: Held): Head;
  isEqual(held: Held, object: T): boolean;
}

/** Objects as they are: for kinds of which there are few, or that every request reads. */
export const asTheyAre = <T>(): Representation<T, T, T> => ({
  hold: (object) => object,
  whole: (held) => held,
  head: (held) => held,
  isEqual: isDeepStrictEqual,
});

/** Packed: for kinds with an object for each domain. Whoever reads one unpacks it. */
export const packed = <T extends object>({ pack, unpack, isPackOf }: Packing<T>): Representation<T, T, string> => ({
  hold: pack,
  whole: (held) => deepFreeze(unpack(held)),
  head: (held) => deepFreeze(unpack(held)),
  isEqual: isPackOf,
});

interface Headed<Head> {
  readonly head: Head;
  readonly body: string;
}

/**
 * Packed, but for the fields that lists show: reading all objects of an index unpacks none. An object without a head is its
 * own, and is unpacked for it.
 */
export const packedWithHead = <T extends object, Head extends object>(
  { pack, unpack, isPackOf }: Packing<T>,
  headOf: (object: T) => Head | undefined,
): Representation<T, Head | T, Headed<Head> | string> => {
  const bodyOf = (held: Headed<Head> | string): string => (typeof held === 'string' ? held : held.body);
  const whole = (held: Headed<Head> | string): T => deepFreeze(unpack(bodyOf(held)));
  return {
    hold(object) {
      const head = headOf(object);
      const body = pack(object);
      return head === undefined ? body : { head: deepFreeze(withSharedStrings(head)), body };
    },
    whole,
    head: (held) => (typeof held === 'string' ? whole(held) : held.head),
    isEqual: (held, object) => isPackOf(bodyOf(held), object),
  };
};

/** Freezes an object of JSON and everything in it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  Object.values(value).forEach(deepFreeze);
  return value;
}
