import * as crypto from 'node:crypto';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { armoured } from '../../support/pem-armour.ts';
import type { DerNode } from '../../support/der-edit.ts';
import { branch, leaf, part, readDer, writeDer } from '../../support/der-edit.ts';

/**
 * What reaches OpenSSL as a private key. It computes the public key of some as it reads them (1.9 s of the event loop for one of DSA in 3.9 KB), so this fails when
 * OpenSSL is asked to read what no certificate that is taken can have, or is not asked to read a key that somebody has.
 */

const createPrivateKey = jest.fn(crypto.createPrivateKey);
jest.unstable_mockModule('node:crypto', () => ({ ...crypto, createPrivateKey }));
const { readPrivateKey } = await import('../../../src/own-certificate/check-keys.ts');
beforeEach(() => void createPrivateKey.mockClear());

type Label = 'PRIVATE KEY' | 'RSA PRIVATE KEY' | 'EC PRIVATE KEY';
const labels = ['PRIVATE KEY', 'RSA PRIVATE KEY', 'EC PRIVATE KEY'] as const satisfies readonly Label[];

const oids = {
  dsa: '2a8648ce380401',
  dh: '2a864886f70d010301',
  dhx: '2a8648ce3e0201',
  rsaPss: '2a864886f70d01010a',
  x448: '2b656f',
  p384: '2b81040022',
} as const;
const oid = (name: keyof typeof oids) => leaf(6, Buffer.from(oids[name], 'hex'));
const number = (...octets: readonly number[]) => leaf(2, octets);
/** A positive number of as many octets. */
const long = (octets: number) => leaf(2, Buffer.concat([Buffer.from([0]), Buffer.alloc(octets, 0xff)]));
const octets = (content: Buffer) => leaf(4, content);
const pkcs8 = (algorithm: readonly DerNode[], key: DerNode) =>
  branch(0x30, number(0), branch(0x30, ...algorithm), octets(writeDer(key)));

const made = {
  rsa: crypto.generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey,
  rsa4096: crypto.generateKeyPairSync('rsa', { modulusLength: 4_096 }).privateKey,
  p256: crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
  p384: crypto.generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey,
  p521: crypto.generateKeyPairSync('ec', { namedCurve: 'P-521' }).privateKey,
  explicit: crypto.generateKeyPairSync('ec', { namedCurve: 'P-256', paramEncoding: 'explicit' }).privateKey,
  koblitz: crypto.generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey,
  rsaPss: crypto.generateKeyPairSync('rsa-pss', { modulusLength: 2_048 }).privateKey,
  ed25519: crypto.generateKeyPairSync('ed25519').privateKey,
  x25519: crypto.generateKeyPairSync('x25519').privateKey,
} as const;

/** A key as it is written, with something in it changed. */
function written(
  name: keyof typeof made,
  type: 'pkcs8' | 'pkcs1' | 'sec1',
  change?: (key: DerNode) => unknown,
): DerNode {
  const [node] = readDer(made[name].export({ type: type as 'pkcs8', format: 'der' })) as [DerNode];
  change?.(node);
  return node;
}
/** The same, of what stands within PKCS#8. */
function wrapped(name: keyof typeof made, change: (key: DerNode) => unknown): DerNode {
  return written(name, 'pkcs8', (whole) => {
    const holder = part(whole, 2);
    const [inner] = readDer(holder.bytes) as [DerNode];
    change(inner);
    holder.bytes = writeDer(inner);
  });
}
const without = (place: number) => (key: DerNode) => key.parts?.splice(place, 1);
const instead = (place: number, value: DerNode) => (key: DerNode) => key.parts?.splice(place, 1, value);

const read = (label: Label, key: DerNode) => readPrivateKey(armoured(label, writeDer(key)));

describe('OpenSSL reads', () => {
  it.each<[string, Label, DerNode]>([
    ['RSA', 'PRIVATE KEY', written('rsa', 'pkcs8')],
    ['RSA of 4,096 bits, the longest', 'PRIVATE KEY', written('rsa4096', 'pkcs8')],
    ['RSA as PKCS #1', 'RSA PRIVATE KEY', written('rsa', 'pkcs1')],
    ['RSA without NULL', 'PRIVATE KEY', written('rsa', 'pkcs8', (key) => part(key, 1).parts?.splice(1, 1))],
    ['ECDSA on P-256', 'PRIVATE KEY', written('p256', 'pkcs8')],
    ['ECDSA on P-384', 'PRIVATE KEY', written('p384', 'pkcs8')],
    ['ECDSA on P-521, of which it is said that the certificate has another', 'PRIVATE KEY', written('p521', 'pkcs8')],
    ['ECDSA as SEC 1', 'EC PRIVATE KEY', written('p256', 'sec1')],
    ['ECDSA as SEC 1 without its point', 'EC PRIVATE KEY', written('p256', 'sec1', without(3))],
    ['ECDSA without its point', 'PRIVATE KEY', wrapped('p256', without(2))],
    ['Ed25519', 'PRIVATE KEY', written('ed25519', 'pkcs8')],
    ['X25519', 'PRIVATE KEY', written('x25519', 'pkcs8')],
    ['attributes behind a key', 'PRIVATE KEY', written('p256', 'pkcs8', (key) => key.parts?.push(branch(0xa0)))],
  ])('%s', (_, label, key) => {
    expect(read(label, key).ok).toBe(true);
    expect(createPrivateKey).toHaveBeenCalledTimes(1);
  });
});

