import { describe, expect, it } from '@jest/globals';
import { labelObjection, parseHostname } from '../../../src/rules/hostname.ts';
import { subdomainObjection } from '../../../src/rules/subdomain.ts';

/** A subdomain is a label as customers' hostnames have them, and none that reads as another text than it is. */

describe('a subdomain', () => {
  it.each(['shop', 'a', '0', 'a-b', 'a--b', 'xn', 'xn-a', 'x'.repeat(63)])('may be %s', (text) => {
    expect(subdomainObjection(text)).toBeNull();
  });

  it.each([
    ['xn--pypal-4ve', 'it is shown as pаypal, with a Cyrillic а'],
    ['xn--bcher-kva', 'a sound A-label, which a domain of one’s own may have'],
    ['xn--a', 'an A-label that does not decode'],
    ['xn--', 'one of nothing'],
    ['ab--cd', 'hyphens where only A-labels have them'],
    ['wc--wildcard', 'the label of a wildcard’s claim'],
    ['-a', 'a hyphen at its beginning'],
    ['a-', 'a hyphen at its end'],
    ['Shop', 'a capital'],
    ['a.b', 'two labels'],
    ['', 'nothing'],
    ['x'.repeat(64), 'one character too many'],
    ['bücher', 'a letter that is not ASCII'],
  ])('may not be %s: %s', (text) => {
    expect(subdomainObjection(text)).not.toBeNull();
  });

  it.each(['xn--pypal-4ve', 'xn--a', 'ab--cd', 'shop', '-a', 'a--b'])(
    'is refused wherever a hostname with the label %s is',
    (text) => {
      const isRefused = !parseHostname(`${text}.example.com`).ok;
      expect(labelObjection(text) !== null).toBe(isRefused);
      if (isRefused) expect(subdomainObjection(text)).not.toBeNull();
    },
  );
});
