import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { drawKey, hashOfKey, keyIdOf, keyNameForm } from '../../../src/rules/api-key-format.ts';
import { fc } from '../../support/property.ts';

describe('the name of a key', () => {
  it('has the form that the schema of the kind demands', () => {
    const definition = readFileSync(join(import.meta.dirname, '../../../crds/api-key.yaml'), 'utf8');
    const [, refused = ''] = /!self\.matches\('\[(.*)\]'\)/.exec(definition) ?? [];
    expect(keyNameForm.source).toBe(`^[^${refused.replaceAll('\\\\x', '\\u').replaceAll('\\\\', '\\')}]*$`);
  });

  it.each<[string, string, boolean]>([
    ['letters of any script', 'Nightly “deploy” – München, 日本, می\u200cخواهم', true],
    ['an emoji of several', '👩\u200d💻', true],
    ['an escape', 'a\u001b[2J', false],
    ['an escape of eight bits', 'a\u009b2J', false],
    ['an override', 'a\u202eb', false],
    ['an isolate', 'a\u2066b', false],
    ['two lines', 'a\u2028b', false],
    ['tags', '\u{e0041}', false],
    ['nothing of any width', '\u200b', false],
  ])('%s: %j is one: %s', (_, name, isOne) => {
    expect(keyNameForm.test(name)).toBe(isOne);
  });
});

describe('an API key', () => {
  const { key } = drawKey(randomInt);

  /** Made by other means (Python's zlib and hashlib): keys that were given out open what they opened, in every version. */
  const known = {
    key: 'pd_0123456789abcdef_GHIJKLMNOPQRSTUVWXYZabcdefghij3cH6Fo',
    keyId: '0123456789abcdef',
    sha256: 'f753e5ff4bdc4bea72d27d4de3403d92495005d4e1b2c3b9c3e3f03455c251bd',
  };

  it('is drawn letter by letter, with a checksum at its end, and kept by its SHA-256', () => {
    let drawn = -1;
    const inOrder = (below: number) => (drawn += 1) % below;
    expect(drawKey(inOrder)).toEqual(known);
  });

  it('is read back as what was drawn', () => {
    expect([keyIdOf(known.key), hashOfKey(known.key)]).toEqual([known.keyId, known.sha256]);
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
