import { describe, expect, it } from '@jest/globals';
import { createSharedLabels } from '../../../src/dns/update/challenge-zone.ts';

/** Orders of a base and of its wildcard answer their challenges at one label. */

function zone() {
  const at = new Map<string, readonly string[]>();
  const waiting: (() => void)[] = [];
  const labels = createSharedLabels(async (label, texts) => {
    await new Promise<void>((done) => waiting.push(done));
    at.set(label, texts);
  });
  const settle = async () => {
    for (let left = 20; left > 0; left -= 1) {
      waiting.shift()?.();
      await Promise.resolve();
      await Promise.resolve();
    }
  };
  return { at, labels, settle };
}

describe('a label that two orders share', () => {
  it('has the texts of both, whichever is written first', async () => {
    const { at, labels, settle } = zone();
    const both = Promise.all([labels.write('l', 'base', ['one']), labels.write('l', 'wildcard', ['two'])]);
    await settle();
    await both;
    expect(at.get('l')).toEqual(['one', 'two']);
    expect(labels.others('l', 'base')).toEqual(['two']);
  });

  it('keeps those of one when the other has ended, and nothing in the end', async () => {
    const { at, labels, settle } = zone();
    const all = Promise.all([
      labels.write('l', 'base', ['one']),
      labels.write('l', 'wildcard', ['two']),
      labels.write('l', 'base', []),
    ]);
    await settle();
    await all;
    expect(at.get('l')).toEqual(['two']);
    const last = labels.write('l', 'wildcard', []);
    await settle();
    await last;
    expect(at.get('l')).toEqual([]);
    expect(labels.others('l', 'nobody')).toEqual([]);
  });

  it('is written for one order although the write for the other failed', async () => {
    const written: (readonly string[])[] = [];
    const labels = createSharedLabels((_label, texts) => {
      written.push(texts);
      return written.length === 1 ? Promise.reject(new Error('refused')) : Promise.resolve();
    });
    const [first, second] = await Promise.allSettled([
      labels.write('l', 'a', ['one']),
      labels.write('l', 'b', ['two']),
    ]);
    expect([first.status, second.status]).toEqual(['rejected', 'fulfilled']);
    expect(written.at(-1)).toEqual(['one', 'two']);
  });
});
