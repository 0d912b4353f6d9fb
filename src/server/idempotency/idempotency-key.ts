import type { IncomingMessage } from 'node:http';
import { Problem } from '../../use-cases/problem.ts';

/** Characters of a key; a UUID has 36. */
export const keyMaximum = 255;

/** Quotation marks, and a backslash before each character that needs one. */
const longest = 2 * keyMaximum + 2;

/** A string of structured fields (RFC 9651 section 3.3.3); what is in it is looked at once it is unescaped. */
const quoted = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/;
const visible = /^[\x21-\x7e]+$/;

/**
 * The key of the header Idempotency-Key (draft-ietf-httpapi-idempotency-key-header-07 section 2.1): a string of structured fields, or the same
 * without quotation marks, as clients of other APIs send it. Null without the header. Throws malformed-request for anything but 1 to 255 visible
 * ASCII characters; so are two headers, which come joined by a comma and a space.
 */
export function readIdempotencyKey({ headers }: Pick<IncomingMessage, 'headers'>): string | null {
  const given = headers['idempotency-key'];
  if (given === undefined) return null;
  const key = typeof given === 'string' && given.length <= longest ? unquoted(given) : '';
  if (key.length <= keyMaximum && visible.test(key)) return key;
  throw new Problem(
    'malformed-request',
    `send one Idempotency-Key of 1 to ${keyMaximum} visible ASCII characters, such as a UUID, with or without quotation marks`,
  );
}

/** Empty for what begins with a quotation mark and is no string. */
function unquoted(given: string): string {
  if (!given.startsWith('"')) return given;
  return (quoted.exec(given)?.[1] ?? '').replaceAll(/\\(["\\])/g, '$1');
}
