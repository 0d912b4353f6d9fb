import type { KeyObject } from 'node:crypto';
import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  createAccountKey,
  dnsChallengeValue,
  keyAuthorization,
  readAccountKey,
} from '../../../src/acme/account-key.ts';

const pemOf = ({ privateKey }: { readonly privateKey: KeyObject }): string =>
  privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const rsa = (modulusLength: number) => () => pemOf(generateKeyPairSync('rsa', { modulusLength }));

describe('an account key', () => {
  it('that was made is read, with no private member in what is sent of it', () => {
    const { algorithm, jwk, thumbprint } = readAccountKey(createAccountKey());
    expect(algorithm).toBe('ES256');
    expect(Object.keys(jwk)).toEqual(['crv', 'kty', 'x', 'y']);
    expect(thumbprint).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });

  it('of RSA has the members that RFC 7638 hashes, in their order', () => {
    const { algorithm, jwk } = readAccountKey(rsa(2_048)());
    expect(algorithm).toBe('RS256');
    expect(Object.keys(jwk)).toEqual(['e', 'kty', 'n']);
  });

  it.each<[string, () => string, string]>([
    ['another curve', () => pemOf(generateKeyPairSync('ec', { namedCurve: 'secp384r1' })), 'must be ECDSA on P-256'],
    ['Ed25519, which authorities do not take', () => pemOf(generateKeyPairSync('ed25519')), 'must be ECDSA on P-256'],
    ['short RSA', rsa(1_024), 'RSA of 2048 bits or more'],
    ['no key at all', () => 'hello', 'not a private key in PEM'],
    ['nothing', () => '', 'not a private key in PEM'],
  ])('is refused with a sentence that does not quote it: %s', (_, make, sentence) => {
    const given = make();
    let message = '';
    try {
      readAccountKey(given);
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toContain(sentence);
    for (const line of given.split('\n').filter((one) => one.length > 10)) expect(message).not.toContain(line);
  });
});

describe('what is answered to a challenge', () => {
  it('is the token and the thumbprint; in DNS the hash of both', () => {
    expect(keyAuthorization('token', 'thumb')).toBe('token.thumb');
    // printf 'token.thumb' | openssl dgst -sha256 -binary | basenc --base64url
    expect(dnsChallengeValue('token', 'thumb')).toBe('lCdftpJCXapaZHkBGIZbcubeKW8RmA0jSG_aZN01zbU');
  });
});
