import { describe, expect, it } from '@jest/globals';
import { isMadeSubdomain, madeSubdomain } from '../../../src/rules/project-address.ts';
import { subdomainObjection } from '../../../src/rules/subdomain.ts';

/** Subdomains that the platform makes are labels like any other, and are told from what a tenant may ask for by name. */

const keyed = 'k3v5abcd';

describe('a subdomain that the platform makes', () => {
  it.each([
    ['shop', /^shop-k3v5abcd[a-z2-7]{2}$/],
    ['a', /^a-k3v5abcd..$/],
    ['www', /^www-k3v5abcd..$/],
    ['x'.repeat(63), /^x{52}-k3v5abcd..$/],
    [`${'x'.repeat(51)}-${'y'.repeat(11)}`, /^x{51}-k3v5abcd..$/],
    ['abc--d', /^abc--d-k3v5abcd..$/],
    [madeSubdomain('shop', keyed), /^shop-k3v5abcd..-k3v5abcd..$/],
  ])('of %s is one label that begins with it', (name, form) => {
    const label = madeSubdomain(name, keyed);
    expect(label).toMatch(form);
    expect(subdomainObjection(label)).toBeNull();
    expect(isMadeSubdomain(label)).toBe(true);
  });

  it('is known by what it ends with: who changes any character has none', () => {
    const label = madeSubdomain('shop', keyed);
    const others = [...label].map(
      (_, at) => `${label.slice(0, at)}${label[at] === 'x' ? 'y' : 'x'}${label.slice(at + 1)}`,
    );
    const taken = others.filter(isMadeSubdomain);
    expect(others).toHaveLength(15);
    expect(taken).toEqual([]);
  });

  it.each(['shop', 'shop-production', 'shop-2026', 'my-shop-abcdefghij', 'abcdefghij', '-abcdefghij', ''])(
    'is none of those that people think of: %s',
    (label) => {
      expect(isMadeSubdomain(label)).toBe(false);
    },
  );

  it('is what one name of that form in a thousand happens to be, and no more', () => {
    const names = Array.from(
      { length: 4_096 },
      (_, index) => `shop-${index.toString(8).padStart(10, 'a').replaceAll(/[018]/g, 'z')}`,
    );
    expect(names.filter(isMadeSubdomain).length).toBeLessThan(20);
  });
});
