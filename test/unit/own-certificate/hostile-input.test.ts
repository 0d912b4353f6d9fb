import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { afterAll, describe, expect, it } from '@jest/globals';
import { bodyLimitKiB } from '../../../src/server/request-validation.ts';
import { publicRoots } from '../../../src/own-certificate/public-roots.ts';
import { readOwnCertificate } from '../../../src/own-certificate/read-own-certificate.ts';
import { certificateMaker, names, ofServer } from '../../support/made-certificates.ts';

/**
 * What somebody makes up to hold the event loop of the API server, or of an ingress that would serve it. Fails when something of it is taken, throws, or
 * takes long; what is measured are seconds of a hold against milliseconds, of the processor's time, as others may have it meanwhile.
 */

const maker = certificateMaker();
afterAll(() => maker.remove());
const { root, intermediate } = maker.authorities();
const rsa = maker.make({ by: intermediate, key: ['rsa:2048'] });
const chain = rsa.pem + intermediate.pem;
const context = {
  hostname: 'www.example.com',
  now: Date.now() + 60_000,
  isIssuedByPublicRoot: publicRoots([root.pem]),
};
const most = bodyLimitKiB * 1_024;

function read(certificate: string, privateKey: string) {
  const before = process.threadCpuUsage();
  const result = readOwnCertificate({ certificate, privateKey }, context);
  const { user, system } = process.threadCpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(2_000);
  return result;
}

/** The definite form of DER. */
function der(tag: number, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const length =
    body.length < 128 ? Buffer.from([body.length]) : Buffer.from([0x82, body.length >> 8, body.length & 255]);
  return Buffer.concat([Buffer.from([tag]), length, body]);
}
const integer = (value: Buffer) =>
  der(2, value[0] !== undefined && value[0] > 127 ? Buffer.concat([Buffer.from([0]), value]) : value);
const armoured = (label: string, bytes: Buffer) =>
  `-----BEGIN ${label}-----\n${bytes.toString('base64')}\n-----END ${label}-----\n`;

type Part = 'n' | 'e' | 'd' | 'p' | 'q' | 'dp' | 'dq' | 'qi';
const jwk = createPrivateKey(rsa.key).export({ format: 'jwk' });
const long = Buffer.alloc(1_500, 0xff);

/** The certificate's own key with some of its parts made up. */
function forged(changes: Partial<Record<Part, Buffer>>): string {
  const parts = (['n', 'e', 'd', 'p', 'q', 'dp', 'dq', 'qi'] as const).map((part) =>
    integer(changes[part] ?? Buffer.from(jwk[part] ?? '', 'base64url')),
  );
  return armoured('RSA PRIVATE KEY', der(0x30, der(2, Buffer.from([0])), ...parts));
}

describe('a key of RSA', () => {
  it('that is written anew is still the key', () => {
    expect(read(chain, forged({}))).toMatchObject({ ok: true });
  });

  it.each<[string, Partial<Record<Part, Buffer>>]>([
    ['with factors that are far too long', { p: long, dp: long }],
    ['with an exponent that is far too long', { d: long }],
    ['with exponents of its factors that are far too long', { dp: long, dq: long }],
    ['with a coefficient that is far too long', { qi: long }],
    ['with factors of another key', { p: Buffer.from(jwk.q ?? '', 'base64url') }],
    ['with a factor of nothing', { p: Buffer.from([0]) }],
    ['with an exponent of its own', { d: Buffer.from([3]), dp: Buffer.from([3]), dq: Buffer.from([3]) }],
  ])('%s is not taken', (_, changes) => {
    const result = read(chain, forged(changes));
    expect([result.ok, !result.ok && /^Key(Broken|Unreadable|Mismatch)$/.test(result.reason)]).toEqual([false, true]);
  });
});

describe('a text as long as a body', () => {
  const nested = (depth: number) => {
    let inner = Buffer.from([5, 0]);
    for (let level = 0; level < depth; level += 1) inner = der(0x04, inner) as Buffer<ArrayBuffer>;
    return inner;
  };
  it.each<[string, string]>([
    ['of beginnings without an end', '-----BEGIN CERTIFICATE-----\n'.repeat(most / 28)],
    ['of one line of base64', armoured('CERTIFICATE', Buffer.alloc(40_000, 65))],
    ['of hyphens', '-'.repeat(most)],
    ['of octet strings within each other', armoured('CERTIFICATE', nested(3_000))],
    ['of spaces', `-----BEGIN CERTIFICATE-----${' '.repeat(most - 60)}`],
  ])('%s is not taken', (_, text) => {
    expect(read(text, rsa.key).ok).toBe(false);
    expect(read(chain, text).ok).toBe(false);
  });

  it('in an extension that is parsed is not taken', () => {
    const value = `DER:${der(0x30, ...Array.from({ length: 900 }, () => nested(3)))
      .toString('hex')
      .match(/../g)
      ?.join(':')}`;
    const odd = maker.make({ by: intermediate, extensions: [...ofServer, `2.5.29.17=${value}`] });
    expect(read(odd.pem + intermediate.pem, odd.key).ok).toBe(false);
  });
});

describe('texts of a certificate', () => {
  it('are shown on one line, without what a terminal would obey', () => {
    const odd = maker.make({
      by: intermediate,
      subject: '/CN=a\u001b[2J\u202eb',
      extensions: [...ofServer, names('shop.example.com', 'www.example.com')],
      key: ['rsa:1024'],
    });
    const result = read(odd.pem + intermediate.pem, odd.key);
    expect(!result.ok && result.message).not.toMatch(/\p{C}/u);
  });
});

it('the roots that browsers know are read, and sign nothing of others', () => {
  expect(rootCertificates.length).toBeGreaterThan(50);
  const isKnown = publicRoots(rootCertificates);
  const { ok } = readOwnCertificate(
    { certificate: chain, privateKey: rsa.key },
    { ...context, isIssuedByPublicRoot: isKnown },
  );
  expect(ok).toBe(false);
});

it('a key that is no key of a certificate is no reason to throw', () => {
  for (const type of ['x25519', 'ed25519'] as const) {
    const key = generateKeyPairSync(type as 'ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
    expect(read(chain, key.toString())).toMatchObject({ ok: false, reason: 'KeyMismatch' });
  }
});
