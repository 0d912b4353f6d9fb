import { Problem } from './problem.ts';

/** A page of a list; `nextCursor` asks for the one that follows, null on the last. */
export interface ResultPage<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

/** Which page of a list is asked for. */
export interface PageRequest {
  /** how many items it has at most */
  readonly limit: number;
  /** `nextCursor` of the page before; absent for the first */
  readonly cursor?: string | undefined;
}

/** The page after the cursor, which names the last item of the page before; items sorted by their key. */
export function pageOf<T>(
  all: readonly T[],
  keyOf: (item: T) => string,
  { limit, cursor }: PageRequest,
): ResultPage<T> {
  const after = cursor === undefined ? '' : decode(cursor);
  const first = firstAfter(all, keyOf, { after, count: limit + 1 });
  const page = first.slice(0, limit);
  const last = page.at(-1);
  const nextCursor = first.length > limit && last !== undefined ? encode(last.key) : null;
  return { items: page.map(({ item }) => item), nextCursor };
}

interface Keyed<T> {
  readonly key: string;
  readonly item: T;
}

/**
 * The first `count` items after a key, in order, in one pass: sorting all of a long list for each of its pages would cost
 * its square.
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

const encode = (key: string): string => Buffer.from(`1:${key}`).toString('base64url');

function decode(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString();
  if (!text.startsWith('1:'))
    throw new Problem('malformed-request', 'cursor: send nextCursor of the page before as it is');
  return text.slice(2);
}
