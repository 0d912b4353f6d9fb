import { derInteger, derOctetBits, derOid, isNegative } from './der-types.ts';
import { coordinates, keyAlgorithms } from './der-public-key.ts';
import type { DerValue } from './der-value.ts';
import { contentOf, DerFault, derValue, tags, within } from './der-value.ts';

/** How a private key is written: RFC 5208, RFC 8017 (appendix A.1.2), RFC 5915. */
export type KeyForm = 'pkcs8' | 'pkcs1' | 'sec1';

/** Octets of the longest modulus that is taken. */
const modulusAtMost = 512;
/** Octets of a public exponent of 31 bits. */
const exponentAtMost = 4;
/** Octets of the number of X25519 and Ed25519, which are read so that it can be said that the certificate has another key. */
const edwardsOctets = 32;

const parametersTag = 0xa0;
const publicKeyTag = 0xa1;
/** Attributes, and the public key of version 2 (RFC 5958). */
const besides: ReadonlySet<number> = new Set([0xa0, 0x81, 0xa1]);

/**
 * Throws DerFault unless the bytes are what their label says, a key of RSA or ECDSA (X25519, Ed25519) whose numbers have lengths that belong together. OpenSSL
 * reads PKCS#8 under any label, and computes the public key of what it reads, such as DSA and DH, with numbers of any length: so this is
 * asked before. Whether the numbers themselves belong together is asked later (check-keys.ts).
 */
export function mustBePrivateKey(form: KeyForm, bytes: Buffer): void {
  const value = derValue(bytes);
  if (form === 'pkcs8') return mustBePkcs8(value);
  if (form === 'pkcs1') return mustBeRsa(value);
  mustBeEc(value, null);
}

function mustBePkcs8(value: DerValue): void {
  const [version, algorithm, key, ...others] = within(value, tags.sequence);
  const [id, parameters, ...more] = within(algorithm, tags.sequence);
  mustBeVersion(version, [0, 1]);
  if (more.length > 0 || others.some(({ tag }) => !besides.has(tag)))
    throw new DerFault('it has parts that keys do not have');
  const inner = derValue(contentOf(key, tags.octetString));
  switch (derOid(id)) {
    case keyAlgorithms.rsa:
      if (parameters !== undefined && parameters.tag !== tags.null) throw new DerFault('its key of RSA has parameters');
      return mustBeRsa(inner);
    case keyAlgorithms.ec:
      return mustBeEc(inner, derOid(parameters));
    case keyAlgorithms.x25519:
    case keyAlgorithms.ed25519:
      return mustBeOctets(inner, edwardsOctets);
    default:
      throw new DerFault('its key is of an algorithm that is not read');
  }
}

/** RSAPrivateKey of two primes, the rest of which has the length of the modulus or of half of it. */
function mustBeRsa(value: DerValue): void {
  const [version, ...numbers] = within(value, tags.sequence);
  mustBeVersion(version, [0]);
  const lengths = numbers.map(lengthOf);
  const [n = 0, e = 0, d = 0, ...halves] = lengths;
  if (lengths.length !== 8) throw new DerFault('its key of RSA does not have the numbers of two primes');
  const half = Math.ceil(n / 2);
  if (n > modulusAtMost || e > exponentAtMost || d > n || halves.some((length) => length > half))
    throw new DerFault('its key of RSA has numbers that are too long');
}

/** Octets of a number without its sign. */
function lengthOf(value: DerValue): number {
  const integer = derInteger(value);
  if (isNegative(integer)) throw new DerFault('its key has a negative number');
  return integer[0] === 0 ? integer.length - 1 : integer.length;
}

/** ECPrivateKey on a curve by its name, which is said in it, around it (`curve`), or both times alike. */
function mustBeEc(value: DerValue, curve: string | null): void {
  const [version, scalar, ...others] = within(value, tags.sequence);
  mustBeVersion(version, [1]);
  const [parameters, point, ...more] = others[0]?.tag === parametersTag ? others : [undefined, ...others];
  const own = parameters === undefined ? curve : derOid(derValue(parameters.content));
  const length = coordinates.get(own ?? '');
  if (length === undefined || more.length > 0 || (curve !== null && own !== curve))
    throw new DerFault('its key of ECDSA is on no curve that is read');
  mustBeOctets(scalar, length);
  if (point !== undefined && derOctetBits(derValue(contentOf(point, publicKeyTag))).length > 1 + 2 * length)
    throw new DerFault('its key of ECDSA has a point that is too long');
}

/** As many octets, or one more: some write the sign of the number. */
function mustBeOctets(value: DerValue | undefined, length: number): void {
  if (contentOf(value, tags.octetString).length > length + 1) throw new DerFault('its key is too long');
}

function mustBeVersion(value: DerValue | undefined, taken: readonly number[]): void {
  const [version = -1, ...others] = derInteger(value);
  if (others.length > 0 || !taken.includes(version)) throw new DerFault('its key is of a version that is not read');
}
