import { createHash, createPublicKey, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { KeyData, SignatureData, SignerData } from './dnssec-rdata.ts';
import type { SignedRecord } from './signed-section.ts';
import { writeName } from './wire-name.ts';

/** Hashes of DS digest types (RFC 4034, 4509, 6605). */
const digests: Readonly<Record<number, string>> = { 1: 'sha1', 2: 'sha256', 4: 'sha384' };

/** Signing algorithms that validating resolvers know (RFC 8624 section 3.1), by number, with their hash. */
const algorithms: Readonly<Record<number, string | null>> = {
  5: 'sha1',
  7: 'sha1',
  8: 'sha256',
  10: 'sha512',
  13: 'sha256',
  14: 'sha384',
  15: null,
  16: null,
};

/** A DS record with an algorithm or digest that resolvers do not know leaves its zone unsigned (RFC 4035 section 5.2). */
export const isSupported = ({ algorithm, digestType }: SignerData): boolean =>
  algorithm in algorithms && digestType in digests;

/**
 * Is one of the DS records the digest of the zone's key (RFC 4034 section 5.1.4)? The key is hashed once for each type of digest, however many
 * records have its tag.
 */
export function isDelegatedBy(signers: readonly SignerData[], zone: string, key: KeyData): boolean {
  const owner = writeName(zone);
  if (owner === null) return false;
  const named = signers.filter(
    (signer) => isSupported(signer) && signer.keyTag === key.keyTag && signer.algorithm === key.algorithm,
  );
  return [...Map.groupBy(named, ({ digestType }) => digestType)].some(([digestType, group]) => {
    const digest = createHash(digests[digestType] ?? '')
      .update(owner)
      .update(key.rdata)
      .digest();
    return group.some((signer) => digest.equals(signer.digest));
  });
}

/**
 * Does the key's signature cover exactly these records, which are one set (RFC 4034 section 3.1.8.1)? Null when that
 * cannot be told: an algorithm or a key that node:crypto does not take.
 */
export function verifies(records: readonly SignedRecord[], signature: SignatureData, key: KeyData): boolean | null {
  const signed = signedBytes(records, signature);
  const hash = algorithms[key.algorithm];
  if (hash === undefined) return null;
  if (signed === null) return false;
  try {
    const publicKey = keyObject(key);
    return publicKey && verify(hash, signed, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature.signature);
  } catch {
    return null;
  }
}

/** The set in canonical form and order, behind the signature's own data; null when the owner cannot be signed so. */
function signedBytes(records: readonly SignedRecord[], signature: SignatureData): Buffer | null {
  const owner = ownerOf(records[0]?.name ?? '', signature.labels);
  if (owner === null) return null;
  const fixed = Buffer.alloc(8);
  fixed.writeUInt16BE(signature.covered, 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt32BE(signature.originalTtl, 4);
  const data = new Map(records.map(({ rdata }) => [rdata.toString('latin1'), rdata]));
  const lines = [...data.values()]
    .toSorted((a, b) => a.compare(b))
    .flatMap((rdata) => [owner, fixed, lengthOf(rdata), rdata]);
  return Buffer.concat([signature.signedPart, ...lines]);
}

function lengthOf(rdata: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(rdata.length);
  return length;
}

/** A record from a wildcard is signed under the wildcard's name (RFC 4034 section 3.1.3). */
function ownerOf(name: string, labels: number): Buffer | null {
  const own = name === '' ? [] : name.split('.');
  const count = own[0] === '*' ? own.length - 1 : own.length;
  if (labels > count) return null;
  return writeName(labels === count ? name : ['*', ...own.slice(own.length - labels)].join('.'));
}

function keyObject({ algorithm, publicKey }: KeyData): KeyObject | null {
  const jwk = jwkOf(algorithm, publicKey);
  return jwk && createPublicKey({ key: jwk, format: 'jwk' });
}

const base64 = (bytes: Buffer): string => bytes.toString('base64url');

function jwkOf(algorithm: number, key: Buffer): Record<string, string> | null {
  if (algorithm === 15) return { kty: 'OKP', crv: 'Ed25519', x: base64(key) };
  if (algorithm === 16) return { kty: 'OKP', crv: 'Ed448', x: base64(key) };
  if (algorithm === 13 || algorithm === 14) {
    const half = key.length / 2;
    const crv = algorithm === 13 ? 'P-256' : 'P-384';
    return { kty: 'EC', crv, x: base64(key.subarray(0, half)), y: base64(key.subarray(half)) };
  }
  return rsaKey(key);
}

/** bytes; larger moduli are refused by resolvers too (RFC 3110 section 2), and a long exponent is a waste of our time */
const [longestModulus, longestExponent] = [512, 5];

/** RFC 3110 section 2: the exponent with its length before it, then the modulus. */
function rsaKey(key: Buffer): Record<string, string> | null {
  const isLong = key[0] === 0;
  const start = isLong ? 3 : 1;
  const length = isLong && key.length >= 3 ? key.readUInt16BE(1) : (key[0] ?? 0);
  const modulus = key.subarray(start + length);
  if (length === 0 || modulus.length === 0 || modulus.length > longestModulus || length > longestExponent) return null;
  return { kty: 'RSA', e: base64(key.subarray(start, start + length)), n: base64(modulus) };
}
