import { describe, expect, it } from '@jest/globals';
import type { SignerData, SignedSection } from '../../../../src/dns/wire/dnssec-records.ts';
import { types } from '../../../../src/dns/wire/dnssec-records.ts';
import { signedSets, keysIn } from '../../../../src/dns/lookup/zone-signing.ts';
import { writeName } from '../../../../src/dns/wire/wire-name.ts';
import { empty } from '../../../support/scripted-exchange.ts';

/** What signed answers cost to look at, counted: each is read from a zone's own servers, which may say anything. */

const zone = 'example.com';
type SignedRecord = SignedSection[number];

/** A signature over a type, by the zone, with a tag that no key has. */
const signatureOver = (type: number): Buffer =>
  Buffer.concat([
    Buffer.from([type >> 8, type & 0xff, 13, 2]),
    Buffer.alloc(14),
    writeName(zone) ?? Buffer.alloc(0),
    Buffer.alloc(64),
  ]);

/** How often anything of the records is looked at. */
function looksAt(count: number, make: (index: number) => SignedRecord): number {
  let looks = 0;
  const signed = Array.from({ length: count }, (_, index): SignedRecord => {
    const made = make(index);
    return {
      rdata: made.rdata,
      get name() {
        looks += 1;
        return made.name;
      },
      get type() {
        looks += 1;
        return made.type;
      },
    };
  });
  signedSets(zone, { name: `www.${zone}`, type: 'A' }, { ...empty, signed });
  return looks;
}

const none = Buffer.alloc(0);

describe('a record of a signed answer is looked at a few times, however many others there are', () => {
  // Each pair of DNAME and record made a string of both names: 256 of each took 30 ms for one name.
  it.each<[string, (index: number) => SignedRecord]>([
    ['records that redirect zones', (index) => ({ name: `n${index}.${zone}`, type: types.DNAME, rdata: none })],
    ['signatures at one name', () => ({ name: `www.${zone}`, type: types.RRSIG, rdata: signatureOver(1) })],
    ['addresses', () => ({ name: `www.${zone}`, type: 1, rdata: none })],
  ])('%s', (_, make) => {
    const [some, twice] = [looksAt(128, make), looksAt(256, make)];
    expect(twice).toBeLessThanOrEqual(256 * 16);
    expect(twice).toBeLessThanOrEqual(2 * some);
  });
});

/** A set that answers, its signatures by which zone, and how many of them are read. */
describe('signatures of a set', () => {
  const alias = { name: `www.${zone}`, type: types.CNAME, rdata: none };
  const over = (type: number, name = alias.name) => ({ name, type: types.RRSIG, rdata: signatureOver(type) });
  const sets = (...signed: SignedSection) =>
    signedSets(zone, { name: `www.${zone}`, type: 'A' }, { ...empty, signed }).map(
      ({ name, type, signatures }) => `${name} ${type} ${signatures.length}`,
    );

  it.each<[string, SignedSection, readonly string[]]>([
    ['an alias with its signature', [alias, over(types.CNAME)], ['www.example.com CNAME 1']],
    ['a signature over another type is none', [alias, over(1)], ['www.example.com CNAME 0']],
    ['a signature at another name is none', [alias, over(types.CNAME, zone)], ['www.example.com CNAME 0']],
    ['no more than eight are read', [alias, ...Array.from({ length: 20 }, () => over(5))], ['www.example.com CNAME 8']],
    ['an answer that denies has none', [{ ...alias, name: zone }], []],
    [
      'below a DNAME only that is signed, as the alias is made from it (RFC 6672 section 5.3.1)',
      [alias, { name: zone, type: types.DNAME, rdata: none }, over(types.DNAME, zone)],
      ['example.com DNAME 1'],
    ],
  ])('%s', (_, signed, expected) => {
    expect(sets(...signed)).toEqual(expected);
  });
});

describe('keys', () => {
  it('are hashed once for each type of digest, however many records at the parent have their tag', () => {
    const rdata = Buffer.concat([Buffer.from([1, 1, 3, 13]), Buffer.alloc(64, 1)]);
    const [key] = keysIn([{ name: zone, type: types.DNSKEY, rdata }], zone, []);
    let read = 0;
    const signers = Array.from({ length: 250 }, (_, index): SignerData => {
      return {
        ...{ keyTag: key?.keyTag ?? 0, algorithm: 13, digest: Buffer.alloc(32, index) },
        get digestType() {
          read += 1;
          return [1, 2, 4][index % 3] ?? 2;
        },
      };
    });
    expect(keysIn([{ name: zone, type: types.DNSKEY, rdata }], zone, signers)).toMatchObject([{ isDelegated: false }]);
    expect(read).toBeLessThanOrEqual(2 * signers.length);
  });

  it('are sixteen at most', () => {
    const rdata = Buffer.concat([Buffer.from([1, 1, 3, 13]), Buffer.alloc(64, 1)]);
    const records = Array.from({ length: 100 }, () => ({ name: zone, type: types.DNSKEY, rdata }));
    expect(keysIn(records, zone, [])).toHaveLength(16);
  });
});
