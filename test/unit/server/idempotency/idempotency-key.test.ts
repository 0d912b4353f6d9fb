import { describe, expect, it } from '@jest/globals';
import { readIdempotencyKey } from '../../../../src/server/idempotency/idempotency-key.ts';

const read = (given: string | undefined) =>
  readIdempotencyKey({ headers: given === undefined ? {} : { 'idempotency-key': given } });

const uuid = '8e03978e-40d5-43dd-bc93-6f894a57f9324';
const longest = 'k'.repeat(255);

describe('an idempotency key', () => {
  it.each<[string, string | undefined, string | null]>([
    ['is none without the header', undefined, null],
    ['is a string of structured fields, as the draft has it', `"${uuid}"`, uuid],
    ['is the bare text that other clients send', uuid, uuid],
    ['may have quotation marks and backslashes in the string', String.raw`"a\"b\\c"`, String.raw`a"b\c`],
    ['may have a comma or a quotation mark in the bare text', `a,b"c`, `a,b"c`],
    ['may be one character', 'k', 'k'],
    ['may be 255 characters', longest, longest],
    ['may be 255 characters in a string', `"${longest}"`, longest],
    ['may be 255 that are escaped', `"${'\\"'.repeat(255)}"`, '"'.repeat(255)],
  ])('%s', (_, given, key) => {
    expect(read(given)).toBe(key);
  });

  it.each<[string, string]>([
    ['nothing', ''],
    ['an empty string', '""'],
    ['256 characters', 'k'.repeat(256)],
    ['256 characters in a string', `"${'k'.repeat(256)}"`],
    ['64 KiB', 'k'.repeat(65_536)],
    ['a string without an end', '"abc'],
    ['a string and something after it', '"abc"d'],
    ['a string with parameters', '"abc";a=1'],
    ['a backslash before a letter', String.raw`"a\bc"`],
    ['a quotation mark in the middle of a string', '"a"b"'],
    ['a space', 'a b'],
    ['a space in a string', '"a b"'],
    ['two headers, as they come joined', 'abc, def'],
    ['two headers with strings', '"abc", "def"'],
    ['a tab', 'a\tb'],
    ['a control character', 'a\u0001'],
    ['a letter that is not ASCII', 'schlüssel'],
    ['such a letter in a string', '"schlüssel"'],
  ])('is refused: %s', (_, given) => {
    expect(() => read(given)).toThrow(expect.objectContaining({ code: 'malformed-request' }));
  });
});
