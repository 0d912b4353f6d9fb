import type { KeyObject, JsonWebKey } from 'node:crypto';
import { createPrivateKey, sign, verify } from 'node:crypto';
import type { CertificateFacts } from './certificate-facts.ts';
import type { CertificateRefusal, Objection } from './certificate-refusal.ts';
import { refuse } from './certificate-refusal.ts';
import type { KeyForm } from './der-private-key.ts';
import { mustBePrivateKey } from './der-private-key.ts';
import type { PemBlock } from './pem-blocks.ts';
import { pemBlocks } from './pem-blocks.ts';

/** The private key. Never part of a refusal. */
export interface ReadKey {
  readonly ok: true;
  readonly key: KeyObject;
}

const types: Readonly<Record<string, KeyForm>> = {
  'PRIVATE KEY': 'pkcs8',
  'RSA PRIVATE KEY': 'pkcs1',
  'EC PRIVATE KEY': 'sec1',
};

/** A key of RSA with 4,096 bits has 2,400 bytes; a longer text is no key that is taken, and is not parsed. */
const longest = 4_096;

/** Reads the one private key of a PEM text; beside it, the parameters that older tools write are let pass. */
export function readPrivateKey(text: string): ReadKey | CertificateRefusal {
  if (/ENCRYPTED/.test(text))
    return refuse(
      'KeyEncrypted',
      'the private key is protected by a passphrase; send it without one: openssl pkey -in key.pem -out plain.pem',
    );
  const [block, ...others] = pemBlocks(text).filter(({ label }) => label.endsWith('PRIVATE KEY'));
  if (block === undefined || others.length > 0)
    return refuse('NotPem', 'privateKey must be one private key in PEM: -----BEGIN PRIVATE KEY-----');
  const key = parseKey(block);
  return key
    ? { ok: true, key }
    : refuse(
        'KeyUnreadable',
        'the private key cannot be read as one of ECDSA, or RSA with at most 4096 bits; send it as PKCS#8 in PEM',
      );
}

function parseKey({ label, der }: PemBlock): KeyObject | null {
  const type = types[label];
  if (type === undefined || der.length > longest) return null;
  try {
    mustBePrivateKey(type, der);
    return createPrivateKey({ key: der, format: 'der', type });
  } catch {
    return null;
  }
}

/** What browsers take for a server, and what they take for an authority. */
const taken = {
  leaf: {
    curves: ['prime256v1', 'secp384r1'],
    modulus: [2_048, 4_096],
    words: 'ECDSA on P-256 or P-384, or RSA with 2048 to 4096 bits',
  },
  issuer: {
    curves: ['prime256v1', 'secp384r1', 'secp521r1'],
    modulus: [2_048, 8_192],
    words: 'ECDSA, or RSA with 2048 to 8192 bits',
  },
} as const;

/** Exponents of more bits make each check of a signature slow, and Go's crypto/rsa takes none of them. */
const exponentBits = 31;

/** Objects to a key of a type or size that is not taken; `role` says what its certificate is. Nothing is computed with the key. */
export function keyTypeObjection(facts: CertificateFacts, role: keyof typeof taken): Objection {
  const { publicKey, title, rsa } = facts;
  const { asymmetricKeyType: type, asymmetricKeyDetails: { namedCurve = '' } = {} } = publicKey;
  const { curves, modulus, words } = taken[role];
  const [least, most] = modulus;
  const isTaken =
    type === 'ec'
      ? curves.some((curve) => curve === namedCurve)
      : type === 'rsa' && rsa !== null && rsa.modulusBits >= least && rsa.modulusBits <= most;
  if (!isTaken)
    return refuse(
      'KeyType',
      `the key of ${title} is ${keyWords(facts)}; a certificate with a key of ${words} is taken`,
    );
  if (rsa === null || (rsa.isExponentSound && rsa.exponentBits <= exponentBits)) return null;
  return refuse(
    'KeyType',
    `the key of ${title} has a public exponent of ${rsa.exponentBits} bits; one that is odd, at least 3 and has at most ${exponentBits} bits is taken, such as 65537`,
  );
}

