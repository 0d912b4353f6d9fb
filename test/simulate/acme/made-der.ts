import { generateKeyPairSync } from 'node:crypto';

/** Signing requests and certificates that can be read and that nobody signed: a simulation needs hundreds of thousands. */

const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
};
const sequence = (...parts: readonly Buffer[]) => der(0x30, ...parts);
const octets = (...parts: readonly Buffer[]) => der(0x04, ...parts);
const identifier = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const integer = (hex: string) => der(0x02, Buffer.from(hex, 'hex'));

const publicKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'der', type: 'spki' });
const ecdsaWithSha256 = sequence(identifier('2a8648ce3d040302'));
const signature = der(0x03, Buffer.from([0]), sequence(integer('01'), integer('01')));
const nobody = sequence();

const subjectAltName = (hostname: string) =>
  sequence(identifier('551d11'), octets(sequence(der(0x82, Buffer.from(hostname)))));
const keyIdentifier = Buffer.alloc(20, 7);
const authorityKeyIdentifier = sequence(identifier('551d23'), octets(sequence(der(0x80, keyIdentifier))));

const pem = (label: string, body: Buffer): string =>
  `-----BEGIN ${label}-----\n${body.toString('base64').replaceAll(/.{64}/g, '$&\n')}\n-----END ${label}-----\n`;

/** `spec.request` of a CertificateRequest for one hostname. */
export function unsignedRequest(hostname: string): string {
  const extensions = der(0x31, sequence(subjectAltName(hostname)));
  const attributes = der(0xa0, sequence(identifier('2a864886f70d01090e'), extensions));
  const info = sequence(integer('00'), nobody, publicKey, attributes);
  return Buffer.from(pem('CERTIFICATE REQUEST', sequence(info, ecdsaWithSha256, signature))).toString('base64');
}

export interface Validity {
  /** milliseconds since the Unix epoch */
  readonly from: number;
  readonly to: number;
}

/** As GeneralizedTime: 20261126020000Z. */
const time = (at: number) =>
  der(0x18, Buffer.from(`${new Date(at).toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')}Z`));

const serialOf = (serial: number): string => `01${serial.toString(16).padStart(14, '0')}`;

/** A certificate in PEM for the key of every such request. */
export function unsignedCertificate(serial: number, { from, to }: Validity): string {
  const extensions = der(0xa3, sequence(authorityKeyIdentifier));
  const version = der(0xa0, integer('02'));
  const validity = sequence(time(from), time(to));
  const info = [version, integer(serialOf(serial)), ecdsaWithSha256, nobody, validity, nobody, publicKey, extensions];
  return pem('CERTIFICATE', sequence(sequence(...info), ecdsaWithSha256, signature));
}

/** How its renewal information names it (RFC 9773, section 4.1). */
export const idOf = (serial: number): string =>
  `${keyIdentifier.toString('base64url')}.${Buffer.from(serialOf(serial), 'hex').toString('base64url')}`;
