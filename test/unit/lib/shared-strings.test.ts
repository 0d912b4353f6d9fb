import { describe, expect, it } from '@jest/globals';
import { sharedString, withSharedStrings } from '../../../src/lib/shared-strings.ts';

/** What is kept with shared strings must read as what was given. This fails if a text is lost, or taken for something else. */

const copied = JSON.parse('{"a":[1,null,true,"x",{"b":"x"}],"__proto__":{"polluted":"yes"}}') as object;

describe('a shared string', () => {
  it.each([
    ['account-1/www.customer.example', 'a key of a cache'],
    ['', 'the namespace of what has none'],
    ['17', 'an object has its own way with names that are numbers'],
    ['__proto__', 'a name that an ordinary object gives a meaning'],
    ['constructor', 'a name that an ordinary object has'],
    ['bücher.example', 'two bytes for each character'],
    ['x'.repeat(100_000), 'longer than any name that we keep'],
  ])('of %j is equal to it: %s', (text) => {
    expect(sharedString(text)).toBe(text);
    expect(sharedString(text)).toBe(text);
    expect(sharedString(['', text].join(''))).toBe(text);
  });
});

describe('a copy with shared strings', () => {
  it.each([
    [{ spec: { hostname: 'a.example', role: 'Primary' }, metadata: { labels: {} } }],
    [{ orders: [{ at: '2026-01-01T00:00:00Z', count: 0 }, { at: '2026-01-01T00:00:00Z' }] }],
    [copied],
    ['alone'],
    [null],
    [[]],
  ])('of %j is equal to it, and changing it changes nothing else', (value) => {
    const copy = withSharedStrings(value);
    expect(copy).toEqual(value);
    expect(JSON.stringify(copy)).toBe(JSON.stringify(value));
    if (typeof value === 'object' && value !== null) expect(copy).not.toBe(value);
    expect(({} as { polluted?: string }).polluted).toBeUndefined();
  });

  it('leaves what was given as it was, though it is frozen', () => {
    const given = Object.freeze({ inner: Object.freeze({ name: 'a' }) });
    expect(Object.isFrozen(withSharedStrings(given))).toBe(false);
    expect(given).toEqual({ inner: { name: 'a' } });
  });
});
