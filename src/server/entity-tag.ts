import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { IfMatch } from '../use-cases/precondition.ts';
import { preconditionFailed } from '../use-cases/precondition.ts';
import { Problem } from '../use-cases/problem.ts';

/**
 * Entity tags of answers (RFC 9110 section 8.8.3). A tag is strong: it has a hash of the representation, with all that was found out about it. In front of
 * that it has the version of what a client can change, which is all that If-Match looks at (docs/adr/0103).
 */

type Headers = Pick<IncomingMessage, 'headers'>;

/** A hash of a representation, or of a part of one. */
export const representationHash = (text: string): string => hash('sha256', text, 'base64url').slice(0, 22);

/** The entity tag of a representation of this hash; `version` of what it shows, null where nothing of it is changed under a condition. */
export const entityTag = (version: string | null, hashed: string): string =>
  version === null ? `"${hashed}"` : `"${version}.${hashed}"`;

/** Characters of a header; each of our tags has some 65. */
export const tagsMaximum = 4_096;
/** RFC 9110 section 8.8.3 */
const tagForm = /^(?<weak>W\/)?"(?<opaque>[\x21\x23-\x7e\x80-\xff]*)"$/;

interface SentTag {
  readonly isWeak: boolean;
  /** what is in the quotation marks */
  readonly opaque: string;
}

/** The tags of a list; null for what is none. */
function sentTags(value: string): readonly SentTag[] | null {
  if (value.length > tagsMaximum) return null;
  const tags = value.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/).map((part) => tagForm.exec(part.trim())?.groups);
  if (tags.some((tag) => tag === undefined)) return null;
  return tags.map((tag) => ({ isWeak: tag?.['weak'] !== undefined, opaque: tag?.['opaque'] ?? '' }));
}

/**
 * What If-Match asks for (RFC 9110 section 13.1.1); null without it. A weak tag never matches, and of a tag of ours the version counts alone. Throws
 * malformed-request for what is no list of tags: it must not be taken for no condition.
 */
export function readIfMatch({ headers }: Headers): IfMatch | null {
  const value = headers['if-match']?.trim();
  if (value === undefined) return null;
  if (value === '*') return () => true;
  const tags = sentTags(value);
  if (tags === null)
    throw new Problem(
      'malformed-request',
      'send If-Match with `*`, or with the ETag that you got, in its quotation marks',
    );
  const versions = new Set(tags.flatMap(({ isWeak, opaque }) => (isWeak ? [] : versionIn(opaque))));
  return (version) => versions.has(version);
}

const versionIn = (opaque: string): readonly string[] => {
  const end = opaque.lastIndexOf('.');
  return end < 0 ? [] : [opaque.slice(0, end)];
};

/**
 * The condition of a request that changes something; null without one. No condition is taken for none: throws precondition-failed for a tag where
 * nothing has any, and malformed-request for If-None-Match, which is for GET.
 */
export function conditionOfChange(request: Headers, hasVersions: boolean): IfMatch | null {
  if (request.headers['if-none-match'] !== undefined)
    throw new Problem(
      'malformed-request',
      'If-None-Match is for GET; send a change with If-Match, or without a condition',
    );
  const ifMatch = readIfMatch(request);
  if (hasVersions || ifMatch === null) return ifMatch;
  if (!ifMatch('')) throw preconditionFailed();
  return null;
}

/**
 * Whether whoever asks has this representation already (RFC 9110 section 13.1.2), by the weak comparison: proxies weaken tags when they compress. What
 * cannot be read asks for nothing.
 */
export function hasAlready({ headers }: Headers, tag: string): boolean {
  const value = headers['if-none-match']?.trim();
  if (value === undefined) return false;
  if (value === '*') return true;
  return sentTags(value)?.some(({ opaque }) => `"${opaque}"` === tag) ?? false;
}
