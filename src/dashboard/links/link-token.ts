import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/**
 * The token of a hand-over link, in base64url: where the domain's links are (120 bits), the secret (144 bits), and a
 * MAC over both (144 bits), by which a guess is refused before anything is looked up. Each part is a multiple of three
 * bytes, so that no two texts are the same token.
 */
const shape = /^([A-Za-z0-9_-]{20})([A-Za-z0-9_-]{24})([A-Za-z0-9_-]{24})$/;

/** Where a token leads. */
export interface LinkPlace {
  /** the domain's place in the store */
  readonly place: string;
  /** the link's id */
  readonly id: string;
}

export const secretBytes = 18;

const hash = (text: string, bytes: number): string =>
  createHash('sha256').update(text).digest().subarray(0, bytes).toString('base64url');

/** The place of a domain's links in the store. The uid itself is not in the token. */
export const placeOf = (uid: string): string => hash(uid, 15);

/** Makes and reads tokens with a key derived from the installation's HMAC secret for this purpose only (RFC 5869). */
export function linkTokens(installationSecret: Uint8Array) {
  const key = new Uint8Array(hkdfSync('sha256', installationSecret, '', 'projectdomain hand-over token', 32));
  const signature = (place: string, secret: string): Buffer =>
    createHmac('sha256', key)
      .update(place + secret)
      .digest()
      .subarray(0, 18);
  return Object.freeze({
    /** A token for a secret of `secretBytes` random bytes. */
    make(place: string, random: Uint8Array): LinkPlace & { readonly token: string } {
      const secret = Buffer.from(random).toString('base64url');
      const token = place + secret + signature(place, secret).toString('base64url');
      return { place, id: hash(secret, 18), token };
    },
    /** Null for a token that this installation did not make. */
    read(token: string): LinkPlace | null {
      const [, place = '', secret = '', given = ''] = shape.exec(token) ?? [];
      if (given === '' || !timingSafeEqual(Buffer.from(given, 'base64url'), signature(place, secret))) return null;
      return { place, id: hash(secret, 18) };
    },
  });
}
