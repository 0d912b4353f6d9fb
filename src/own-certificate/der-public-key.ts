import { bitLength, derInteger, derOctetBits, derOid, isNegative } from './der-types.ts';
import type { DerValue } from './der-value.ts';
import { DerFault, derValue, tags, within } from './der-value.ts';

/** How long the parts of a public key of RSA are, in bits. */
export interface RsaSize {
  readonly modulusBits: number;
  readonly exponentBits: number;
  /** an even or negative one, or 1, has no private key */
  readonly isExponentSound: boolean;
}

/** OIDs. */
export const keyAlgorithms = {
  rsa: '1.2.840.113549.1.1.1',
  ec: '1.2.840.10045.2.1',
  x25519: '1.3.101.110',
  ed25519: '1.3.101.112',
} as const;
/** Octets of a coordinate, by the OID of the curve. */
export const coordinates: ReadonlyMap<string, number> = new Map([
  ['1.2.840.10045.3.1.7', 32],
  ['1.3.132.0.34', 48],
  ['1.3.132.0.35', 66],
]);
const uncompressed = 4;

/** Reads a SubjectPublicKeyInfo; null for a key that is not of RSA. Throws DerFault where its form is one that some do not read. */
export function publicKeyOf(value: DerValue | undefined): RsaSize | null {
  const [algorithm, bits, ...others] = within(value, tags.sequence);
  const [id, parameters, ...more] = within(algorithm, tags.sequence);
  if (others.length + more.length > 0) throw new DerFault('its key has parts that keys do not have');
  const octets = derOctetBits(bits);
  switch (derOid(id)) {
    case keyAlgorithms.rsa:
      return rsaSize(octets, parameters);
    case keyAlgorithms.ec:
      mustBePoint(octets, parameters);
      return null;
    default:
      return null;
  }
}

/** RSAPublicKey (RFC 8017, appendix A.1.1), with the parameters that RFC 3279 demands. */
function rsaSize(octets: Buffer, parameters: DerValue | undefined): RsaSize {
  if (parameters?.tag !== tags.null || parameters.content.length > 0)
    throw new DerFault('its key of RSA has other parameters than NULL');
  const [n, e, ...others] = within(derValue(octets), tags.sequence);
  const [modulus, exponent] = [derInteger(n), derInteger(e)];
  const isOdd = ((modulus.at(-1) ?? 0) & 1) === 1;
  if (others.length > 0 || isNegative(modulus) || !isOdd) throw new DerFault('its key of RSA has no such modulus');
  const exponentBits = bitLength(exponent);
  const isExponentSound = !isNegative(exponent) && exponentBits > 1 && ((exponent.at(-1) ?? 0) & 1) === 1;
  return { modulusBits: bitLength(modulus), exponentBits, isExponentSound };
}

/** ECParameters and ECPoint (RFC 5480): a curve by its name, and a point written out. What curves are taken is decided elsewhere. */
function mustBePoint(octets: Buffer, parameters: DerValue | undefined): void {
  const length = coordinates.get(derOid(parameters));
  if (length === undefined) return;
  if (octets[0] !== uncompressed || octets.length !== 1 + 2 * length)
    throw new DerFault('its key of ECDSA is not an uncompressed point');
}
