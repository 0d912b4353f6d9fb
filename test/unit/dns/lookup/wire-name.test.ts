import { describe, expect, it } from '@jest/globals';
import type { Question } from '../../../../src/dns/wire/dns-message.ts';
import { decodeResponse } from '../../../../src/dns/wire/dns-message.ts';
import type { NameReader } from '../../../../src/dns/wire/wire-name.ts';
import { createNameReader, maxPointers, stepsPerByte } from '../../../../src/dns/wire/wire-name.ts';
import { answerTo, floods, pointer } from '../../../support/dns-floods.ts';

/**
 * What it takes to read an answer, counted in steps and not in time. Before each place was read once and pointers were counted, a chain of
 * 8,000 of them in 21 KB took two million steps, 20 to 48 ms.
 */

const question: Question = { name: 'www.example.com', type: 'A', recursive: false };
const signed: Question = { ...question, dnssec: 'signed' };
/** one label, whose last byte was too many */
const longestLabel = 64;

function decoded(bytes: Buffer, asked: Question) {
  const names = createNameReader(bytes);
  let reads = 0;
  const counting: NameReader = { ...names, read: (offset) => names.read(((reads += 1), offset)) };
  const response = decodeResponse(bytes, 7, asked, counting);
  const outcome = response === null || typeof response === 'string' ? response : 'read';
  return { outcome, steps: names.steps(), reads };
}

type Outcome = ReturnType<typeof decoded>['outcome'];

const outcomes: Readonly<Record<string, Outcome>> = {
  'chains of 8,000 pointers': 'malformed',
  'labels that overlap': 'malformed',
  'more questions than there are bytes': null,
};

describe('an answer that is made to take long', () => {
  it.each(Object.entries(floods))('of %s takes no more steps than its bytes are worth', (family, make) => {
    for (const asked of [question, signed]) {
      const bytes = answerTo(asked, 7, make(asked, 0));
      const { outcome, steps, reads } = decoded(bytes, asked);
      expect(bytes.length).toBeLessThan(65_536);
      expect(outcome).toBe(family in outcomes ? outcomes[family] : 'read');
      expect(steps).toBeLessThanOrEqual(stepsPerByte * bytes.length + longestLabel);
      // A record has at least eleven bytes, and at most its owner and two more names, read for itself and as what is signed.
      expect(reads).toBeLessThanOrEqual(2 + (bytes.length / 11) * 7);
    }
  });

  it('is read once where many names end alike, and each pointer to it is one more step', () => {
    const name = Buffer.concat([Buffer.from([3]), Buffer.from('end'), Buffer.from([0])]);
    const message = Buffer.concat([name, ...Array.from({ length: 100 }, () => pointer(0))]);
    const names = createNameReader(message);
    for (let at = 0; at < 100; at += 1) expect(names.read(name.length + at * 2)).toMatchObject({ name: 'end' });
    expect(names.steps()).toBe(name.length + 100);
  });
});

/** Pointers, each to the one before it, behind the root. */
const chain = (length: number): Buffer =>
  Buffer.concat([Buffer.from([0]), ...Array.from({ length }, (_, at) => pointer(at === 0 ? 0 : 1 + (at - 1) * 2))]);

describe('pointers', () => {
  it('are followed so many times in one name, and not once more', () => {
    const last = (length: number) => 1 + (length - 1) * 2;
    expect(createNameReader(chain(maxPointers)).read(last(maxPointers)).name).toBe('');
    expect(() => createNameReader(chain(maxPointers + 1)).read(last(maxPointers + 1))).toThrow('too many pointers');
  });

  it('count along names that were read before, so that the bound is the same in any order', () => {
    const names = createNameReader(chain(40));
    const last = Array.from({ length: 40 }, (_, at) => 1 + at * 2).map((at) => {
      try {
        return names.read(at).name;
      } catch {
        return null;
      }
    });
    expect(last.filter((name) => name !== null)).toHaveLength(maxPointers);
  });

  it('lead back from where a name begins, also where its end was read before', () => {
    // From 2 on `b` and a pointer to 1; from 0 on a label that reaches over 1, then the same pointer.
    const message = Buffer.from([1, 0, 1, 98, 0xc0, 1]);
    const names = createNameReader(message);
    expect(names.read(2).name).toBe('b');
    expect(() => names.read(0)).toThrow('backwards');
    expect(() => createNameReader(message).read(0)).toThrow('backwards');
  });

  it('are none in data that DNSSEC writes without compression', () => {
    expect(() => createNameReader(Buffer.from([0, 0xc0, 0]), 0).read(1)).toThrow('too many pointers');
  });
});
