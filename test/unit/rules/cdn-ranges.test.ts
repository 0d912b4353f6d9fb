import { describe, expect, it } from '@jest/globals';
import { cdnOf, knownCdns } from '../../../src/rules/cdn-ranges.ts';
import { isInRanges, parseIpRange } from '../../../src/rules/ip-range.ts';

describe('a range', () => {
  it.each<[string, string, boolean]>([
    ['104.16.0.0/13', '104.23.255.255', true],
    ['104.16.0.0/13', '104.24.0.0', false],
    ['104.16.0.0/13', '104.15.255.255', false],
    ['192.0.2.7', '192.0.2.7', true],
    ['192.0.2.7', '192.0.2.8', false],
    ['2a06:98c0::/29', '2a06:98c7:ffff::1', true],
    ['2a06:98c0::/29', '2a06:98c8::1', false],
    ['2001:db8::/32', '2001:db8:0:0:0:0:0:1', true],
    ['2001:db8::1', '2001:0DB8::1', true],
    ['0.0.0.0/1', '::1', false],
    ['::/1', '10.0.0.1', false],
    ['104.16.0.0/13', '104.16.0.256', false],
    ['104.16.0.0/13', 'www.example.com', false],
    ['2001:db8::/32', '2001:db8::1::2', false],
    ['2001:db8::/32', '2001:db8:1:2:3:4:5:6:7', false],
  ])('%s with %s: %s', (range, address, expected) => {
    expect(isInRanges(address, [parseIpRange(range)])).toBe(expected);
  });

  it.each(['', '10.0.0.0/33', '10.0.0/8', '2001:db8::/129', 'example.com', '10.0.0.0/x'])(
    'is not read from “%s”',
    (text) => expect(() => parseIpRange(text)).toThrow('neither an address nor a CIDR range'),
  );
});

describe('known CDNs', () => {
  it.each([
    ['104.16.132.229', 'Cloudflare'],
    ['2606:4700::6810:84e5', 'Cloudflare'],
    ['151.101.1.195', 'Fastly'],
    ['2a04:4e42::195', 'Fastly'],
    ['192.0.2.1', null],
    ['8.8.8.8', null],
  ])('%s is of %s', (address, expected) => expect(cdnOf(address)).toBe(expected));

  it('are joined by what the installation names', () => {
    expect(cdnOf('198.51.100.1', [parseIpRange('198.51.100.0/24')])).toBe('the CDN');
  });

  it('say where their lists come from and as of when', () => {
    for (const { name, source, asOf, ranges } of knownCdns) {
      expect({ name, isUrl: URL.canParse(source), isDay: /^\d{4}-\d\d-\d\d$/.test(asOf) }).toEqual({
        name,
        isUrl: true,
        isDay: true,
      });
      expect(ranges.length).toBeGreaterThan(0);
    }
  });
});
