import { describe, expect, it } from '@jest/globals';
import { denialProof, hashBudget } from '../../../../src/dns/lookup/denial-proof.ts';
import type { KeyData, SignerData } from '../../../../src/dns/lookup/dnssec-rdata.ts';
import type { SignedRecord } from '../../../../src/dns/lookup/signed-section.ts';
import { types } from '../../../../src/dns/lookup/signed-section.ts';
import { signatureBudget, signedSets } from '../../../../src/dns/lookup/signed-sets.ts';
import { isDelegatedBy } from '../../../../src/dns/lookup/signature-verification.ts';
import { writeName } from '../../../../src/dns/lookup/wire-name.ts';
import { empty } from '../../../support/scripted-exchange.ts';

/** What signed answers cost to look at, counted: each is read from a zone's own servers, which may say anything. */

const zone = 'example.com';

/** A signature over a type, by the zone, with a tag that no key has. */
const signatureOver = (type: number): Buffer =>
  Buffer.concat([
    Buffer.from([type >> 8, type & 0xff, 13, 2]),
    Buffer.alloc(14),
    writeName(zone) ?? Buffer.alloc(0),
    Buffer.alloc(64),
  ]);

/** How often anything of the records is looked at. */
async function looksAt(count: number, make: (index: number) => Omit<SignedRecord, 'ttl'>): Promise<number> {
  let looks = 0;
  const signed = Array.from({ length: count }, (_, index): SignedRecord => {
    const made = make(index);
    return {
      ttl: 60,
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
  const signing = { zone, keys: [], signers: [], delegated: new Set<KeyData>(), budget: signatureBudget() };
  await signedSets(signing, { name: `www.${zone}`, type: 'A' }, { ...empty, signed });
  return looks;
}

const none = Buffer.alloc(0);

describe('a record of a signed answer is looked at a few times, however many others there are', () => {
  // Each pair of DNAME and record made a string of both names: 256 of each took 30 ms for one name.
  it.each<[string, (index: number) => Omit<SignedRecord, 'ttl'>]>([
    ['records that redirect zones', (index) => ({ name: `n${index}.${zone}`, type: types.DNAME, rdata: none })],
    ['records that deny', (index) => ({ name: `n${index}.${zone}`, type: types.NSEC, rdata: none })],
    ['signatures at one name', () => ({ name: `www.${zone}`, type: types.RRSIG, rdata: signatureOver(1) })],
    [
      'sets, each with a signature at its name',
      (index) => ({
        name: `n${index >> 1}.${zone}`,
        type: index % 2 === 0 ? types.NSEC : types.RRSIG,
        rdata: index % 2 === 0 ? none : signatureOver(types.NSEC),
      }),
    ],
  ])('%s', async (_, make) => {
    const [some, twice] = [await looksAt(128, make), await looksAt(256, make)];
    expect(twice).toBeLessThanOrEqual(256 * 16);
    expect(twice).toBeLessThanOrEqual(2 * some);
  });
});

describe('hashes', () => {
  it('of a key are made once for each type of digest, however many records at the parent have its tag', () => {
    let hashed = 0;
    const key: KeyData = {
      ...{ keyTag: 7, flags: 257, algorithm: 13, publicKey: none },
      get rdata() {
        hashed += 1;
        return Buffer.alloc(68);
      },
    };
    const signers = Array.from({ length: 250 }, (_, index): SignerData => {
      return { keyTag: 7, algorithm: 13, digestType: [1, 2, 4][index % 3] ?? 2, digest: Buffer.alloc(32, index) };
    });
    expect(isDelegatedBy(signers, zone, key)).toBe(false);
    expect(hashed).toBe(3);
  });

  it('of denied names end for a check after so many rounds, and the proof is not evaluated', () => {
    const proof: SignedRecord = {
      name: `${'0'.repeat(32)}.${zone}`,
      type: types.NSEC3,
      ttl: 60,
      rdata: Buffer.concat([Buffer.from([1, 0, 0, 150, 0, 20]), Buffer.alloc(20)]),
    };
    const proofs = Array.from({ length: 8 }, () => proof);
    let granted = 0;
    const real = hashBudget();
    const budget = (rounds: number) => {
      const may = real(rounds);
      granted += may ? rounds : 0;
      return may;
    };
    const names = Array.from({ length: 22 }, (_, index) => `n${index}.${zone}`);
    for (const name of names) expect(denialProof(proofs, { name, type: 1 }, budget)).toBe('unread');
    expect(granted).toBeGreaterThan(1_800);
    expect(granted).toBeLessThanOrEqual(2_000);
  });
});
