import { kebabCase } from '../../../src/rules/kebab-case.ts';
import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { CertificateRefusalReason } from '../../../src/own-certificate/certificate-refusal.ts';
import { certificateRefusals } from '../../../src/own-certificate/certificate-refusal.ts';
import { publicRoots } from '../../../src/own-certificate/public-roots.ts';
import { readOwnCertificate } from '../../../src/own-certificate/read-own-certificate.ts';
import { fromNow } from '../../support/from-now.ts';
import type { Made, Wish } from '../../support/made-certificates.ts';
import { certificateMaker, names, ofAuthority, ofServer } from '../../support/made-certificates.ts';

/**
 * What of a customer's own certificate is taken, and what is said of what is not. Fails when browsers would get a chain that they do not take, a
 * key that does not work or a name that nobody looked at, or when a mistake is called by another's name.
 */

const hostname = 'www.example.com';
const maker = certificateMaker();
afterAll(() => maker.remove());
const { root, intermediate } = maker.authorities();
const leaf = maker.make({ by: intermediate });
const other = maker.make({ by: intermediate });

const day = 24 * 3_600_000;
/** Certificates are made when tests are, and read as those run. */
const now = fromNow(3_600_000);
const isIssuedByPublicRoot = publicRoots([root.pem]);
const context = { hostname, now, isIssuedByPublicRoot };

const chainOf = (...all: readonly Made[]) => all.map(({ pem }) => pem).join('');
const read = (certificate: string, privateKey: string, changes: Partial<typeof context> = {}) =>
  readOwnCertificate({ certificate, privateKey }, { ...context, ...changes });
const issued = (wish: Wish): Made => maker.make({ by: intermediate, ...wish });
/** A certificate with extensions of its own, in a chain that is otherwise in order. */
const withExtensions = (...extensions: readonly string[]) => issued({ extensions });

describe('taken is', () => {
  const rsa = (bits: number) => issued({ key: [`rsa:${bits}`] });
  const ofNames = maker.make({
    subject: '/CN=Of Names',
    extensions: [...ofAuthority, 'nameConstraints=permitted;DNS:example.com,excluded;DNS:secret.example.com'],
    by: root,
  });
  const tooDeep = maker.make({ subject: '/CN=Second', extensions: ofAuthority, by: intermediate });
  it.each<[string, Made, readonly Made[], ...wanted: readonly string[]]>([
    ['a chain that ends below a root that browsers know', leaf, [intermediate]],
    ['a chain with its root, which they need not know', leaf, [intermediate, root]],
    ['a chain of two authorities', maker.make({ by: tooDeep }), [tooDeep, intermediate]],
    ['a certificate that a known root signed', maker.make({ by: root }), []],
    ['a key of ECDSA on P-384', issued({ key: ['ec', '-pkeyopt', 'ec_paramgen_curve:P-384'] }), [intermediate]],
    ['a key of RSA with 2,048 bits', rsa(2_048), [intermediate]],
    ['a key of RSA with 4,096 bits', rsa(4_096), [intermediate]],
    [
      'a certificate with its hostname as its common name, in whatever case',
      issued({ subject: '/O=Example/CN=WWW.example.com' }),
      [intermediate],
    ],
    ['a certificate without a subject', issued({ subject: '/' }), [intermediate]],
    ['a certificate by an authority of its names alone', maker.make({ by: ofNames }), [ofNames]],
    ['a certificate without purposes, which is for all', withExtensions(names(hostname)), [intermediate]],
    [
      'a certificate for several hostnames, in any case and twice',
      withExtensions(...ofServer, names('WWW.Example.com', 'shop.example.com', hostname)),
      [intermediate],
      'shop.example.com',
    ],
  ])('%s', (_, first, issuers, ...wanted) => {
    const result = read(chainOf(first, ...issuers), first.key);
    expect(result).toMatchObject({ ok: true, facts: { names: [hostname, ...wanted] } });
  });

  it('a key in each form that tools write it in', () => {
    const openssl = (...args: readonly string[]) => execFileSync('openssl', args, { encoding: 'utf8', stdio: 'pipe' });
    const sec1 = openssl('ec', '-in', leaf.files.key);
    const parameters = openssl('ecparam', '-name', 'prime256v1');
    const rsa = issued({ key: ['rsa:2048'] });
    const pkcs1 = openssl('rsa', '-in', rsa.files.key, '-traditional');
    expect(read(chainOf(leaf, intermediate), sec1).ok).toBe(true);
    expect(read(chainOf(leaf, intermediate), parameters + sec1).ok).toBe(true);
    expect(read(chainOf(rsa, intermediate), pkcs1).ok).toBe(true);
  });
});

