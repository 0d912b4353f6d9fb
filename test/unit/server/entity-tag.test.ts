import { describe, expect, it } from '@jest/globals';
import { entityTag, hasAlready, readIfMatch, representationHash } from '../../../src/server/entity-tag.ts';

const uid = '0b7d5c9e-8a54-4c39-9d4b-6a1a6e0f4a11';
const version = `${uid}.7`;
const tag = entityTag(version, representationHash('{"state":"Live"}'));
const later = entityTag(version, representationHash('{"state":"Degraded"}'));
const changed = entityTag(`${uid}.8`, representationHash('{"state":"Live"}'));

describe('an entity tag', () => {
  it('is strong, and another one for each representation and each version', () => {
    expect(tag).toMatch(/^"[\w.-]{61}"$/);
    expect(new Set([tag, later, changed]).size).toBe(3);
    expect(entityTag(null, 'hash')).toBe('"hash"');
  });
});

describe('If-Match', () => {
  it.each<[string, string | undefined, boolean | null]>([
    ['says nothing where it is not sent', undefined, null],
    ['matches the tag', tag, true],
    ['matches a tag of the same version, though other things were found out since', later, true],
    ['does not match a tag of another version', changed, false],
    ['does not match a tag of another object', tag.replace(uid, uid.replace('0', '1')), false],
    ['does not match a version that ours begins with', tag.replace('.7.', '.77.'), false],
    ['never matches a weak tag', `W/${tag}`, false],
    ['matches one of a list', `${changed}, W/"x", ${tag}`, true],
    ['matches one of a list without spaces', `${changed},${tag}`, true],
    ['matches none of a list of others', `${changed}, "a", "b"`, false],
    ['matches one beside a tag with a comma in it', `"a,b", ${tag}`, true],
    ['matches anything that is there', '*', true],
    ['does not match the version alone', `"${version}"`, false],
    ['does not match an empty tag', '""', false],
  ])('%s', (_, value, matches) => {
    const ifMatch = readIfMatch({ headers: value === undefined ? {} : { 'if-match': value } });
    expect(ifMatch === null ? null : ifMatch(version)).toBe(matches);
  });

  it.each<[string, string]>([
    ['empty', ''],
    ['a tag without quotation marks', 'abc'],
    ['an open quotation mark', '"abc'],
    ['a list with nothing between two commas', `${tag},,${tag}`],
    ['* beside a tag', `*, ${tag}`],
    ['a space in a tag', '"a b"'],
    ['a weak tag in small letters', `w/${tag}`],
    ['more than 4 KiB', `"${'a'.repeat(4_096)}"`],
    ['more than 4 KiB of commas', ','.repeat(60_000)],
  ])('is refused, and not taken for no condition, where it is %s', (_, value) => {
    expect(() => readIfMatch({ headers: { 'if-match': value } })).toThrow(
      expect.objectContaining({ code: 'malformed-request' }),
    );
  });
});

describe('If-None-Match', () => {
  it.each<[string, string | undefined, boolean]>([
    ['is not there', undefined, false],
    ['has the tag', tag, true],
    ['has the tag as a proxy weakened it', `W/${tag}`, true],
    ['has it among others', `"a", ${tag}`, true],
    ['has a tag of the same version with other findings', later, false],
    ['has a tag of another version', changed, false],
    ['has *', '*', true],
    ['cannot be read', 'abc', false],
    ['is more than 4 KiB', `${'"a",'.repeat(2_000)}${tag}`, false],
  ])('%s', (_, value, isKnown) => {
    expect(hasAlready({ headers: value === undefined ? {} : { 'if-none-match': value } }, tag)).toBe(isKnown);
  });
});