function keyWords({
  publicKey: { asymmetricKeyType, asymmetricKeyDetails: details = {} },
  rsa,
}: CertificateFacts): string {
  const type: string = asymmetricKeyType ?? 'unknown';
  if (type === 'rsa') return `RSA with ${rsa?.modulusBits} bits`;
  return type.startsWith('ed') ? `${type}, which browsers do not take` : `${type} ${details.namedCurve ?? ''}`.trim();
}

/** Checks a key that is the certificate's and works: as it was measured and written anew. */
export function checkedKey({ x509, publicKey }: CertificateFacts, key: KeyObject): ReadKey | CertificateRefusal {
  if (key.asymmetricKeyType !== publicKey.asymmetricKeyType || !x509.checkPrivateKey(key))
    return refuse(
      'KeyMismatch',
      'the private key does not belong to the first certificate; send the key that it was made with',
    );
  const sound = soundKey(key);
  return sound && signs(publicKey, sound)
    ? { ok: true, key: sound }
    : refuse('KeyBroken', 'the private key is damaged; export it again');
}

function signs(publicKey: KeyObject, key: KeyObject): boolean {
  const data = Buffer.from('projectdomain');
  try {
    return verify('sha256', data, publicKey, sign('sha256', data, key));
  } catch {
    return false;
  }
}

/**
 * The key, written anew from its numbers; null where they do not belong together. Whoever sends a key may have made it up: parts that are too long make
 * each signature slow, and a key that works with one library is refused by another, whose ingress then answers with something else. So the rules
 * are those of the strictest, Go's crypto/rsa (internal/fips140/rsa/rsa.go, checkPrivateKey) and crypto/ecdsa (ParseRawPrivateKey), and lengths are
 * looked at before anything is computed.
 */
function soundKey(key: KeyObject): KeyObject | null {
  try {
    const jwk = key.export({ format: 'jwk' });
    const isSound = key.asymmetricKeyType === 'rsa' ? isSoundRsa(jwk) : isSoundEc(jwk);
    return isSound ? createPrivateKey({ key: jwk, format: 'jwk' }) : null;
  } catch {
    return null;
  }
}

const bytes = (part: string | undefined): Buffer => Buffer.from(part ?? '', 'base64url');
const integer = (octets: Buffer): bigint => (octets.length === 0 ? 0n : BigInt(`0x${octets.toString('hex')}`));

const exponentAtMost = 2n ** 31n;

function isSoundRsa(jwk: JsonWebKey): boolean {
  const [modulus, exponent, ...factors] = [jwk.n, jwk.d, jwk.p, jwk.q, jwk.dp, jwk.dq, jwk.qi].map(bytes) as [
    Buffer,
    Buffer,
    ...Buffer[],
  ];
  const half = Math.ceil(modulus.length / 2);
  if (exponent.length > modulus.length || factors.some(({ length }) => length > half)) return false;
  const [p, q, dp, dq, qi] = factors.map(integer) as [bigint, bigint, bigint, bigint, bigint];
  const [n, d, e] = [integer(modulus), integer(exponent), integer(bytes(jwk.e))];
  if (p < 2n || q < 2n || p * q !== n || e >= exponentAtMost) return false;
  const fits = (prime: bigint, part: bigint): boolean =>
    part < prime - 1n && (part * e) % (prime - 1n) === 1n && d % (prime - 1n) === part;
  return isHardToGuess({ n, d, p, q }) && fits(p, dp) && fits(q, dq) && qi < p && (qi * q) % p === 1n;
}

/** Factors near each other are found, and so is a short exponent. */
function isHardToGuess({ n, d, p, q }: Readonly<Record<'n' | 'd' | 'p' | 'q', bigint>>): boolean {
  const half = Math.floor(bitsOf(n) / 2);
  return d < n && bitsOf(d) > half && bitsOf(p > q ? p - q : q - p) > half - 100;
}

const bitsOf = (value: bigint): number => value.toString(2).length;

/** The order of each curve that is taken (SEC 2), below which a private key is. */
const orders: ReadonlyMap<string, bigint> = new Map([
  ['P-256', 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n],
  ['P-384', 0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n],
]);

function isSoundEc({ crv = '', d }: JsonWebKey): boolean {
  const [scalar, order] = [integer(bytes(d)), orders.get(crv)];
  return order !== undefined && scalar > 0n && scalar < order;
}
