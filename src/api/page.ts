import { Problem } from './problem.ts';

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

/** The page after the cursor, which names the last item of the page before; items sorted by their key. */
export function pageOf<T>(
  all: readonly T[],
  keyOf: (item: T) => string,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Page<T> {
  const after = cursor === undefined ? '' : decode(cursor);
  const rest = all.filter((item) => keyOf(item) > after).toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const items = rest.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rest.length > limit && last !== undefined ? encode(keyOf(last)) : null };
}

const encode = (key: string): string => Buffer.from(`1:${key}`).toString('base64url');

function decode(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString();
  if (!text.startsWith('1:'))
    throw new Problem('malformed-request', 'cursor: send nextCursor of the page before as it is');
  return text.slice(2);
}
