import { randomInt } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { drawKey, hashOfKey, keyIdOf } from '../../../src/rules/api-key-format.ts';

describe('an API key', () => {
  const { key, keyId, sha256 } = drawKey(randomInt);

  it('has its id and a checksum in it, and only its hash is kept', () => {
    expect(key).toMatch(/^pd_[0-9a-z]{16}_[0-9A-Za-z]{36}$/);
    expect(keyIdOf(key)).toBe(keyId);
    expect(sha256).toBe(hashOfKey(key));
    expect(sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it('is never drawn twice', () => {
    expect(new Set(Array.from({ length: 100 }, () => drawKey(randomInt).key)).size).toBe(100);
  });

  it('one wrong letter anywhere is found without asking anybody', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: key.length - 1 }), fc.constantFrom('a', 'Z', '7', '_'), (at, letter) => {
        fc.pre(key[at] !== letter);
        expect(keyIdOf(key.slice(0, at) + letter + key.slice(at + 1))).toBeNull();
      }),
    );
  });

  it.each(['', 'pd_', 'Bearer', `${key} `, key.slice(1), key.toUpperCase()])('%j is none', (text) => {
    expect(keyIdOf(text)).toBeNull();
  });
});
