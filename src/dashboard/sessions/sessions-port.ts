/** A session ends twelve hours after sign-in, even if it is in use. */
export const sessionSeconds = 12 * 3_600;
/** Maximum number of concurrent sessions per API key; one more ends the oldest. */
export const sessionsPerKey = 20;

/** A signed-in user, as stored; it contains no credentials. */
export interface Session {
  readonly account: string;
  /** public part of the API key that opened it; the session ends with the key */
  readonly keyId: string;
  /** hash of the browser's User-Agent: the cookie is refused from another browser */
  readonly agent: string;
}

/** Sessions by the cookie's token. Every method rejects with SessionsUnavailable while the store is unreachable. */
export interface Sessions {
  /** Resolves to the token for the cookie. */
  open(session: Session): Promise<string>;
  /** Resolves to null without asking the store for a token that this installation did not make. */
  find(token: string): Promise<Session | null>;
  end(token: string): Promise<void>;
}

/** Sessions cannot be looked up right now; this signs nobody out. */
export class SessionsUnavailable extends Error {
  override readonly name = 'SessionsUnavailable';
}
