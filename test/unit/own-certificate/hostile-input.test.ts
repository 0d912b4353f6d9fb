import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { rootCertificates } from 'node:tls';
import { runInNewContext } from 'node:vm';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { bodyLimitKiB } from '../../../src/server/head-fault.ts';
import { publicRoots } from '../../../src/own-certificate/public-roots.ts';
import { readOwnCertificate } from '../../../src/own-certificate/read-own-certificate.ts';
import { fromNow } from '../../support/from-now.ts';
import { armoured } from '../../support/pem-armour.ts';
import { edited, leaf, part, places, readDer, writeDer } from '../../support/der-edit.ts';
import type { Made } from '../../support/made-certificates.ts';
import { certificateMaker, names, ofAuthority, ofServer } from '../../support/made-certificates.ts';

/**
 * What somebody makes up to hold the event loop of the API server, or of an ingress that would serve it. Fails when something of it is taken, throws, or
 * gets further than where its lengths are looked at (der-private-key.test.ts has what reaches OpenSSL). Steps within a regular expression cannot be counted: texts of
 * thirty bodies are read in a moment where each character is looked at once, and never where it is looked at by each beginning.
 */

const maker = certificateMaker();
afterAll(() => maker.remove());
const { root, intermediate } = maker.authorities();
const rsa = maker.make({ by: intermediate, key: ['rsa:2048'] });
const chain = rsa.pem + intermediate.pem;
const context = {
  hostname: 'www.example.com',
  now: fromNow(3_600_000),
  isIssuedByPublicRoot: publicRoots([root.pem]),
};

const read = (certificate: string, privateKey: string) => readOwnCertificate({ certificate, privateKey }, context);

/** No time that it may take, but when nobody waits for its end any more: minutes are missing then. */
const hungAfterMs = 30_000;
const bodies = 30;
const textLength = bodies * bodyLimitKiB * 1_024;

function readToItsEnd(certificate: string, privateKey: string): boolean {
  const { ok } = runInNewContext(
    'read()',
    { read: () => read(certificate, privateKey) },
    { timeout: hungAfterMs },
  ) as ReturnType<typeof read>;
  return ok;
}

const der = (tag: number, ...content: readonly Buffer[]): Buffer => writeDer(leaf(tag, Buffer.concat(content)));
const integer = (value: Buffer) =>
  der(2, value[0] !== undefined && value[0] > 127 ? Buffer.concat([Buffer.from([0]), value]) : value);

type Part = 'n' | 'e' | 'd' | 'p' | 'q' | 'dp' | 'dq' | 'qi';
const jwk = createPrivateKey(rsa.key).export({ format: 'jwk' });
const long = Buffer.alloc(1_500, 0xff);

const number = (text = '') => BigInt(`0x${Buffer.from(text, 'base64url').toString('hex')}`);
const least = (prime: string | undefined) => number(prime) - 1n;
function changed(text: string | undefined, change: (value: bigint) => bigint): Buffer {
  const hex = change(number(text)).toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
}

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
    ['whose exponent is as good and longer than its modulus', { d: changed(jwk.d, (value) => value + 2n ** 2_060n) }],
    ['with exponents of its factors that are far too long', { dp: long, dq: long }],
    ['with a coefficient that is far too long', { qi: long }],
  ])('%s is not read', (_, changes) => {
    expect(read(chain, forged(changes))).toMatchObject({ ok: false, reason: 'KeyUnreadable' });
  });

  it.each<[string, Partial<Record<Part, Buffer>>]>([
    ['with factors of another key', { p: Buffer.from(jwk.q ?? '', 'base64url') }],
    ['with a factor of nothing', { p: Buffer.from([0]) }],
    ['with an exponent of its own', { d: Buffer.from([3]), dp: Buffer.from([3]), dq: Buffer.from([3]) }],
    // These sign as they should, and Go's crypto/rsa takes none of them (checkPrivateKey).
    ['whose exponent has nothing to do with the others', { d: Buffer.from(jwk.n ?? '', 'base64url').fill(1, 1) }],
    ['whose exponent is one more', { d: changed(jwk.d, (value) => value + 1n) }],
    ['with an exponent of a factor that is not the least', { dp: changed(jwk.dp, (value) => value + least(jwk.p)) }],
    ['with a coefficient that is not the least', { qi: changed(jwk.qi, (value) => value + least(jwk.p) + 1n) }],
  ])('%s is not taken', (_, changes) => {
    const result = read(chain, forged(changes));
    expect([result.ok, !result.ok && /^Key(Broken|Unreadable|Mismatch)$/.test(result.reason)]).toEqual([false, true]);
  });
});

