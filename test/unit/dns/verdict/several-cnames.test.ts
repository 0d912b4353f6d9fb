import { describe, expect, it } from '@jest/globals';
import type { NameFacts } from '../../../../src/dns/dns-facts.ts';
import type { DesiredDns } from '../../../../src/dns/verdict/dns-verdict.ts';
import { evaluateDns } from '../../../../src/dns/verdict/evaluate-dns.ts';
import { addresses, facts, name } from '../../../support/dns-facts.ts';

const hostname = 'www.example.com';
const target = 'p-mine.cname.apps.example.net';
const challenge = `_projectdomain-challenge.${hostname}`;
const wanted: DesiredDns = {
  hostname,
  target,
  cnameDomain: 'cname.apps.example.net',
  platformDomains: ['apps.example.net', 'cname.apps.example.net'],
  platformAddresses: ['203.0.113.10'],
  txt: { name: challenge, value: 'projectdomain-verify=right' },
  txtRequired: false,
  ca: { domains: ['ca.test'], accountUri: null, method: 'http-01', caaProfile: 'strict' },
};
const parents = ['example.com', 'com'].map((parent) => name(parent, [{ CAA: 'NODATA' }]));
const end = name(target, [{ ...addresses(['203.0.113.10']), CAA: 'NODATA' }], [], 'apps.example.net');
const old = name('old.example.org', [{ ...addresses(['203.0.113.10']), CAA: 'NODATA' }], [], 'example.org');
const look = (names: readonly NameFacts[], changes: Partial<DesiredDns> = {}) =>
  evaluateDns(facts(hostname, [...parents, end, old, ...names]), { ...wanted, ...changes });
const both = (said: string): NameFacts => name(hostname, [{ ...addresses(said), CAA: said }]);

/** Fails when the order of two records decides a verdict, or the advice deletes the right one. */
describe('two CNAME records at one name', () => {
  it.each([`-> ${target}, old.example.org`, `-> old.example.org, ${target}`])('%s is never a yes', (said) => {
    const { routing, ownership, caa, issues } = look([both(said)]);
    expect([routing.verdict, routing.code]).toEqual(['no', 'SeveralCnames']);
    expect([ownership.verdict, caa.verdict]).toEqual(['no', 'unknown']);
    expect(issues.map(({ code, fix }) => `${code}: ${fix}`)).toEqual([
      `SeveralCnames: delete ${hostname}. CNAME old.example.org.`,
    ]);
  });

  it('are deleted both where neither is right', () => {
    const [first] = look([both('-> old.example.org, p-other.cname.apps.example.net')]).issues;
    expect(first?.delete.map(({ value }) => value)).toEqual(['old.example.org', 'p-other.cname.apps.example.net']);
    expect(first?.create.map(({ value }) => value)).toEqual([target]);
  });

  it('are no ownership record either, at its name', () => {
    const { ownership } = look([
      name(hostname, [addresses(['203.0.113.10'])]),
      name(challenge, [{ TXT: '-> a.example.org, b.example.org' }]),
    ]);
    expect(ownership).toMatchObject({ verdict: 'no', code: 'SeveralCnames' });
  });
});

describe('the same mistake', () => {
  it('is told once, though addresses and CAA both run into it', () => {
    const loop = [
      name(hostname, [{ ...addresses('-> a.example.com'), CAA: '-> a.example.com' }]),
      name('a.example.com', [{ ...addresses(`-> ${hostname}`), CAA: `-> ${hostname}` }]),
    ];
    expect(look(loop).issues.map(({ code }) => code)).toEqual(['AliasLoop']);
  });
});
