import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../../dev/lib/temporary.ts';
import { authorityOf, certificatesOf, createTemplates, hostnameOf } from '../../bench/edge/edge-certificates.ts';
import { resigned } from '../../bench/edge/signed-template.ts';

let dir: string;

beforeAll(() => {
  dir = temporaryFolder('edge-certificates');
  createTemplates(dir);
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

const hostnames = [hostnameOf('filler', 0), hostnameOf('filler', 12_345), hostnameOf('tried', 7)];

describe('certificates that are made from one', () => {
  it.each(hostnames)('a client that trusts the authority accepts the one for %s, for that name alone', (hostname) => {
    const { chain, key } = certificatesOf(dir)(hostname);
    const leaf = new X509Certificate(chain);
    expect(leaf.verify(createPublicKey(authorityOf(dir)))).toBe(true);
    expect(leaf.checkPrivateKey(createPrivateKey(key))).toBe(true);
    expect(leaf.subjectAltName).toBe(`DNS:${hostname}`);
    expect(leaf.subject).toBe(`CN=${hostname}`);
  });

  it('each has a serial number of its own, as an authority promises', () => {
    const issue = certificatesOf(dir);
    const serials = hostnames.map((hostname) => new X509Certificate(issue(hostname).chain).serialNumber);
    expect(new Set(serials).size).toBe(hostnames.length);
  });

  it('openssl accepts the signing request and finds the hostname in it', () => {
    const [hostname = ''] = hostnames;
    const input = certificatesOf(dir)(hostname).signingRequest;
    const text = execFileSync('openssl', ['req', '-verify', '-noout', '-text'], { input, stdio: 'pipe' }).toString();
    expect(text).toContain(`DNS:${hostname}`);
  });

  it('a name of another length is refused, as it would break the structure', () => {
    expect(() => certificatesOf(dir)('www.example.com')).toThrow('cannot replace');
  });

  it('bytes that are not in the template are refused, as nothing would be replaced', () => {
    const template = new X509Certificate(authorityOf(dir)).raw;
    const key = createPrivateKey(certificatesOf(dir)(hostnames[0] ?? '').key);
    expect(() => resigned(template, [[Buffer.from('absent'), Buffer.from('newest')]], key)).toThrow('is not there');
  });
});
