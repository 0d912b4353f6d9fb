import { describe, expect, it } from '@jest/globals';
import { challengeName } from '../../../../src/rules/desired-records.ts';
import type { NameFacts } from '../../../../src/dns/dns-facts.ts';
import { evaluateDns } from '../../../../src/dns/verdict/evaluate-dns.ts';
import type { DesiredDns } from '../../../../src/dns/verdict/dns-verdict.ts';
import { addresses, facts, name } from '../../../support/dns-facts.ts';

const hostname = 'www.example.com';
const target = 'p-mine.cname.apps.example.net';
const wanted: DesiredDns = {
  hostname,
  target,
  cnameDomain: 'cname.apps.example.net',
  platformDomains: ['apps.example.net', 'cname.apps.example.net'],
  platformAddresses: ['203.0.113.10'],
  txt: { name: `_projectdomain-challenge.${hostname}`, value: 'projectdomain-verify=right' },
  txtRequired: false,
  ca: null,
};
const end = name(target, [addresses(['203.0.113.11'])]);
const txt = (...values: string[]) => name(`_projectdomain-challenge.${hostname}`, [{ TXT: values }]);
const noTxt = name(`_projectdomain-challenge.${hostname}`, [{ TXT: 'NX' }]);

const look = (names: readonly NameFacts[], changes: Partial<DesiredDns> = {}) =>
  evaluateDns(facts(hostname, [end, ...names]), { ...wanted, ...changes });

describe('routing (docs/concepts/dns-rules.md)', () => {
  it.each<[string, NameFacts[], string, string]>([
    ['the exact target', [name(hostname, [addresses(`-> ${target}`)])], 'yes', 'Verified'],
    [
      'the target further down the chain',
      [name(hostname, [addresses('-> a.cdn.test')]), name('a.cdn.test', [addresses(`-> ${target}`)])],
      'yes',
      'Verified',
    ],
    ['nothing at all', [name(hostname, [addresses('NX')])], 'no', 'RecordMissing'],
    ['the name without address records', [name(hostname, [addresses('NODATA')])], 'no', 'RecordMissing'],
    ['a stray address', [name(hostname, [addresses(['198.51.100.7'])])], 'no', 'StrayAddress'],
    [
      'a stray address beside one of ours',
      [name(hostname, [addresses(['203.0.113.10', '198.51.100.7'])])],
      'no',
      'StrayAddress',
    ],
    ['only our addresses', [name(hostname, [addresses(['203.0.113.10'])])], 'yes', 'Verified'],
    ['the addresses that the target has', [name(hostname, [addresses(['203.0.113.11'])])], 'yes', 'Verified'],
    [
      'our IPv4 with a stray IPv6',
      [name(hostname, [{ A: ['203.0.113.10'], AAAA: ['2001:db8::7'] }])],
      'no',
      'StrayAddress',
    ],
    [
      'our IPv4 while IPv6 cannot be told',
      [name(hostname, [{ A: ['203.0.113.10'], AAAA: 'servfail' }])],
      'unknown',
      'TypeUnanswered',
    ],
    [
      "another project's target",
      [name(hostname, [addresses('-> p-other.cname.apps.example.net')])],
      'no',
      'OtherProjectTarget',
    ],
    ['the bare CNAME domain', [name(hostname, [addresses('-> cname.apps.example.net')])], 'no', 'BareCnameDomain'],
    [
      'a platform hostname, though its addresses are ours',
      [name(hostname, [addresses('-> shop.apps.example.net')])],
      'no',
      'WrongTarget',
    ],
    [
      'a name that leads elsewhere',
      [name(hostname, [addresses('-> old.host.test')]), name('old.host.test', [addresses(['198.51.100.7'])])],
      'no',
      'WrongTarget',
    ],
    [
      'a name that is not there',
      [name(hostname, [addresses('-> gone.test')]), name('gone.test', [addresses('NX')])],
      'no',
      'WrongTarget',
    ],
    [
      'a name flattened onto our addresses',
      [name(hostname, [addresses('-> example.com')]), name('example.com', [addresses(['203.0.113.10'])])],
      'yes',
      'Verified',
    ],
    [
      'a name whose servers are silent',
      [name(hostname, [addresses('-> slow.test')]), name('slow.test', [addresses('timeout')])],
      'unknown',
      'NoUsableAnswer',
    ],
    [
      'a circle of aliases',
      [name(hostname, [addresses('-> a.test')]), name('a.test', [addresses(`-> ${hostname}`)])],
      'no',
      'AliasLoop',
    ],
    [
      'the exact target at a name that is delegated to a load balancer, which answers nothing else (boulder#2338)',
      [name(hostname, [addresses(`-> ${target}`)], [], hostname)],
      'yes',
      'Verified',
    ],
    ['an alias to itself', [name(hostname, [addresses(`-> ${hostname}`)])], 'no', 'AliasLoop'],
  ])('%s', (_, names, verdict, code) => {
    expect(look(names).routing).toMatchObject({ verdict, code });
  });
});

