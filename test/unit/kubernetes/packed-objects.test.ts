import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createPacking } from '../../../src/kubernetes/packed-objects.ts';
import { fc } from '../../support/property.ts';

const claim = (index: number) => ({
  apiVersion: 'projectdomain.io/v1alpha1',
  kind: 'HostnameClaim',
  metadata: { name: `shop-${index}.example.com`, resourceVersion: String(index) },
  spec: { account: `account-${index % 7}`, phase: 'Held', holder: { namespace: 'acme', name: `shop-${index}` } },
});

describe('a packed object', () => {
  it('comes back equal, in every language and however odd its fields are', () =>
    fc.assert(
      fc.property(
        fc.array(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), { minLength: 1 }),
        (objects) => {
          const { pack, unpack } = createPacking<object>();
          const asJson = objects.map((object) => JSON.parse(JSON.stringify(object)) as object);
          expect(asJson.map(pack).map(unpack)).toEqual(asJson);
        },
      ),
    ));

  it('comes back after any number of others, whose dictionaries replaced its own', () => {
    const { pack, unpack } = createPacking<object>();
    const packed = Array.from({ length: 5_000 }, (_, index) => pack(claim(index)));
    for (const index of [0, 1, 62, 63, 64, 4_094, 4_095, 4_096, 4_999])
      expect(unpack(packed[index] ?? '')).toEqual(claim(index));
  });

  it.each([100, 5_000, 300_000])('comes back when it has %i characters that have nothing in common', (length) => {
    const { pack, unpack } = createPacking<object>();
    const long = { text: randomBytes(length / 2).toString('hex') };
    expect(unpack(pack(long))).toEqual(long);
  });

  it('takes less than half of its text where others like it came before, the purpose of the dictionary', () => {
    const { pack } = createPacking<object>();
    pack(claim(1));
    expect(pack(claim(2)).length).toBeLessThan(JSON.stringify(claim(2)).length / 2);
  });

  it('is a string of one byte per character, which an engine keeps in as many bytes', () => {
    const { pack } = createPacking<object>();
    const codes = [...pack({ name: 'мой-магазин 🛒' })].map((character) => character.charCodeAt(0));
    expect(Math.max(...codes)).toBeLessThan(256);
  });

  it.each([
    ['the same', claim(1), true],
    ['the same with its fields in another order', Object.assign({ spec: claim(1).spec }, claim(1)), true],
    ['one with another value', claim(2), false],
    ['one with a field more', { ...claim(1), status: {} }, false],
  ])('is told from others: %s', (_, other, isSame) => {
    const { pack, isPackOf } = createPacking<object>();
    expect(isPackOf(pack(claim(1)), other)).toBe(isSame);
  });

  it('of another packing is refused rather than misread', () => {
    expect(() => createPacking().unpack('\u0003abc')).toThrow(/somebody else/);
  });
});
