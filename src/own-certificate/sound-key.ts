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
  const [modulus, ...others] = [jwk.n, jwk.d, jwk.p, jwk.q, jwk.dp, jwk.dq, jwk.qi, jwk.e].map(bytes);
  const [exponent, ...factors] = others;
  const length = modulus?.length ?? 0;
  const isShort = (part: Buffer) => part.length <= Math.ceil(length / 2);
  if (!modulus || !exponent || exponent.length > length || !factors.every(isShort)) return false;
  const [d, p, q, dp, dq, qi, e] = others.map(integer) as [bigint, bigint, bigint, bigint, bigint, bigint, bigint];
  const n = integer(modulus);
  if (p < 2n || q < 2n || p * q !== n || e >= exponentAtMost) return false;
  const half = BigInt(bitsOf(n)) / 2n;
  const distance = p > q ? p - q : q - p;
  return (
    d < n &&
    bitsOf(d) > half &&
    BigInt(bitsOf(distance)) > half - 100n &&
    [
      [p, dp],
      [q, dq],
    ].every(
      ([prime = 0n, part = 0n]) => part < prime - 1n && (part * e) % (prime - 1n) === 1n && d % (prime - 1n) === part,
    ) &&
    qi < p &&
    (qi * q) % p === 1n
  );
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