describe('what is kept', () => {
  const result = read(`Bag Attributes\n${leaf.pem}\r\n# the next one\n${intermediate.pem}`, leaf.key);

  it('are the facts of the first certificate, with the first end of its chain', () => {
    const { fingerprint256, validTo } = new X509Certificate(leaf.pem);
    expect(result).toMatchObject({
      facts: {
        names: [hostname],
        issuer: 'CN=Example Intermediate',
        notAfter: new Date(validTo).toISOString().replace('.000', ''),
      },
    });
    expect(result.ok && result.facts.chain[0]).toBe(fingerprint256.replaceAll(':', '').toLowerCase());
    const short = maker.make({ subject: '/CN=Short', extensions: ofAuthority, by: root, days: 30 });
    const below = maker.make({ by: short });
    const end = new Date(new X509Certificate(short.pem).validTo).toISOString().replace('.000', '');
    expect(read(chainOf(below, short), below.key)).toMatchObject({ facts: { notAfter: end } });
  });

  it('are certificates and key alone, without whatever stood between them', () => {
    expect(result).toMatchObject({ chainPem: leaf.pem + intermediate.pem, keyPem: leaf.key });
  });
});

describe('not taken is', () => {
  const rsa1024 = issued({ key: ['rsa:1024'] });
  const ed25519 = issued({ key: ['ed25519'] });
  const p521 = issued({ key: ['ec', '-pkeyopt', 'ec_paramgen_curve:P-521'] });
  const authority = withExtensions(...ofAuthority, names(hostname));
  const notAuthority = issued({ subject: '/CN=No Authority', extensions: [...ofServer, names('ca.example.com')] });
  const shallow = maker.make({
    subject: '/CN=Shallow',
    extensions: ['basicConstraints=critical,CA:TRUE,pathlen:0', 'keyUsage=keyCertSign'],
    by: root,
  });
  const second = maker.make({ subject: '/CN=Second', extensions: ofAuthority, by: shallow });
  const belowSecond = maker.make({ by: second });
  const authorityWith = (name: string, ...extensions: readonly string[]) =>
    maker.make({ subject: `/CN=${name}`, extensions: [...ofAuthority, ...extensions], by: root });
  const constrained = authorityWith('Constrained', 'nameConstraints=critical,permitted;DNS:example.org');
  const strange = authorityWith('Strange', '1.2.3.4=critical,DER:05:00');
  const many = Array.from({ length: 33 }, (_, index) => `n${index}.example.com`);
  const stranger = maker.make({ subject: '/CN=Example Intermediate', extensions: ofAuthority, by: root });
  const encrypted = execFileSync('openssl', ['pkcs8', '-topk8', '-in', leaf.files.key, '-passout', 'pass:secret'], {
    encoding: 'utf8',
  });
  const sound = chainOf(leaf, intermediate);

  it.each<[string, CertificateRefusalReason, certificate: string, key: string, message?: RegExp]>([
    ['what is no PEM', 'NotPem', 'hello', leaf.key],
    ['a signing request', 'NotPem', leaf.pem.replaceAll('CERTIFICATE', 'CERTIFICATE REQUEST'), leaf.key],
    ['a key among the certificates', 'KeyInChain', sound + leaf.key, leaf.key, /send it as privateKey alone/],
    ['a chain of six', 'TooManyCertificates', sound + intermediate.pem.repeat(4), leaf.key, /has 6 certificates/],
    [
      'half a certificate',
      'CertificateUnreadable',
      leaf.pem + intermediate.pem.replace(/\n.{64}\n/, '\n'),
      leaf.key,
      /certificate 2/,
    ],
    ['a key that is none', 'NotPem', sound, 'hello'],
    ['two keys', 'NotPem', sound, leaf.key + other.key],
    ['half a key', 'KeyUnreadable', sound, leaf.key.replace(/\n.{64}\n/, '\n')],
    ['a key with a passphrase', 'KeyEncrypted', sound, encrypted, /openssl pkey/],
    ['the key of another certificate', 'KeyMismatch', sound, other.key],
    ['a key of another type', 'KeyMismatch', sound, issued({ key: ['rsa:2048'] }).key],
    ['RSA with 1,024 bits', 'KeyType', chainOf(rsa1024, intermediate), rsa1024.key, /RSA with 1024 bits/],
    ['Ed25519', 'KeyType', chainOf(ed25519, intermediate), ed25519.key, /ed25519, which browsers do not take/],
    ['ECDSA on P-521', 'KeyType', chainOf(p521, intermediate), p521.key, /secp521r1/],
    [
      'a signature with SHA-1',
      'SignatureAlgorithm',
      chainOf(issued({ digest: 'sha1' }), intermediate),
      leaf.key,
      /signed with SHA-1/,
    ],
    ["an authority's certificate in the first place", 'LeafIsCa', chainOf(authority, intermediate), authority.key],
    ['a chain the other way round', 'LeafIsCa', chainOf(intermediate, leaf), leaf.key],
    [
      'a certificate for clients',
      'Usage',
      chainOf(withExtensions('extendedKeyUsage=clientAuth', names(hostname)), intermediate),
      leaf.key,
    ],
    [
      'a certificate whose key may not sign',
      'Usage',
      chainOf(withExtensions('keyUsage=keyEncipherment', names(hostname)), intermediate),
      leaf.key,
    ],
    [
      'must-staple',
      'MustStaple',
      chainOf(withExtensions(...ofServer, names(hostname), 'tlsfeature=status_request'), intermediate),
      leaf.key,
    ],
    ['one that is signed by itself', 'SelfSigned', maker.make().pem, leaf.key],
    [
      'certificates that do not belong together',
      'ChainOrder',
      chainOf(leaf, root),
      leaf.key,
      /did not sign www\.example\.com/,
    ],
    ['an authority of the same name with another key', 'ChainOrder', chainOf(leaf, stranger), leaf.key],
    [
      'a signature by what is no authority',
      'IssuerNotCa',
      chainOf(maker.make({ by: notAuthority }), notAuthority, intermediate),
      leaf.key,
    ],
    ['an authority below one that allows none', 'IssuerNotCa', chainOf(belowSecond, second, shallow), belowSecond.key],
    [
      'a chain without its intermediate',
      'ChainIncomplete',
      leaf.pem,
      leaf.key,
      /that signed www\.example\.com is missing/,
    ],
    ['a certificate without names', 'NoNames', chainOf(withExtensions(...ofServer), intermediate), leaf.key],
    [
      'one with an address',
      'OtherNames',
      chainOf(withExtensions(...ofServer, `${names(hostname)},IP:192.0.2.1`), intermediate),
      leaf.key,
    ],
    [
      'a wildcard',
      'WildcardName',
      chainOf(withExtensions(...ofServer, names(hostname, '*.example.com')), intermediate),
      leaf.key,
      /names \*\.example\.com, and wildcards are not taken/,
    ],
    [
      'a name that is none',
      'InvalidName',
      chainOf(withExtensions(...ofServer, names(hostname, 'localhost')), intermediate),
      leaf.key,
    ],
    [
      '33 names',
      'TooManyNames',
      chainOf(withExtensions(...ofServer, names(...many)), intermediate),
      leaf.key,
      /names 33 hostnames/,
    ],
    [
      "another hostname's",
      'HostnameMissing',
      chainOf(withExtensions(...ofServer, names('shop.example.com')), intermediate),
      leaf.key,
    ],
    [
      'a foreign common name',
      'CommonName',
      chainOf(issued({ subject: '/CN=www.example.org' }), intermediate),
      leaf.key,
      /is 'www\.example\.org', and none of the hostnames/,
    ],
    [
      'one that an authority of other names signed',
      'NameConstraints',
      chainOf(maker.make({ by: constrained }), constrained),
      leaf.key,
      /may not sign for www\.example\.com/,
    ],
    [
      'an authority with a critical extension that nobody knows',
      'Extension',
      chainOf(maker.make({ by: strange }), strange),
      leaf.key,
      /Strange has the extension 1\.2\.3\.4, which is critical/,
    ],
  ])('%s: %s', (_, reason, certificate, key, message = /./) => {
    const result = read(certificate, key);
    expect(result).toMatchObject({ ok: false, reason });
    expect(!result.ok && result.message).toMatch(message);
    expect(JSON.stringify(result)).not.toContain(leaf.key.split('\n')[1]);
  });

  const { validFrom, validTo } = new X509Certificate(leaf.pem);
  const { validTo: intermediateEnds } = new X509Certificate(intermediate.pem);
  const at = (text: string) => Date.parse(text);
  it.each<[string, CertificateRefusalReason, at: number]>([
    ['before it begins', 'NotYetValid', at(validFrom) - 1_000],
    ['once it has ended', 'Ended', at(validTo)],
    ['a day before that', 'EndsTooSoon', at(validTo) - day],
    ['once an authority of its chain has ended', 'Ended', at(intermediateEnds)],
  ])('a certificate %s: %s', (_, reason, moment) => {
    expect(read(sound, leaf.key, { now: moment })).toMatchObject({ ok: false, reason });
  });

  it('with more than a day left it is taken', () => {
    expect(read(sound, leaf.key, { now: at(validTo) - day - 1_000 }).ok).toBe(true);
  });
});

it('every reason is on the page about REST', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/rest-api.md'), 'utf8');
  expect(Object.keys(certificateRefusals).filter((reason) => !page.includes(`\`${kebabCase(reason)}\``))).toEqual([]);
});
