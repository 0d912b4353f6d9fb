import { describe, expect, it } from '@jest/globals';
import { responseLines } from '../../../src/kubernetes/transport.ts';
import { fc } from '../../support/property.ts';

async function* chunksOf(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  let from = 0;
  for (const cut of [...cuts.map((at) => at % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]) {
    yield await Promise.resolve(bytes.subarray(from, cut));
    from = cut;
  }
}

async function collect(body: AsyncIterable<Uint8Array>): Promise<readonly string[]> {
  const collected: string[] = [];
  for await (const line of responseLines(body)) collected.push(line);
  return collected;
}

const split = (text: string, cuts: readonly number[] = []) => collect(chunksOf(new TextEncoder().encode(text), cuts));

/** Every code point but surrogates, as fast-check's own `binary`, which first lists all million of them. */
const character = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((codePoint) => String.fromCodePoint(codePoint));

describe('splitting a body into lines', () => {
  it.each([
    ['gives each line without its newline', 'a\nb\n', ['a', 'b']],
    ['drops half a line at the end', 'a\n{"half":', ['a']],
    ['drops empty lines', '\na\n\n', ['a']],
    ['gives nothing of nothing', '', []],
  ])('%s', async (_, text, wanted) => {
    expect(await split(text)).toEqual(wanted);
  });

  it('does not depend on where the network cuts, not even inside a character', async () => {
    const line = fc.string({ unit: character, minLength: 1 }).map((text) => JSON.stringify({ text }));
    await fc.assert(
      fc.asyncProperty(fc.array(line), fc.array(fc.nat(500)), async (wanted, cuts) => {
        expect(await split(wanted.map((one) => `${one}\n`).join(''), cuts)).toEqual(wanted);
      }),
    );
  });

  it('gives up on a line that never ends', async () => {
    const megabyte = new Uint8Array(1024 * 1024).fill(97);
    let sent = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (; sent < 40; sent += 1) yield await Promise.resolve(megabyte);
    }
    await expect(collect(endless())).rejects.toThrow(/longer than/);
    expect(sent).toBeLessThan(20);
  });
});
