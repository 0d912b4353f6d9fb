import { isDeepStrictEqual } from 'node:util';
import { createSharedStrings } from './shared-strings.ts';
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

/** Packed, but for the fields that lists show: reading all objects of an index unpacks none. */
export const packedWithHead = <T extends object, Head extends object>(
  { pack, unpack, isPackOf }: Packing<T>,
  headOf: (object: T) => Head,
): Representation<T, Head, Headed<Head>> => {
  const shared = createSharedStrings();
  return {
    hold: (object) => ({ head: deepFreeze(shared(headOf(object))), body: pack(object) }),
    whole: ({ body }) => deepFreeze(unpack(body)),
    head: ({ head }) => head,
    isEqual: ({ body }, object) => isPackOf(body, object),
  };
};

/** Freezes an object of JSON and everything in it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  Object.values(value).forEach(deepFreeze);
  return value;
}
