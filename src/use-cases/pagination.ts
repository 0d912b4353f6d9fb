import type { ListCursors } from './cursors.ts';

/** A page of a list; `nextCursor` requests the next one and is null on the last. */
export interface ResultPage<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

/** The requested page of a list. */
export interface PageRequest {
  /** maximum number of items */
  readonly limit: number;
  /** `nextCursor` of the previous page; absent for the first */
  readonly cursor?: string | undefined;
}

/**
 * The page after the cursor, which has the key of the previous page's last item; items are sorted by key. Keys never change, so an item that is removed or
 * added between two pages makes no other be left out or shown twice. Throws malformed-request for a cursor of another list.
 */
export function pageOf<T>(
  all: readonly T[],
  keyOf: (item: T) => string,
  { limit, cursor }: PageRequest,
  cursors: ListCursors,
): ResultPage<T> {
  const after = cursor === undefined ? '' : cursors.open(cursor);
  const first = firstAfter(all, keyOf, { after, count: limit + 1 });
  const page = first.slice(0, limit);
  const last = page.at(-1);
  const nextCursor = first.length > limit && last !== undefined ? cursors.seal(last.key) : null;
  return { items: page.map(({ item }) => item), nextCursor };
}

interface Keyed<T> {
  readonly key: string;
  readonly item: T;
}

/**
 * The first `count` items after a key, in order, in one pass: sorting the whole list again for each page would make
 * reading it quadratic.
 */
function firstAfter<T>(
  all: readonly T[],
  keyOf: (item: T) => string,
  { after, count }: { readonly after: string; readonly count: number },
): readonly Keyed<T>[] {
  const inOrder = (a: Keyed<T>, b: Keyed<T>) => (a.key < b.key ? -1 : 1);
  let first: Keyed<T>[] = [];
  let bound: string | null = null;
  for (const item of all) {
    const key = keyOf(item);
    if (key <= after || (bound !== null && key >= bound)) continue;
    first.push({ key, item });
    if (first.length < count * 4) continue;
    first = first.toSorted(inOrder).slice(0, count);
    bound = first.at(-1)?.key ?? null;
  }
  return first.toSorted(inOrder).slice(0, count);
}