const dsa = pkcs8([oid('dsa'), branch(0x30, long(1_900), long(20), number(3))], long(1_899));
const dh = pkcs8([oid('dh'), branch(0x30, long(1_200), number(3))], long(1_199));
const dhx = pkcs8([oid('dhx'), branch(0x30, long(1_200), number(3), long(20))], long(1_199));

describe('OpenSSL is not asked to read', () => {
  it.each<[string, DerNode]>([
    ['DSA, with numbers of 15,200 bits', dsa],
    ['DH, with numbers of 9,600 bits', dh],
    ['DH of X9.42', dhx],
    ['DSA as OpenSSL wrote it', branch(0x30, number(0), long(1_000), long(20), number(3), long(1_000), long(999))],
    ['RSA-PSS', written('rsaPss', 'pkcs8')],
    ['X448', pkcs8([oid('x448')], octets(Buffer.alloc(56, 1)))],
    ['nothing', branch(0x30)],
    ['an algorithm without a key', branch(0x30, number(0), branch(0x30, oid('p384')))],
  ])('%s, under any label', (_, key) => {
    for (const label of labels) expect(read(label, key)).toMatchObject({ ok: false, reason: 'KeyUnreadable' });
    expect(createPrivateKey).not.toHaveBeenCalled();
  });

  const prime = branch(0x30, long(100), long(100), long(100));
  it.each<[string, Label, DerNode]>([
    ['PKCS#8 that is called RSA', 'RSA PRIVATE KEY', written('rsa', 'pkcs8')],
    ['PKCS#8 that is called EC', 'EC PRIVATE KEY', written('p256', 'pkcs8')],
    ['SEC 1 that is called RSA', 'RSA PRIVATE KEY', written('p256', 'sec1')],
    ['PKCS #1 that is called EC', 'EC PRIVATE KEY', written('rsa', 'pkcs1')],
    ['PKCS #1 that is called PKCS#8', 'PRIVATE KEY', written('rsa', 'pkcs1')],
    ['RSA of three primes', 'RSA PRIVATE KEY', written('rsa', 'pkcs1', (key) => key.parts?.push(branch(0x30, prime)))],
    ['RSA of the version for more primes', 'PRIVATE KEY', wrapped('rsa', instead(0, number(1)))],
    ['RSA without its coefficient', 'RSA PRIVATE KEY', written('rsa', 'pkcs1', without(8))],
    ['RSA with a modulus of 513 octets', 'PRIVATE KEY', wrapped('rsa', instead(1, long(513)))],
    ['RSA with a public exponent of 5 octets', 'PRIVATE KEY', wrapped('rsa', instead(2, long(5)))],
    ['RSA with a private exponent longer than its modulus', 'PRIVATE KEY', wrapped('rsa', instead(3, long(257)))],
    ['RSA with a prime longer than half of its modulus', 'PRIVATE KEY', wrapped('rsa', instead(4, long(129)))],
    ['RSA with a second prime longer than that', 'PRIVATE KEY', wrapped('rsa', instead(5, long(129)))],
    ['RSA with an exponent longer than its prime', 'PRIVATE KEY', wrapped('rsa', instead(6, long(129)))],
    ['RSA with a second exponent longer than that', 'PRIVATE KEY', wrapped('rsa', instead(7, long(129)))],
    ['RSA with a coefficient longer than its prime', 'PRIVATE KEY', wrapped('rsa', instead(8, long(129)))],
    ['RSA with a negative number', 'PRIVATE KEY', wrapped('rsa', instead(4, number(0x81)))],
    ['ECDSA on a curve that is written out', 'PRIVATE KEY', written('explicit', 'pkcs8')],
    ['the same as SEC 1', 'EC PRIVATE KEY', written('explicit', 'sec1')],
    [
      'ECDSA on a curve that is written out within, and has a name outside',
      'PRIVATE KEY',
      wrapped('p256', instead(2, branch(0xa0, part(written('explicit', 'sec1'), 2, 0)))),
    ],
    ['ECDSA on two curves', 'PRIVATE KEY', wrapped('p256', instead(2, branch(0xa0, oid('p384'))))],
    ['ECDSA on a curve of others', 'PRIVATE KEY', written('koblitz', 'pkcs8')],
    ['ECDSA as SEC 1 on no curve', 'EC PRIVATE KEY', written('p256', 'sec1', without(2))],
    ['ECDSA with a number that is too long', 'PRIVATE KEY', wrapped('p256', instead(1, octets(Buffer.alloc(34, 1))))],
    [
      'ECDSA with a point that is too long',
      'PRIVATE KEY',
      wrapped('p256', (key) => key.parts?.splice(2, 1, branch(0xa1, leaf(3, Buffer.alloc(100, 4))))),
    ],
    [
      'Ed25519 with a number that is too long',
      'PRIVATE KEY',
      wrapped('ed25519', (key) => (key.bytes = Buffer.alloc(40))),
    ],
    [
      'a key with attributes of more bytes than any key has',
      'PRIVATE KEY',
      written('p256', 'pkcs8', (key) => key.parts?.push(branch(0xa0, octets(Buffer.alloc(4_096, 1))))),
    ],
    ['a key with a part that none has', 'PRIVATE KEY', written('p256', 'pkcs8', (key) => key.parts?.push(number(1)))],
    ['a key of a third version', 'PRIVATE KEY', written('p256', 'pkcs8', instead(0, number(2)))],
  ])('%s', (_, label, key) => {
    expect(read(label, key)).toMatchObject({ ok: false, reason: 'KeyUnreadable' });
    expect(createPrivateKey).not.toHaveBeenCalled();
  });
});
