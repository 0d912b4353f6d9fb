import type { JsonWebKey, KeyObject } from 'node:crypto';
import { createPrivateKey } from 'node:crypto';

/**
 * The key, written anew from its numbers; null where they do not belong together. Whoever sends a key may have made it up: parts that are too long make
 * each signature slow, and a key that works with one library is refused by another, whose ingress then answers with something else. So the rules
 * are those of the strictest, Go's crypto/rsa (internal/fips140/rsa/rsa.go, checkPrivateKey) and crypto/ecdsa (ParseRawPrivateKey), and lengths are
 * looked at before anything is computed.
 */
export function soundKey(key: KeyObject): KeyObject | null {
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
