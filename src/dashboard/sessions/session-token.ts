import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/**
 * The token of a session's cookie: the public part of its API key, a dot, and in base64url the secret (128 bits) with a MAC over both
 * (128 bits), by which a made-up cookie is refused before anything is looked up.
 */
const shape = /^([A-Za-z0-9]{8,32})\.([A-Za-z0-9_-]{43})$/;

export const secretBytes = 16;

export interface SessionToken {
  /** public part of the API key that opened the session */
  readonly keyId: string;
  /** secret and MAC, as they stand in the token */
  readonly secret: string;
}

export interface SessionTokens {
  /** A token for a secret of `secretBytes` random bytes. */
  make(keyId: string, random: Uint8Array): SessionToken;
  /** Null for a token that this installation did not make. */
  read(token: string): SessionToken | null;
}

/** Makes and reads tokens with a key derived from the installation's HMAC secret for this purpose only (HKDF, RFC 5869). */
export function sessionTokens(installationSecret: Uint8Array): SessionTokens {
  const key = new Uint8Array(hkdfSync('sha256', installationSecret, '', 'projectdomain session token', 32));
  const secretOf = (keyId: string, random: Uint8Array): string => {
    const mac = createHmac('sha256', key).update(`${keyId}.`).update(random).digest().subarray(0, 16);
    return Buffer.concat([random, mac]).toString('base64url');
  };
  return Object.freeze<SessionTokens>({
    make: (keyId, random) => ({ keyId, secret: secretOf(keyId, random) }),
    read(token) {
      const [, keyId = '', secret = ''] = shape.exec(token) ?? [];
      if (secret === '') return null;
      const random = Buffer.from(secret, 'base64url').subarray(0, secretBytes);
      const isOurs = timingSafeEqual(Buffer.from(secret), Buffer.from(secretOf(keyId, random)));
      return isOurs ? { keyId, secret } : null;
    },
  });
}

/** As it stands in the cookie. */
export const textOfToken = ({ keyId, secret }: SessionToken): string => `${keyId}.${secret}`;
