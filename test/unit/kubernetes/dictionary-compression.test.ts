import { describe, expect, it } from '@jest/globals';
import { createDictionaryCompression } from '../../../src/kubernetes/packed-objects.ts';

const like = (name: string) => JSON.stringify({ kind: 'ProjectDomain', spec: { hostname: name, project: 'shop' } });
const dictionary = Buffer.from(like('www.example.com'));
const deflated = (text: string) => createDictionaryCompression(dictionary).deflate(text);

describe('a text', () => {
  it('comes back whatever was deflated and inflated before it, as nothing of those is left in the context', () => {
    const { deflate, inflate } = createDictionaryCompression(dictionary);
    const texts = [like('a.example.com'), like('б.example.com'), 'x'.repeat(100_000), like('a.example.com')];
    const all = texts.map(deflate);
    expect(all[0]).toEqual(all.at(-1));
    expect(all.toReversed().map(inflate)).toEqual(texts.toReversed());
  });

  it('is deflated to what another context with this dictionary would give', () => {
    const { deflate } = createDictionaryCompression(dictionary);
    for (const text of [like('a.example.com'), like('b.example.com')]) expect(deflate(text)).toEqual(deflated(text));
  });

  it('is inflated after one that was broken: an error would otherwise end the reading of every object of the kind', () => {
    const { inflate } = createDictionaryCompression(dictionary);
    const whole = deflated(like('a.example.com'));
    expect(() => inflate(whole.subarray(0, 5))).toThrow();
    expect(() => inflate(Buffer.from('no deflated text'))).toThrow();
    expect(inflate(whole)).toBe(like('a.example.com'));
  });
});
