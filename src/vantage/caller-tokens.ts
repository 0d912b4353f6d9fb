import { createHash, timingSafeEqual } from 'node:crypto';

/** The tokens by which callers of a vantage point are known. */
export interface CallerTokens {
  /** Takes those of a file, one a line. Throws when there is none, or one that is too short to be secret. */
  readonly use: (content: string) => void;
  /** Whether an Authorization header carries one of them (RFC 6750 section 2.1); in constant time for each. */
  readonly isAuthorized: (header: string | undefined) => boolean;
}

/** bytes of entropy are not countable, characters are: `openssl rand -hex 32` gives 64 */
const leastCharacters = 32;

/** Nobody is authorized before the first use of a file; what `use` throws leaves the tokens from before. */
export function createCallerTokens(): CallerTokens {
  let digests: readonly Buffer[] = [];
  return {
    use(content) {
      digests = parseTokens(content).map(digest);
    },
    isAuthorized(header) {
      const given = digest(/^Bearer +(\S+)$/i.exec(header ?? '')?.[1] ?? '');
      return digests.map((known) => timingSafeEqual(known, given)).includes(true);
    },
  };
}

function parseTokens(content: string): readonly string[] {
  const tokens = content.split('\n').map((line) => line.trim());
  const given = tokens.filter((token) => token !== '');
  if (given.length === 0) throw new Error('the token file is empty');
  if (given.some((token) => token.length < leastCharacters || !/^[\x21-\x7e]+$/.test(token))) {
    throw new Error(`a token has at least ${leastCharacters} printable characters and no spaces`);
  }
  return given;
}

/** Of equal length whatever is given, as the comparison requires. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
