import { describe, expect, it } from '@jest/globals';
import type { DnsFacts, NameFacts } from '../../../../src/dns/dns-facts.ts';
import type { DesiredDns } from '../../../../src/dns/verdict/dns-verdict.ts';
import { evaluateDns } from '../../../../src/dns/verdict/evaluate-dns.ts';
import { addresses, facts, name } from '../../../support/dns-facts.ts';

/** What is said of each desired record, of servers that do not answer, and of caches, beside the verdict. */

const hostname = 'www.example.com';
const target = 'p-mine.cname.apps.example.net';
const challenge = `_projectdomain-challenge.${hostname}`;
const wanted: DesiredDns = {
  hostname,
  target,
  cnameDomain: 'cname.apps.example.net',
  platformDomains: ['apps.example.net'],
  platformAddresses: ['203.0.113.10'],
  txt: { name: challenge, value: 'projectdomain-verify=right' },
  txtRequired: false,
  ca: null,
};
const evaluated = (names: readonly NameFacts[], changes: Partial<DesiredDns> = {}) =>
  evaluateDns(facts(hostname, names), { ...wanted, ...changes });

const right = addresses(`-> ${target}`);
const old = addresses(['198.51.100.7']);

describe('the record that leads here', () => {
  const statusOf = (names: readonly NameFacts[]) => evaluated(names).records[0];

  it.each<[string, NameFacts[], string, readonly string[]]>([
    ['is found', [name(hostname, [right, right])], 'Found', [`CNAME ${target}`]],
    ['is found in another way', [name(hostname, [addresses(['203.0.113.10'])])], 'Found', ['A 203.0.113.10']],
    ['is missing where there is nothing', [name(hostname, [addresses('NX')])], 'Missing', []],
    ['is wrong where there is another', [name(hostname, [old])], 'Wrong', ['A 198.51.100.7']],
    [
      'is stale where one server has another yet',
      [name(hostname, [right, old])],
      'Stale',
      [`CNAME ${target}`, 'A 198.51.100.7'],
    ],
    [
      'is in conflict with one beside it',
      [name(hostname, [{ A: ['203.0.113.10', '198.51.100.7'], AAAA: 'NODATA' }])],
      'Conflicting',
      ['A 203.0.113.10', 'A 198.51.100.7'],
    ],
    [
      'is in conflict with one of the other family',
      [name(hostname, [{ A: `-> ${target}`, AAAA: ['2001:db8::7'] }])],
      'Conflicting',
      [`CNAME ${target}`, 'AAAA 2001:db8::7'],
    ],
    ['is not known where nobody answers', [name(hostname, [addresses('timeout')])], 'Unknown', []],
  ])('%s', (_, names, status, found) => {
    expect(statusOf(names)).toEqual({ purpose: 'Routing', status, found });
  });

  it('is wrong where an address leads here, and only the record itself proves a hostname too long for TXT', () => {
    const long = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(40)}.example.com`;
    const seen = facts(long, [name(long, [addresses(['203.0.113.10'])])]);
    const { records, issues } = evaluateDns(seen, { ...wanted, hostname: long, txt: null });
    expect(issues.map(({ code }) => code)).toEqual(['HostnameTooLongForTxt']);
    expect(records[0]).toMatchObject({ status: 'Wrong', found: ['A 203.0.113.10'] });
  });

  it('is found beside no more than people read', () => {
    const many = Array.from({ length: 60 }, (_, index) => `198.51.100.${index}`);
    expect(statusOf([name(hostname, [addresses(many)])])?.found).toHaveLength(8);
  });
});

describe('the ownership record', () => {
  const statusOf = (...views: Parameters<typeof name>[1]) =>
    evaluated([name(hostname, [old, old]), name(challenge, views)]).records[1]?.status;

  it.each<[string, Parameters<typeof name>[1], string]>([
    ['is found', [{ TXT: ['projectdomain-verify=right'] }], 'Found'],
    ['is found beside other texts', [{ TXT: ['v=spf1', 'projectdomain-verify=right'] }], 'Found'],
    ['is missing', [{ TXT: 'NX' }], 'Missing'],
    ['is missing beside other texts, which are no conflict', [{ TXT: ['v=spf1'] }], 'Missing'],
    ['is wrong with an older value', [{ TXT: ['projectdomain-verify=old'] }], 'Wrong'],
    ['is not known where an alias leads to a name that nobody answered for', [{ TXT: '-> gone.test' }], 'Unknown'],
    ['is stale', [{ TXT: ['projectdomain-verify=right'] }, { TXT: 'NX' }], 'Stale'],
    ['is not known where nobody answers', [{ TXT: 'timeout' }], 'Unknown'],
  ])('%s', (_, views, status) => {
    expect(statusOf(...views)).toBe(status);
  });

  it('is not known where it was not looked for', () => {
    expect(evaluated([name(hostname, [right])]).records[1]).toEqual({
      purpose: 'Ownership',
      status: 'Unknown',
      found: [],
    });
  });
});

describe('a server that answers nothing', () => {
  const codes = (names: readonly NameFacts[]) =>
    evaluated(names).issues.map(({ code, severity, actor, servers }) => [
      code,
      severity,
      actor,
      servers.map(({ server }) => server),
    ]);
  const silent = addresses('timeout');

  it.each<[string, NameFacts[], readonly unknown[]]>([
    [
      'is warned about while another decides',
      [name(hostname, [right, silent])],
      [['SomeServersSilent', 'Warning', 'DnsHost', ['ns1']]],
    ],
    [
      'is the registrar’s where it does not serve the zone',
      [name(hostname, [right, addresses('refused')])],
      [['SomeServersSilent', 'Warning', 'Registrar', ['ns1']]],
    ],
    ['is not warned about beside one that answered', [name(hostname, [right, right])], []],
    [
      'is an error, and no warning, where there is no other',
      [name(hostname, [silent, silent])],
      [['NoUsableAnswer', 'Error', 'DnsHost', ['ns0', 'ns1']]],
    ],
    ['is not called silent for one packet', [name(hostname, [right, { A: 'timeout' }])], []],
    [
      'is not called silent if it answers other questions',
      [name(hostname, [right, silent]), name('example.com', [{ CAA: 'NODATA' }, { CAA: 'NODATA' }])],
      [],
    ],
  ])('%s', (_, names, expected) => {
    expect(codes(names)).toEqual(expected);
  });

  it('is warned about after what is wrong', () => {
    expect(codes([name(hostname, [old, silent])]).map(([code]) => code)).toEqual(['StrayAddress', 'SomeServersSilent']);
  });
});

describe('how long caches may keep what is wrong', () => {
  const withTtl = (given: DnsFacts, ttl: number): DnsFacts =>
    JSON.parse(JSON.stringify(given).replaceAll('"ttl":60', `"ttl":${ttl}`)) as DnsFacts;
  const absent = (ttl: number): NameFacts => {
    const outcomes = { A: { kind: 'nxdomain', ttl }, AAAA: { kind: 'nxdomain', ttl } } as const;
    return { ...name(hostname, []), authorities: [{ source: 'ns0', outcomes }] };
  };

  it.each<[string, DnsFacts, number | null]>([
    ['is the TTL of the wrong record', withTtl(facts(hostname, [name(hostname, [old])]), 7_200), 7_200],
    ['is that of the absence of any', facts(hostname, [absent(900)]), 900],
    ['is three hours at most for an absence', facts(hostname, [absent(86_400)]), 10_800],
    [
      'is no longer than common resolvers keep anything',
      withTtl(facts(hostname, [name(hostname, [old])]), 9_999_999),
      604_800,
    ],
    ['is not known where no TTL was seen', facts(hostname, [name(hostname, [addresses('NX')])]), null],
    ['counts what only one server still has', withTtl(facts(hostname, [name(hostname, [right, old])]), 300), 300],
  ])('%s', (_, given, seconds) => {
    expect(evaluateDns(given, wanted).chain[0]?.ttl ?? null).toBe(seconds);
  });
});
