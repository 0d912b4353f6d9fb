import { describe, expect, it } from '@jest/globals';
import { hostnameFinding } from '../../../src/rules/acceptance.ts';
import { claimName, claimedHostname } from '../../../src/rules/claim-name.ts';
import { challengeName, needsTxt } from '../../../src/rules/desired-records.ts';
import { dnsChallengeName } from '../../../src/rules/challenge-delegation.ts';
import { parseHostname } from '../../../src/rules/hostname.ts';
import { isReservedSubdomain } from '../../../src/rules/subdomain.ts';
import { visitedHostname } from '../../../src/rules/dns-target.ts';
import { wildcardAbove } from '../../../src/rules/wildcard.ts';

/** What a wildcard is, who may have one, and how it is named where an asterisk cannot stand. */

const platformDomains = ['apps.example.net', 'cname.apps.example.net'];
const codeOf = (hostname: string, canWildcard = true) =>
  hostnameFinding(hostname, platformDomains, { canWildcard })?.reason ?? 'usable';

describe('a wildcard', () => {
  it.each<[string, string, string]>([
    ['one label below a registered domain is usable', '*.example.com', 'usable'],
    ['one label below a subdomain is usable', '*.shop.example.com', 'usable'],
    ['two labels are none', '*.*.example.com', 'WildcardHostname'],
    ['a part of a label is none', 'a*.example.com', 'InvalidHostname'],
    ['a label in the middle is none', 'www.*.example.com', 'InvalidHostname'],
    ['no dot is none', '*example.com', 'InvalidHostname'],
    ['a top-level domain is not its base', '*.com', 'InvalidHostname'],
    ['the suffix of a registry is not its base', '*.co.uk', 'PublicSuffix'],
    ['the suffix of a hosting platform is not its base', '*.github.io', 'PublicSuffix'],
    ['what is below a base of suffixes belongs to many', '*.kawasaki.jp', 'PublicSuffix'],
    ['the platform domain is not its base', '*.apps.example.net', 'PlatformHostname'],
    ['what is below the platform domain is not its base', '*.shop.apps.example.net', 'PlatformHostname'],
    ['it is not above the platform domain', '*.example.net', 'PlatformHostname'],
    ['an address is not its base', '*.192.0.2.1', 'IPLiteral'],
    ['a base with no room for its challenge name is none', `*.${'a.'.repeat(118)}com`, 'InvalidHostname'],
  ])('%s', (_title, hostname, code) => {
    expect(codeOf(hostname)).toBe(code);
  });

  it('is refused as before where none is served', () => {
    expect(codeOf('*.example.com', false)).toBe('WildcardHostname');
  });

  it('shares its challenge names with its base, which no other wildcard and no other base does', () => {
    expect(dnsChallengeName('*.example.com')).toBe('_acme-challenge.example.com');
    expect(challengeName('*.example.com')).toBe('_projectdomain-challenge.example.com');
  });

  it('needs a TXT record only where another account has it or an administrator requires it', () => {
    const asked = { hostname: '*.example.com', zone: 'example.com', required: false, contested: false, byShared: true };
    expect(needsTxt(asked)).toBe(false);
    expect(needsTxt({ ...asked, contested: true })).toBe(true);
    expect(needsTxt({ ...asked, required: true })).toBe(true);
  });

  it('is looked at by a hostname that it includes', () => {
    expect(wildcardAbove(visitedHostname('*.example.com'))).toBe('*.example.com');
    expect(parseHostname(visitedHostname('*.example.com')).ok).toBe(true);
    expect(visitedHostname('www.example.com')).toBe('www.example.com');
  });
});

describe('the wildcard above', () => {
  it.each<[string, string | null]>([
    ['www.example.com', '*.example.com'],
    ['a.b.example.com', '*.b.example.com'],
    ['example.com', null],
    ['*.example.com', null],
    ['*.b.example.com', null],
  ])('of %s is %s', (hostname, above) => {
    expect(wildcardAbove(hostname)).toBe(above);
  });
});

describe('the name of a claim', () => {
  const hostnames = ['www.example.com', 'wildcard.example.com', '*.example.com', '*.wildcard.example.com'];

  it('stands for one hostname and no other', () => {
    expect(new Set(hostnames.map(claimName)).size).toBe(hostnames.length);
    expect(hostnames.map((hostname) => claimedHostname(claimName(hostname)))).toEqual(hostnames);
  });

  it('of a wildcard is no hostname that a customer or a project can have', () => {
    const name = claimName('*.example.com');
    expect(name).toMatch(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/);
    expect(parseHostname(name).ok).toBe(false);
    expect(isReservedSubdomain(name.split('.')[0] ?? '')).toBe(true);
  });
});