/** RSA with an exponent of the maker's own: 57 ms of the processor for each signature where it is as long as the modulus. */
function withExponent(by: Made, exponent: Buffer, extensions: readonly string[]): Made {
  const seed = maker.make({ by, key: ['rsa:2048'], extensions });
  const pem = edited(seed, by, {
    signed: (signed) => {
      const bits = part(signed, places.key, 1);
      const [numbers] = readDer(bits.bytes.subarray(1));
      if (numbers) part(numbers, 1).bytes = exponent;
      bits.bytes = Buffer.concat([Buffer.from([0]), numbers ? writeDer(numbers) : Buffer.alloc(0)]);
    },
  });
  return { ...seed, pem };
}

describe('signatures', () => {
  const longExponent = Buffer.alloc(256, 0x7f);
  const deep = (depth: number): readonly Made[] =>
    Array.from({ length: depth }).reduce<readonly Made[]>(
      (above) => [maker.make({ subject: '/CN=Again', extensions: ofAuthority, by: above[0] ?? root }), ...above],
      [],
    );
  const servers = [...ofServer, names('www.example.com')];
  const slowLeaf = withExponent(intermediate, longExponent, servers);
  const slowIssuer = withExponent(root, longExponent, ofAuthority);
  const below = maker.make({ by: intermediate });
  const issuers = deep(4);
  const first = maker.make({ by: issuers[0] ?? root });
  it.each<[string, readonly Made[], reason: string | null, atMost: number]>([
    ['by no key whose exponent is as long as its modulus', [slowLeaf, intermediate], 'KeyType', 0],
    ['by no such key of an authority', [below, slowIssuer], 'KeyType', 0],
    ['by no such key of an authority that stands last', [first, ...issuers.slice(0, 3), slowIssuer], 'KeyType', 0],
    [
      'a few times for the longest chain, in which each authority is called as the one above',
      [first, ...issuers],
      null,
      13,
    ],
  ])('are checked %s', (_, all, reason, atMost) => {
    const checks = jest.spyOn(X509Certificate.prototype, 'verify');
    const { key = '' } = all[0] ?? {};
    const result = read(all.map(({ pem }) => pem).join(''), key);
    const made = checks.mock.calls.length;
    checks.mockRestore();
    expect([result.ok, result.ok ? null : result.reason]).toEqual([reason === null, reason]);
    expect(made).toBeLessThanOrEqual(atMost);
  });
});

describe('a key of ECDSA', () => {
  const own = maker.make({ by: intermediate });
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
  const [x, y] = (({ x: one, y: other }) => [one, other])(createPrivateKey(own.key).export({ format: 'jwk' }));
  const { d } = createPrivateKey(own.key).export({ format: 'jwk' });
  const scalar = (value: bigint, octets: number) => Buffer.from(value.toString(16).padStart(2 * octets, '0'), 'hex');
  const point = Buffer.concat([
    Buffer.from([0, 4]),
    Buffer.from(x ?? '', 'base64url'),
    Buffer.from(y ?? '', 'base64url'),
  ]);
  const p256 = Buffer.from('06082a8648ce3d030107', 'hex');
  const sec1 = (value: Buffer) =>
    armoured(
      'EC PRIVATE KEY',
      der(0x30, integer(Buffer.from([1])), der(4, value), der(0xa0, p256), der(0xa1, der(3, point))),
    );
  const all = own.pem + intermediate.pem;

  it('that is written anew is still the key', () => {
    expect(read(all, sec1(scalar(number(d), 32)))).toMatchObject({ ok: true });
  });

  // Go's crypto/ecdsa takes a number below the order alone (ParseRawPrivateKey).
  it.each<[string, Buffer]>([
    ['more than the order', scalar(number(d) + order, 33)],
    ['nothing', Buffer.alloc(32)],
  ])('of a number that is %s is not taken', (_, value) => {
    const result = read(all, sec1(value));
    expect([result.ok, !result.ok && /^Key(Broken|Unreadable|Mismatch)$/.test(result.reason)]).toEqual([false, true]);
  });

  it.each<[string, () => string]>([
    ['whose number is much more than the order', () => sec1(scalar(number(d) + order * 2n ** 20_000n, 2_600))],
    [
      'whose curve is written out',
      () =>
        execFileSync('openssl', ['ec', '-in', own.files.key, '-param_enc', 'explicit'], { stdio: 'pipe' }).toString(),
    ],
  ])('%s is not read', (_, key) => {
    expect(read(all, key())).toMatchObject({ ok: false, reason: 'KeyUnreadable' });
  });
});

