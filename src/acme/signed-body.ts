import { createHmac, sign } from 'node:crypto';
import type { AccountKey } from './account-key.ts';

/** Who signs: the account by its URL, or the key itself where there is no account yet. */
export interface Signer {
  readonly key: AccountKey;
  /** the account's URL; null in a request that looks for it or makes it */
  readonly account: string | null;
}

/** A JWS with the flattened serialization of RFC 7515, as RFC 8555, section 6.2, asks for it. */
export interface SignedBody {
  readonly protected: string;
  readonly payload: string;
  readonly signature: string;
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

interface SignOptions {
  readonly url: string;
  readonly nonce: string;
}

/** Signs one request. A null payload is the empty one of POST-as-GET (RFC 8555, section 6.3). */
export function signedBody(payload: object | null, { key, account }: Signer, { url, nonce }: SignOptions): SignedBody {
  const identity = account === null ? { jwk: key.jwk } : { kid: account };
  const header = encode({ alg: key.algorithm, nonce, url, ...identity });
  const body = payload === null ? '' : encode(payload);
  const input = Buffer.from(`${header}.${body}`);
  const signature = sign('sha256', input, { key: key.privateKey, dsaEncoding: 'ieee-p1363' });
  return { protected: header, payload: body, signature: signature.toString('base64url') };
}

/** What an authority that knows its customers gave for this account. */
export interface ExternalAccount {
  readonly keyId: string;
  /** base64url, as authorities show it */
  readonly hmacKey: string;
}

/** `externalAccountBinding` of a new account (RFC 8555, section 7.3.4): the account's public key, signed with the authority's. */
export function externalAccountBinding(
  { jwk }: AccountKey,
  { keyId, hmacKey }: ExternalAccount,
  url: string,
): SignedBody {
  const header = encode({ alg: 'HS256', kid: keyId, url });
  const payload = encode(jwk);
  const mac = createHmac('sha256', Buffer.from(hmacKey, 'base64url'));
  return { protected: header, payload, signature: mac.update(`${header}.${payload}`).digest('base64url') };
}
