import { createHmac, timingSafeEqual } from 'node:crypto';
import { derivedKey } from '../lib/derived-key.ts';
import { Problem } from './problem.ts';

/** The cursors of one list, with one choice of its items in one order. */
export interface ListCursors {
  /** `position`: what the last item that was shown is sorted by, which no other item has and which never changes. Not secret: a client can read it. */
  seal(position: string): string;
  /** The position. Throws malformed-request for what was not sealed for this list. */
  open(cursor: string): string;
}

/** `list`: plain JSON that says whose list it is, which one, and all that decides which items it has and in which order. */
export type Cursors = (list: readonly unknown[]) => ListCursors;

const macBytes = 16;

/**
 * A cursor is, in base64url, a MAC of 128 bits (HMAC-SHA256) and the position in UTF-8. The MAC covers the list too, so a cursor of another account, list,
 * filter or order is refused as one that is made up. All API servers of an installation derive the same key, so each takes the others' cursors, and
 * a restart ends none.
 */
export function createCursors(installationSecret: Uint8Array): Cursors {
  const key = derivedKey(installationSecret, 'projectdomain list cursor');
  return (list) => {
    const name = JSON.stringify(list);
    const macOf = (position: Uint8Array) =>
      createHmac('sha256', key).update(name).update(position).digest().subarray(0, macBytes);
    return Object.freeze<ListCursors>({
      seal(position) {
        const bytes = Buffer.from(position);
        return Buffer.concat([macOf(bytes), bytes]).toString('base64url');
      },
      open(cursor) {
        const bytes = Buffer.from(cursor, 'base64url');
        const [mac, position] = [bytes.subarray(0, macBytes), bytes.subarray(macBytes)];
        const isWhole = position.length > 0 && bytes.toString('base64url') === cursor;
        if (!isWhole || !timingSafeEqual(mac, macOf(position))) throw unusable();
        return position.toString();
      },
    });
  };
}

const unusable = (): Problem =>
  new Problem(
    'malformed-request',
    'cursor: send nextCursor of the previous page unchanged, to the same list with the same filters and sort; or begin without a cursor',
  );