/** PKCS#8 of 3.9 KB, of which OpenSSL computes g^x modulo p as it reads it. */
describe('a key of discrete logarithms', () => {
  const full = (octets: number) => integer(Buffer.alloc(octets, 0xff));
  const three = integer(Buffer.from([3]));
  const pkcs8 = (oid: string, parameters: readonly Buffer[], secret: Buffer) =>
    der(0x30, der(2, Buffer.from([0])), der(0x30, Buffer.from(oid, 'hex'), der(0x30, ...parameters)), der(4, secret));
  const kinds = {
    DSA: pkcs8('06072a8648ce380401', [full(1_900), full(20), three], full(1_899)),
    DH: pkcs8('06092a864886f70d010301', [full(1_200), three], full(1_199)),
  } as const;
  const rows = (['PRIVATE KEY', 'RSA PRIVATE KEY', 'EC PRIVATE KEY'] as const).flatMap((label) => [
    ['DSA', label] as const,
    ['DH', label] as const,
  ]);
  it.each(rows)('such as %s is not read as %s', (kind, label) => {
    expect(read(chain, armoured(label, kinds[kind]))).toMatchObject({ ok: false, reason: 'KeyUnreadable' });
  });
});

/** 5,000 hostnames against 3,000 constraints are 300 ms; each text is short enough to be parsed. */
describe('names and constraints', () => {
  const excluding = (bases: number) =>
    maker.make({
      subject: '/CN=Excluding',
      extensions: [
        ...ofAuthority,
        `nameConstraints=${Array.from({ length: bases }, () => 'excluded;DNS:a').join(',')}`,
      ],
      by: root,
    });
  const named = (by: Made, all: readonly string[]) => maker.make({ by, extensions: [...ofServer, names(...all)] });
  const twice = (times: number) => Array.from({ length: times }, () => 'b.example.com');
  const distinct = (count: number) => Array.from({ length: count }, (_, index) => `b${index}.example.com`);
  const [longest, tooMany] = [excluding(128), excluding(129)];
  const far = excluding(1_200);
  const own = 'www.example.com';
  it.each<[string, Made, names: readonly string[], reason: string | null, comparisons: number]>([
    ['the most that are taken', longest, [own, ...distinct(31)], null, 32 * 128],
    ['33 names', longest, [own, ...distinct(32)], 'TooManyNames', 0],
    ['33 names that are two', longest, [own, ...twice(32)], 'TooManyNames', 0],
    ['a thousand names that are two', longest, [own, ...twice(1_000)], 'TooManyNames', 0],
    ['names beside one that is not permitted', longest, ['a', ...twice(32)], 'TooManyNames', 0],
    ['129 constraints', tooMany, [own], 'CertificateUnreadable', 0],
    ['1,200 constraints', far, [own], 'CertificateUnreadable', 0],
  ])('%s are compared after they were counted', (_, by, all, reason, comparisons) => {
    const leafOf = named(by, all);
    const compared = jest.spyOn(String.prototype, 'endsWith');
    const result = read(leafOf.pem + by.pem, leafOf.key);
    const made = compared.mock.calls.filter(([base]) => base === '.a').length;
    compared.mockRestore();
    expect([result.ok ? null : result.reason, made]).toEqual([reason, comparisons]);
  });
});

describe('a text as long as thirty bodies', () => {
  const nested = (depth: number) => {
    let inner = Buffer.from([5, 0]);
    for (let level = 0; level < depth; level += 1) inner = der(0x04, inner) as Buffer<ArrayBuffer>;
    return inner;
  };
  it.each<[string, string]>([
    ['of beginnings without an end', '-----BEGIN CERTIFICATE-----\n'.repeat(textLength / 28)],
    ['of one line of base64', armoured('CERTIFICATE', Buffer.alloc(bodies * 40_000, 65))],
    ['of hyphens', '-'.repeat(textLength)],
    ['of octet strings within each other', armoured('CERTIFICATE', nested(3_000))],
    ['of spaces', `-----BEGIN CERTIFICATE-----${' '.repeat(textLength - 60)}`],
  ])('%s is not taken', (_, text) => {
    expect(readToItsEnd(text, rsa.key)).toBe(false);
    expect(readToItsEnd(chain, text)).toBe(false);
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
