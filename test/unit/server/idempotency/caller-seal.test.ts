import { describe, expect, it } from '@jest/globals';
import { callerSeal, markBytes } from '../../../../src/server/idempotency/caller-seal.ts';

const secret = Buffer.alloc(32, 7);
const apiKey = 'pd_abcdefgh23456777_secret';
const seal = callerSeal(secret, apiKey);
const place = seal.placeOf('key');
const mark = seal.mark(place, 'request');
const answer = '[201,{},"{\\"key\\":\\"pd_new_secret\\"}"]';
const sealed = seal.seal(place, mark, answer);

const others = [
  ['another API key', callerSeal(secret, `${apiKey}x`)],
  ['another installation', callerSeal(Buffer.alloc(32, 8), apiKey)],
] as const;

const flipped = (bytes: Uint8Array, at: number): Buffer => {
  const changed = Buffer.from(bytes);
  changed[at] = (changed[at] ?? 0) ^ 1;
  return changed;
};

describe('what is kept for a caller', () => {
  it('is opened by the same caller at the same place under the same mark', () => {
    const again = callerSeal(secret, apiKey);
    expect(again.placeOf('key')).toBe(place);
    expect(again.isOurs(place, mark)).toBe(true);
    expect(again.open(place, mark, sealed)).toBe(answer);
  });

  it('tells nothing of request, key and answer, and is never twice the same', () => {
    const kept = Buffer.concat([Buffer.from(place), mark, sealed]).toString('latin1');
    for (const told of ['request', apiKey, 'pd_new_secret', 'key']) expect(kept).not.toContain(told);
    expect(seal.seal(place, mark, answer)).not.toEqual(sealed);
    expect(seal.mark(place, 'request')).not.toEqual(mark);
    expect(seal.mark(place, 'request').subarray(0, 16)).toEqual(mark.subarray(0, 16));
    expect(seal.mark(place, 'another').subarray(0, 16)).not.toEqual(mark.subarray(0, 16));
  });

  it.each(others)('is neither found nor opened with %s', (_, other) => {
    expect(other.placeOf('key')).not.toBe(place);
    expect(other.isOurs(place, mark)).toBe(false);
    expect(other.open(place, mark, sealed)).toBeNull();
  });

  it.each<[string, string, Buffer, Buffer]>([
    ['moved to another place', seal.placeOf('other'), mark, sealed],
    ['put under another mark', place, seal.mark(place, 'request'), sealed],
    ['cut', place, mark, sealed.subarray(0, -1)],
    ['cut to less than its tag', place, mark, sealed.subarray(0, 20)],
    ['empty', place, mark, Buffer.alloc(0)],
    ...[0, 12, 28, sealed.length - 1].map((at): [string, string, Buffer, Buffer] => [
      `changed at byte ${at}`,
      place,
      mark,
      flipped(sealed, at),
    ]),
  ])('is not opened where it was %s', (_, where, under, what) => {
    expect(seal.open(where, under, what)).toBeNull();
  });

  it.each(Array.from({ length: markBytes }, (_, at) => at))('has a mark in which byte %d cannot be changed', (at) => {
    expect(seal.isOurs(place, flipped(mark, at))).toBe(false);
  });

  it('has no mark of another length', () => {
    expect(seal.isOurs(place, mark.subarray(1))).toBe(false);
    expect(seal.isOurs(place, Buffer.alloc(0))).toBe(false);
  });
});

describe('what is drawn under a mark', () => {
  const drawn = (from: (below: number) => number, below: number, count: number) =>
    Array.from({ length: count }, () => from(below));

  it('is the same for the same mark, and another for any other mark, place, caller and installation', () => {
    const first = drawn(seal.random(place, mark), 62, 40);
    expect(drawn(seal.random(place, mark), 62, 40)).toEqual(first);
    const else_ = [
      seal.random(place, seal.mark(place, 'request')),
      seal.random(seal.placeOf('other'), mark),
      ...others.map(([, other]) => other.random(place, mark)),
    ];
    for (const other of else_) expect(drawn(other, 62, 40)).not.toEqual(first);
  });

  it.each([1, 2, 36, 62, 256, 2 ** 31 + 1])('is a number below %d, and any of them', (below) => {
    const numbers = drawn(seal.random(place, mark), below, 4_000);
    expect(numbers.every((one) => Number.isInteger(one) && one >= 0 && one < below)).toBe(true);
    expect(new Set(numbers).size).toBeGreaterThan(Math.min(below, 3_900) - 1);
  });
});
