import { describe, expect, it } from '@jest/globals';
import { desiredRecords, hidesDomain, needsTxt } from '../../../src/rules/desired-records.ts';

const [target, txt] = ['p-x.cname.apps.example.net', 'projectdomain-verify=x'];
const need = { required: false, contested: false, byShared: false };

/** Fails when a record is shown as another form has it than the one that its owner fills in, or a TXT record is asked for in vain. */
describe('the zone that the walk found', () => {
  it.each<[why: string, hostname: string, zone: string | null, shown: string]>([
    ['a subdomain', 'www.example.com', 'example.com', 'CNAME www'],
    ['the domain', 'example.com', 'example.com', 'ALIAS @ TXT'],
    ['a zone further down', 'shop.eu.example.com', 'eu.example.com', 'CNAME shop'],
    ['not known yet', 'www.example.com', null, 'CNAME www'],
    ['a registry’s, as the domain is not registered', 'www.example.co.uk', 'co.uk', 'CNAME www'],
    ['the root, as the top-level domain does not exist', 'www.example.com', '', 'CNAME www'],
    [
      'a public suffix of no registry, in which the name is a record (js.org#8847)',
      'demo.js.org',
      'js.org',
      'CNAME demo',
    ],
    ['the same, for a name below', 'www.demo.js.org', 'js.org', 'CNAME www.demo'],
    ['a name that such a suffix delegates', 'demo.js.org', 'demo.js.org', 'ALIAS @ TXT'],
    ['such a suffix before a walk', 'demo.js.org', null, 'ALIAS @ TXT'],
    ['that of an alias, which is not the name’s', 'www.example.com', 'example.net', 'CNAME www'],
  ])('%s: %s in %s is shown as %s', (_, hostname, zone, shown) => {
    const needed = needsTxt({ ...need, hostname, zone });
    const [routing] = desiredRecords({ hostname, zone, target, txt: needed ? txt : null });
    expect(`${routing?.type} ${routing?.name}${needed ? ' TXT' : ''}`).toBe(shown);
  });

  it.each<[string, string | null, boolean]>([
    ['example.com', 'example.com', true],
    ['demo.js.org', 'demo.js.org', true],
    ['demo.js.org', 'js.org', false],
    ['www.example.com', 'www.example.com', false],
    ['www.example.com', null, false],
  ])('an alias at %s in %s hides a domain: %s', (hostname, zone, hides) => {
    expect(hidesDomain(hostname, zone)).toBe(hides);
  });

  it('asks for no TXT record at a delegated name that leads here by the target', () => {
    const at = { ...need, hostname: 'www.example.com', zone: 'www.example.com' };
    expect([
      needsTxt(at),
      needsTxt({ ...at, byTarget: true }),
      needsTxt({ ...at, byTarget: true, contested: true }),
    ]).toEqual([true, false, true]);
  });
});
