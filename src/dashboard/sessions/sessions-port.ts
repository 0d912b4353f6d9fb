/** A session ends twelve hours after sign-in, whatever happens in it. */
export const sessionSeconds = 12 * 3_600;
/** Sessions that one API key has at a time; the oldest ends when one more begins. */
export const sessionsPerKey = 20;

/** Who is signed in, as it is kept; nothing in it opens anything on its own. */
export interface Session {
  readonly account: string;
  /** public part of the API key it was opened with: the session ends with the key */
  readonly keyId: string;
  /** hash of the browser's User-Agent: a cookie that turns up elsewhere opens nothing */
  readonly agent: string;
}

/** Sessions by the token that a cookie carries. Every call rejects with SessionsUnavailable while they cannot be reached. */
export interface Sessions {
  /** Resolves to the token for the cookie. */
  open(session: Session): Promise<string>;
  find(token: string): Promise<Session | null>;
  end(token: string): Promise<void>;
}

/** They cannot be looked up now; nobody is signed out by it. */
export class SessionsUnavailable extends Error {
  override readonly name = 'SessionsUnavailable';
}
