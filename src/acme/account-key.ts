import type { JsonWebKey, KeyObject } from 'node:crypto';
import { createPrivateKey, createPublicKey, generateKeyPairSync, hash } from 'node:crypto';

/** The key of an ACME account, with what is sent and answered of it. */
export interface AccountKey {
  readonly privateKey: KeyObject;
  readonly algorithm: 'ES256' | 'RS256';
  /** the public key as a JWK (RFC 7517), with the members that its thumbprint is made of */
  readonly jwk: Readonly<Record<string, string>>;
  /** base64url of the SHA-256 of that JWK (RFC 7638): the second half of each key authorization */
  readonly thumbprint: string;
}

const leastRsaBits = 2_048;

/** A new key: ECDSA on P-256, as PKCS#8 in PEM. */
export function createAccountKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** Reads a private key in PEM: ECDSA on P-256, or RSA as cert-manager makes it. Throws a sentence about any other one. */
export function readAccountKey(pem: string): AccountKey {
  const privateKey = parse(pem);
  const { asymmetricKeyType, asymmetricKeyDetails } = privateKey;
  const jwk = createPublicKey(privateKey).export({ format: 'jwk' });
  if (asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === 'prime256v1')
    return withThumbprint(privateKey, 'ES256', membersOf(jwk, ['crv', 'kty', 'x', 'y']));
  if (asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= leastRsaBits)
    return withThumbprint(privateKey, 'RS256', membersOf(jwk, ['e', 'kty', 'n']));
  throw new Error(`the account key must be ECDSA on P-256, or RSA of ${leastRsaBits} bits or more`);
}

function parse(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw new Error('the account key is not a private key in PEM');
  }
}

/** The members in the order that RFC 7638, section 3.3, hashes them in. */
const membersOf = (jwk: JsonWebKey, names: readonly (keyof JsonWebKey & string)[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, String(jwk[name])]));

const withThumbprint = (
  privateKey: KeyObject,
  algorithm: AccountKey['algorithm'],
  jwk: AccountKey['jwk'],
): AccountKey =>
  Object.freeze({ privateKey, algorithm, jwk, thumbprint: hash('sha256', JSON.stringify(jwk), 'base64url') });

/** What proves control for a challenge's token (RFC 8555, section 8.1). */
export const keyAuthorization = (token: string, thumbprint: string): string => `${token}.${thumbprint}`;

/** The value of the TXT record of a DNS-01 challenge (RFC 8555, section 8.4). */
export const dnsChallengeValue = (token: string, thumbprint: string): string =>
  hash('sha256', keyAuthorization(token, thumbprint), 'base64url');