describe('who decides (docs/concepts/dns-rules.md)', () => {
  const right = addresses(`-> ${target}`);
  it.each<[string, NameFacts, string, string]>([
    ['servers that agree', name(hostname, [right, right]), 'yes', 'Verified'],
    [
      'servers whose data differ but whose verdicts do not',
      name(hostname, [addresses(['203.0.113.10']), addresses(['203.0.113.11'])]),
      'yes',
      'Verified',
    ],
    ['servers whose verdicts differ', name(hostname, [right, addresses('NX')]), 'unknown', 'ServersDisagree'],
    ['one server dead, the other right', name(hostname, [addresses('timeout'), right]), 'yes', 'Verified'],
    [
      'one server lame, the other says no',
      name(hostname, [addresses('not-authoritative'), addresses('NX')]),
      'no',
      'RecordMissing',
    ],
    ['SERVFAIL everywhere', name(hostname, [addresses('servfail'), addresses('refused')]), 'unknown', 'NoUsableAnswer'],
    ['bounds exceeded', name(hostname, [addresses('bounds-exceeded')]), 'unknown', 'NoUsableAnswer'],
    [
      'a stale resolver never vetoes the authority',
      name(hostname, [right], [addresses('NX'), addresses('NX'), addresses('NX')]),
      'yes',
      'Verified',
    ],
    [
      'a fresh-looking resolver never overrules a no',
      name(hostname, [addresses('NX')], [right, right, right]),
      'no',
      'RecordMissing',
    ],
    [
      'two of three resolvers without the authority',
      name(hostname, [addresses('timeout')], [right, right, addresses('NX')]),
      'yes',
      'Verified',
    ],
    [
      'one of three is no majority',
      name(hostname, [addresses('timeout')], [right, addresses('servfail'), addresses('NX')]),
      'unknown',
      'NoUsableAnswer',
    ],
    [
      'one of two is not enough',
      name(hostname, [addresses('timeout')], [right, addresses('servfail')]),
      'unknown',
      'NoUsableAnswer',
    ],
    ['the only resolver decides alone', name(hostname, [], [right]), 'yes', 'Verified'],
    ['nobody was asked', name(hostname, [], []), 'unknown', 'NoUsableAnswer'],
  ])('%s', (_, at, verdict, code) => {
    expect(look([at]).routing).toMatchObject({ verdict, code });
  });

  it('a hostname nothing is known of is unknown, not no', () => {
    expect(look([]).routing.verdict).toBe('unknown');
  });
});

