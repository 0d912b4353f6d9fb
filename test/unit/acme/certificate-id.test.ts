import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../../dev/lib/temporary.ts';
import { certificateId } from '../../../src/acme/certificate-id.ts';

const keyId = '69885B6B87464041E1B37B847BA0AE2CDE01C8D4';
const dir = temporaryFolder('certificate-id');
const file = (name: string) => join(dir, name);
const openssl = (...args: readonly string[]) => execFileSync('openssl', [...args], { stdio: 'pipe' });
const newKey = (name: string) => [
  '-newkey',
  'ec',
  '-pkeyopt',
  'ec_paramgen_curve:P-256',
  '-nodes',
  '-keyout',
  file(name),
];

/** A certificate with this serial number of an issuer with this key identifier, both in hexadecimal. */
function certificate({ keyId, serial }: { readonly keyId: string | null; readonly serial: string }): string {
  const identifier = `subjectKeyIdentifier=${keyId ?? 'none'}`;
  openssl('req', '-x509', ...newKey('ca.key'), '-subj', '/CN=ca', '-addext', identifier, '-out', file('ca.crt'));
  openssl('req', '-new', ...newKey('leaf.key'), '-subj', '/CN=leaf', '-out', file('leaf.csr'));
  writeFileSync(file('leaf.ext'), `authorityKeyIdentifier=${keyId === null ? 'none' : 'keyid:always'}`);
  const issuer = ['-CA', file('ca.crt'), '-CAkey', file('ca.key'), '-set_serial', `0x${serial}`];
  openssl('x509', '-req', '-in', file('leaf.csr'), ...issuer, '-extfile', file('leaf.ext'), '-out', file('leaf.crt'));
  return readFileSync(file('leaf.crt'), 'utf8');
}

afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe('the id of a certificate', () => {
  it("is the one of RFC 9773's example, whose serial number begins with a byte of zeros", () => {
    const pem = certificate({ keyId, serial: '87654321' });
    expect(certificateId(pem)).toBe('aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE');
  });

  it('is that of the first certificate of a chain', () => {
    const [first, second] = ['01', '02'].map((serial) => certificate({ keyId, serial }));
    expect(certificateId(`${first}${second}`)).toBe('aYhba4dGQEHhs3uEe6CuLN4ByNQ.AQ');
  });

  it('is unknown where the issuer has no key identifier', () => {
    expect(certificateId(certificate({ keyId: null, serial: '01' }))).toBeNull();
  });

  it('of what is no certificate is an error', () => {
    expect(() => certificateId('hello')).toThrow();
  });
});
