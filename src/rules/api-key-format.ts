import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { ApiKey } from '../generated/api-key.ts';

/** What an API key may be used for, with the meaning in one line; every REST call names the scope that it needs. */
export const scopeMeanings = {
  'domains:read': 'Show projects and domains, and follow their changes.',
  'domains:write': 'Create, change and remove projects and domains, and ask for a check.',
  'keys:write': 'List, create and delete API keys, with no more scopes than the calling key.',
} as const satisfies Readonly<Record<ApiKey['spec']['scopes'][number], string>>;

export type Scope = keyof typeof scopeMeanings;

export const scopes = Object.freeze(Object.keys(scopeMeanings) as Scope[]);

/**
 * What the name of a key may consist of, as crds/api-key.yaml has it: nothing that a terminal obeys, that turns text or that hides, but
 * for the marks that join letters of some scripts (U+200C, U+200D).
 */
export const keyNameForm =
  /^[^\p{Cc}\p{Zl}\p{Zp}\u{61c}\u{200b}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2060}-\u{206f}\u{feff}\u{e0000}-\u{e007f}]*$/u;

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const keyIdAlphabet = '0123456789abcdefghijklmnopqrstuvwxyz';
const keyIdLength = 16;
/** 30 characters of 62: 178 bits. */
const secretLength = 30;
const checksumLength = 6;
const shape = /^pd_([A-Za-z0-9]{8,32})_([A-Za-z0-9]{36})$/;

/** A new key. Its owner sees `key` once; only `keyId` and `sha256` are stored. */
export interface NewKey {
  /** pd_<keyId>_<secret><checksum> */
  readonly key: string;
  readonly keyId: string;
  readonly sha256: string;
}

/** Generates a key. `random(n)` returns an integer in [0, n) from a cryptographically secure source. */
export function drawKey(random: (below: number) => number): NewKey {
  const draw = (letters: string, length: number) =>
    Array.from({ length }, () => letters[random(letters.length)]).join('');
  const keyId = draw(keyIdAlphabet, keyIdLength);
  const body = `pd_${keyId}_${draw(alphabet, secretLength)}`;
  const key = body + checksum(body);
  return Object.freeze({ key, keyId, sha256: hashOfKey(key) });
}

/** The public part of a key with valid format and checksum; null for anything else. Looks nothing up. */
export function keyIdOf(key: string): string | null {
  const keyId = shape.exec(key)?.[1];
  return keyId !== undefined && hasChecksum(key) ? keyId : null;
}

/** SHA-256 of the whole key: with 178 random bits in the key, no slow hash is needed. */
export const digestOfKey = (key: string): Buffer => hash('sha256', key, 'buffer');

/** The same in hexadecimal. */
export const hashOfKey = (key: string): string => hash('sha256', key);

/** CRC-32 (ISO-HDLC) in six base-62 digits: detects typos and made-up keys without a lookup. */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let place = 0; place < checksumLength; place += 1) {
    digits = (alphabet[rest % 62] ?? '') + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** The same, from the last digit on, without a string for it: every request is asked this first. */
function hasChecksum(key: string): boolean {
  let rest = crc32(key.slice(0, -checksumLength));
  for (let place = key.length - 1; place >= key.length - checksumLength; place -= 1) {
    if (key[place] !== alphabet[rest % 62]) return false;
    rest = Math.floor(rest / 62);
  }
  return true;
}