describe('ownership (docs/concepts/dns-rules.md)', () => {
  const byTarget = name(hostname, [addresses(`-> ${target}`)]);
  const byAddress = name(hostname, [addresses(['203.0.113.10'])]);
  it.each<[string, NameFacts[], Partial<DesiredDns>, string, string]>([
    ['the exact target proves it', [byTarget, noTxt], {}, 'yes', 'Verified'],
    ['addresses alone do not', [byAddress, noTxt], {}, 'no', 'TxtMissing'],
    ['addresses with the TXT do', [byAddress, txt('projectdomain-verify=right')], {}, 'yes', 'Verified'],
    ['the TXT among others does', [byAddress, txt('v=spf1 -all', 'projectdomain-verify=right')], {}, 'yes', 'Verified'],
    ['a TXT of an earlier epoch does not', [byAddress, txt('projectdomain-verify=old')], {}, 'no', 'TxtWrong'],
    ['a foreign TXT does not', [byAddress, txt('v=spf1 -all')], {}, 'no', 'TxtMissing'],
    ['where TXT is required the target is not enough', [byTarget, noTxt], { txtRequired: true }, 'no', 'TxtMissing'],
    [
      'where TXT is required and there, it is',
      [byTarget, txt('projectdomain-verify=right')],
      { txtRequired: true },
      'yes',
      'Verified',
    ],
    [
      'a challenge name that cannot be read is unknown',
      [byAddress, name(`_projectdomain-challenge.${hostname}`, [{ TXT: 'servfail' }])],
      {},
      'unknown',
      'TypeUnanswered',
    ],
  ])('%s', (_, names, changes, verdict, code) => {
    expect(look(names, changes).ownership).toMatchObject({ verdict, code });
  });

  it('addresses give way to the CNAME, which needs no TXT record; where that is required, or begun, it is asked for', () => {
    const { issues, records } = look([byAddress, noTxt]);
    expect(issues).toMatchObject([
      {
        code: 'NotByCname',
        delete: [{ type: 'A', fqdn: hostname, value: '203.0.113.10' }],
        create: [{ type: 'CNAME', fqdn: hostname, value: target }],
      },
    ]);
    expect(records[0]).toMatchObject({ status: 'Wrong', found: ['A 203.0.113.10'] });
    expect(look([byAddress, noTxt], { txtRequired: true }).issues).toMatchObject([{ code: 'TxtMissing' }]);
    expect(look([byAddress, txt('projectdomain-verify=old')]).issues).toMatchObject([{ code: 'TxtWrong' }]);
    expect(look([byAddress, txt('projectdomain-verify=right')]).records[0]).toMatchObject({
      status: 'Found',
      found: ['A 203.0.113.10'],
    });
  });

  it.each<[string, NameFacts[], Partial<DesiredDns>, string]>([
    ['by its target, as any other', [byTarget], {}, 'yes'],
    ['not by addresses, as no TXT can stand below it', [byAddress], {}, 'no'],
    ['not against another account, whatever its target says', [byTarget], { txtRequired: true }, 'no'],
  ])('a hostname too long for a challenge name is proven %s', (_, [at], changes, verdict) => {
    const long = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(40)}.example.com`;
    expect(challengeName(long)).toBeNull();
    const there = { ...wanted, hostname: long, txt: null, ...changes };
    const { ownership, issues } = evaluateDns(facts(long, [end, { ...(at ?? byTarget), name: long }]), there);
    expect(ownership.verdict).toBe(verdict);
    expect(issues.map(({ code }) => code)).toEqual(verdict === 'yes' ? [] : ['HostnameTooLongForTxt']);
  });

  it('a challenge name may be an alias to where the TXT stands', () => {
    const alias = name(`_projectdomain-challenge.${hostname}`, [{ TXT: '-> verify.elsewhere.test' }]);
    const there = name('verify.elsewhere.test', [{ TXT: ['projectdomain-verify=right'] }]);
    expect(look([byAddress, alias, there]).ownership.verdict).toBe('yes');
  });
});

describe('named mistakes say what to delete and what to create', () => {
  it('a stray address', () => {
    const { issues } = look([name(hostname, [addresses(['198.51.100.7'])]), noTxt]);
    expect(issues[0]).toMatchObject({ code: 'StrayAddress', record: 'www.example.com. A 198.51.100.7' });
    expect(issues[0]?.fix).toBe(`delete www.example.com. A 198.51.100.7 and create www.example.com. CNAME ${target}.`);
  });

  it('only the stray one of several addresses is to be deleted', () => {
    const { issues } = look([
      name(hostname, [addresses(['203.0.113.10', '198.51.100.7'])]),
      txt('projectdomain-verify=right'),
    ]);
    expect(issues.map(({ record }) => record)).toEqual(['www.example.com. A 198.51.100.7']);
  });

  it('the zone appended twice', () => {
    const doubled = name(`${hostname}.example.com`, [{ A: `-> ${target}` }]);
    const { issues, routing } = look([name(hostname, [addresses('NX')]), doubled, noTxt]);
    expect(routing.verdict).toBe('no');
    expect(issues[0]).toMatchObject({ code: 'DoubledZone' });
    expect(issues[0]?.fix).toContain("the name 'www'");
  });

  it('no issues where everything is right', () => {
    expect(look([name(hostname, [addresses(`-> ${target}`)]), noTxt]).issues).toEqual([]);
  });

  it('an apex is told to use ALIAS or the addresses', () => {
    const apex = { hostname: 'example.com', txt: null };
    const { issues } = evaluateDns(facts('example.com', [end, name('example.com', [addresses('NODATA')])]), {
      ...wanted,
      ...apex,
    });
    expect(issues[0]?.fix).toContain('ALIAS or ANAME');
    expect(issues[0]?.fix).toContain('203.0.113.10');
  });
});

describe('what two servers said may begin something; what one of several said only keeps it', () => {
  const right = addresses(`-> ${target}`);
  it.each<[string, NameFacts, boolean]>([
    ['two servers that agree', name(hostname, [right, right]), true],
    ['the only server that the zone has', name(hostname, [right]), true],
    ['one of two', name(hostname, [right, addresses('timeout')]), false],
    ['servers that say no', name(hostname, [addresses('NX'), addresses('NX')]), false],
    ['resolvers alone', name(hostname, [addresses('timeout')], [right, right, right]), false],
  ])('%s', (_, at, corroborated) => {
    expect(look([at]).corroborated).toBe(corroborated);
  });
});
