import { execFileSync } from 'node:child_process';
import { createHash, createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPki } from '../../../dev/platform/pki.ts';
import { resigned } from './signed-template.ts';

/** What cert-manager keeps of an issued certificate; PEM, as it stands in Secret and CertificateRequest. */
export interface IssuedFiles {
  /** leaf and authority */
  readonly chain: string;
  readonly authority: string;
  /** shared by all hostnames: to make a key for each takes longer and changes nothing that is measured */
  readonly key: string;
  readonly signingRequest: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** Issues a certificate for one hostname. Hostnames have the length of `hostnameOf`'s. */
export type IssueCertificate = (hostname: string) => IssuedFiles;

/** Of the numbered customer; all have the same length. `kind` keeps those that are tried apart from those that are there. */
export const hostnameOf = (kind: 'filler' | 'tried', index: number): string =>
  `www.${kind === 'filler' ? 'c' : 't'}${String(index).padStart(6, '0')}.example`;

const placeholder = hostnameOf('filler', 999_999);

/** Makes an authority, and one certificate and one signing request from which all others are made, in a folder. */
export function createTemplates(dir: string): void {
  const { keyFile } = createPki(dir).issue('template', { commonName: placeholder, san: `DNS:${placeholder}` });
  const names = `subjectAltName=DNS:${placeholder}`;
  const out = join(dir, 'template.csr');
  const args = ['req', '-new', '-key', keyFile, '-subj', '/', '-addext', names, '-out', out];
  execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] });
}

/** The PEM of the authority that clients trust. */
export const authorityOf = (dir: string): Buffer => readFileSync(join(dir, 'ca.crt'));

/** When the certificates of a folder begin to hold. */
export const issuedAt = (dir: string): Date =>
  new Date(new X509Certificate(readFileSync(join(dir, 'template.crt'))).validFrom);

/** Issues by the templates of a folder. */
export function certificatesOf(dir: string): IssueCertificate {
  const read = (name: string) => readFileSync(join(dir, name), 'utf8');
  const template = new X509Certificate(read('template.crt'));
  const request = derOf(read('template.csr'));
  const [authority, key] = [read('ca.crt'), read('template.key')];
  const [authorityKey, leafKey] = [createPrivateKey(read('ca.key')), createPrivateKey(key)];
  const serial = Buffer.from(template.serialNumber, 'hex');
  return (hostname) => {
    const name = [Buffer.from(placeholder), Buffer.from(hostname)] as const;
    const leaf = resigned(template.raw, [name, [serial, serialOf(hostname, serial)]], authorityKey);
    return {
      chain: pemOf('CERTIFICATE', leaf) + authority,
      authority,
      key,
      signingRequest: pemOf('CERTIFICATE REQUEST', resigned(request, [name], leafKey)),
      notBefore: new Date(template.validFrom),
      notAfter: new Date(template.validTo),
    };
  };
}

/** As long as the template's, and positive like it. */
function serialOf(hostname: string, template: Buffer): Buffer {
  const hash = createHash('sha256').update(hostname).digest().subarray(0, template.length);
  return Buffer.concat([template.subarray(0, 1), hash.subarray(1)]);
}

const derOf = (pem: string): Buffer => Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');

function pemOf(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
