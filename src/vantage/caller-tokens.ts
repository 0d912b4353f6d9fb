import { createHash, timingSafeEqual } from 'node:crypto';

/** bytes of entropy are not countable, characters are: `openssl rand -hex 32` gives 64 */
const leastCharacters = 32;

/** The tokens of a file, one a line. Throws when there is none, or one that is too short to be secret. */
export function parseTokens(content: string): readonly string[] {
  const tokens = content.split('\n').map((line) => line.trim());
  const given = tokens.filter((token) => token !== '');
  if (given.length === 0) throw new Error('the token file is empty');
  if (given.some((token) => token.length < leastCharacters || !/^[\x21-\x7e]+$/.test(token))) {
    throw new Error(`a token has at least ${leastCharacters} printable characters and no spaces`);
  }
  return Object.freeze(given);
}

/** Whether an Authorization header carries one of the tokens (RFC 6750 section 2.1); in constant time for each. */
export function isAuthorized(header: string | undefined, tokens: readonly string[]): boolean {
  const given = digest(/^Bearer +(\S+)$/i.exec(header ?? '')?.[1] ?? '');
  return tokens.map((token) => timingSafeEqual(digest(token), given)).includes(true);
}

/** Of equal length whatever is given, as the comparison requires. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
