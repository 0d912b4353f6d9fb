import type { KeyObject } from 'node:crypto';
import { createPrivateKey, sign, verify } from 'node:crypto';
import type { CertificateRefusal, Objection } from './certificate-refusal.ts';
import { refuse } from './certificate-refusal.ts';
import type { CertificateFacts } from './certificate-facts.ts';
import type { PemBlock } from './pem-blocks.ts';
import { pemBlocks } from './pem-blocks.ts';

/** The private key. Never part of a refusal. */
export interface ReadKey {
  readonly ok: true;
  readonly key: KeyObject;
}

const types: Readonly<Record<string, 'pkcs8' | 'pkcs1' | 'sec1'>> = {
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
  return key ? { ok: true, key } : refuse('KeyUnreadable', 'the private key cannot be read; send it as PKCS#8 in PEM');
}

function parseKey({ label, der }: PemBlock): KeyObject | null {
  const type = types[label];
  if (type === undefined || der.length > longest) return null;
  try {
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

/** Objects to a key of a type or size that is not taken; `role` says what its certificate is. */
export function keyTypeObjection({ publicKey, title }: CertificateFacts, role: keyof typeof taken): Objection {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details = {} } = publicKey;
  const { namedCurve = '', modulusLength = 0 } = details;
  const { curves, modulus, words } = taken[role];
  const [least, most] = modulus;
  const isTaken =
    type === 'ec'
      ? curves.some((curve) => curve === namedCurve)
      : type === 'rsa' && modulusLength >= least && modulusLength <= most;
  return isTaken
    ? null
    : refuse('KeyType', `the key of ${title} is ${keyWords(publicKey)}; a certificate with a key of ${words} is taken`);
}

function keyWords({ asymmetricKeyType, asymmetricKeyDetails: details = {} }: KeyObject): string {
  const type: string = asymmetricKeyType ?? 'unknown';
  if (type === 'rsa') return `RSA with ${details.modulusLength} bits`;
  return type.startsWith('ed') ? `${type}, which browsers do not take` : `${type} ${details.namedCurve ?? ''}`.trim();
}

/**
 * Objects to a key that is not the certificate's, or does not work. Whoever sends a key may have made it up, so its parts are measured
 * before it signs anything: parts that are too long make a signature slow, here and in an ingress, and of factors that do not fit
 * some libraries make nothing of it while others refuse the whole key.
 */
export function keyObjection({ x509, publicKey }: CertificateFacts, key: KeyObject): Objection {
  if (key.asymmetricKeyType !== publicKey.asymmetricKeyType || !x509.checkPrivateKey(key))
    return refuse(
      'KeyMismatch',
      'the private key does not belong to the first certificate; send the key that it was made with',
    );
  return isSound(key) && signs(publicKey, key)
    ? null
    : refuse('KeyBroken', 'the private key is damaged; export it again');
}

/** The factors of an RSA key make its modulus, and none of its parts is longer than they can be. */
function isSound(key: KeyObject): boolean {
  if (key.asymmetricKeyType !== 'rsa') return true;
  try {
    const jwk = key.export({ format: 'jwk' });
    const [n, d, p, q, dp, dq, qi] = [jwk.n, jwk.d, jwk.p, jwk.q, jwk.dp, jwk.dq, jwk.qi].map((part) =>
      Buffer.from(part ?? '', 'base64url'),
    ) as [Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer];
    const half = Math.ceil(n.length / 2);
    if (d.length > n.length || [p, q, dp, dq, qi].some(({ length }) => length > half)) return false;
    return integer(p) * integer(q) === integer(n);
  } catch {
    return false;
  }
}

const integer = (bytes: Buffer): bigint => (bytes.length === 0 ? 0n : BigInt(`0x${bytes.toString('hex')}`));

function signs(publicKey: KeyObject, key: KeyObject): boolean {
  const data = Buffer.from('projectdomain');
  try {
    return verify('sha256', data, publicKey, sign('sha256', data, key));
  } catch {
    return false;
  }
}
