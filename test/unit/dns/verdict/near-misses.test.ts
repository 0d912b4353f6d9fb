import { describe, expect, it } from '@jest/globals';
import type { NameFacts } from '../../../../src/dns/dns-facts.ts';
import type { DesiredDns } from '../../../../src/dns/verdict/dns-verdict.ts';
import { evaluateDns } from '../../../../src/dns/verdict/evaluate-dns.ts';
import { addresses, facts, name } from '../../../support/dns-facts.ts';

/** Fails when a mistake that people make with these records has a headline that is not about it, or advice that leads to the same mistake. */

const hostname = 'www.example.com';
const domain = 'cname.apps.example.net';
const label = 'p-k3v5wmz2h7q4tq6yd5n3xj2uab';
const target = `${label}.${domain}`;
const token = 'b7k2m4n6p8q1r3s5t7u9v2w4';
const text = `projectdomain-verify=${token}`;
const challenge = `_projectdomain-challenge.${hostname}`;
const wanted: DesiredDns = {
  hostname,
  target,
  cnameDomain: domain,
  platformDomains: ['apps.example.net', domain],
  platformAddresses: ['203.0.113.10'],
  txt: { name: challenge, value: text },
  txtRequired: false,
  ca: null,
};

const look = (names: readonly NameFacts[], changes: Partial<DesiredDns> = {}) =>
  evaluateDns(facts(changes.hostname ?? hostname, names), { ...wanted, ...changes });

/** Nothing is at the end of the alias, whose servers say so or nothing at all. */
const pointing = (value: string, end: 'NX' | 'timeout' = 'NX') =>
  look([name(hostname, [addresses(`-> ${value}`)]), name(value, [addresses(end)], [], null)]);

const without = (at: number): string => `${label.slice(0, at)}${label.slice(at + 1)}.${domain}`;

describe('the value of a CNAME', () => {
  it.each<[what: string, value: string, code: string]>([
    ['the zone appended', `${target}.example.com`, 'ZoneInValue'],
    ['the hostname appended', `${target}.www.example.com`, 'ZoneInValue'],
    ['the zone appended twice', `${target}.example.com.example.com`, 'ZoneInValue'],
    ['the zone appended to another project’s', `p-othersothersothersothers.${domain}.example.com`, 'ZoneInValue'],
    ['the zone appended to the CNAME domain', `${domain}.example.com`, 'ZoneInValue'],
    ['a letter missing', without(9), 'MistypedTarget'],
    ['a letter missing in the domain', target.replace('apps', 'aps'), 'MistypedTarget'],
    ['a letter doubled', target.replace('k3', 'kk3'), 'MistypedTarget'],
    ['two letters swapped', target.replace('k3v', '3kv'), 'MistypedTarget'],
    ['the first letters missing', target.slice(2), 'MistypedTarget'],
    ['the last label missing', target.slice(0, -4), 'MistypedTarget'],
    ['the first label alone, with the zone appended', `${label}.example.com`, 'ZoneInValue'],
    ['www. in front', `www.${target}`, 'MistypedTarget'],
    ['.com behind', `${target}.com`, 'MistypedTarget'],
    ['https:// in front', `https\\058\\047\\047${target}`, 'UrlInValue'],
    ['https:// in front and a slash behind', `https\\058\\047\\047${target}\\047`, 'UrlInValue'],
    ['the same with the zone appended', `https\\058\\047\\047${target}\\047.example.com`, 'UrlInValue'],
    ['a slash behind', `${target}\\047`, 'UrlInValue'],
    ['a port behind', `${target}\\058443`, 'UrlInValue'],
    ['// in front', `\\047\\047${target}`, 'UrlInValue'],
    ['quotation marks around', `\\034${target}\\034`, 'QuotedValue'],
    ['the same with the zone appended', `\\034${target}\\034.example.com`, 'QuotedValue'],
    ['typographic quotation marks around', `\\226\\128\\156${target}\\226\\128\\157`, 'QuotedValue'],
    ['a blank in front', `\\032${target}`, 'QuotedValue'],
    ['a blank behind', `${target}\\032`, 'QuotedValue'],
    ['a blank within', target.replace('.cname', '\\032.cname'), 'QuotedValue'],
    ['the type in front', `cname\\032${target}`, 'QuotedValue'],
    ['another project’s target', `p-othersothersothersothersot.${domain}`, 'OtherProjectTarget'],
    ['the bare CNAME domain', domain, 'BareCnameDomain'],
    ['another name', 'shop.example.org', 'WrongTarget'],
    ['another name of the customer’s', 'old.example.com', 'WrongTarget'],
    ['another URL', 'https\\058\\047\\047shop.example.org', 'WrongTarget'],
  ])('with %s (%s): %s', (_, value, code) => {
    const { routing, issues, records } = pointing(value);
    expect([routing.verdict, routing.code]).toEqual(['no', code]);
    expect(issues.map((one) => one.code)).toEqual([code]);
    expect(issues[0]?.create.map((one) => `${one.name} ${one.type} ${one.value}`)).toEqual([`www CNAME ${target}`]);
    expect(records[0]?.status).toBe('Wrong');
  });

  it('is told as it was typed', () => {
    const [issue] = pointing(`https\\058\\047\\047${target}\\047`).issues;
    expect(issue?.message).toBe(
      `the value of www.example.com is https://${target}/: the address of a page instead of a name`,
    );
  });

  it('to which the form appended the zone is entered with a dot at the end, or the next try ends alike', () => {
    const [issue] = pointing(`${target}.example.com`).issues;
    expect(issue?.fix).toBe(
      `delete www.example.com. CNAME ${target}.example.com. and create one with the name 'www' and the value ${target}. with the dot at the end, so that the form appends nothing`,
    );
  });

  it('is named though nobody can tell what is there: unknown, and about the record all the same', () => {
    const { routing, issues } = pointing(target.replace('example.net', 'exmaple.net'), 'timeout');
    expect([routing.verdict, routing.code]).toEqual(['unknown', 'MistypedTarget']);
    expect(issues.map(({ act }) => act)).toEqual(['ChangeRecords']);
  });

  it('that leads here is right, however it looks', () => {
    const value = `${target}.example.com`;
    const { routing } = look([name(hostname, [addresses(`-> ${value}`)]), name(value, [addresses(`-> ${target}`)])]);
    expect(routing).toMatchObject({ verdict: 'yes', by: 'target' });
  });
});

describe('the name of the routing record', () => {
  const deep = 'shop.eu.example.com';
  it.each<[what: string, hostname: string, at: string, said: string | string[], code: string]>([
    ['the zone twice', hostname, `${hostname}.example.com`, `-> ${target}`, 'DoubledZone'],
    [
      'the zone twice, in the value too',
      hostname,
      `${hostname}.example.com`,
      `-> ${target}.example.com`,
      'DoubledZone',
    ],
    ['the zone twice, of a domain itself', 'example.com', 'example.com.example.com', `-> ${target}`, 'DoubledZone'],
    ['the zone twice, of another address', hostname, `${hostname}.example.com`, ['198.51.100.7'], 'RecordMissing'],
    ['the first label alone', deep, 'shop.example.com', `-> ${target}`, 'RecordAtOtherName'],
    ['the zone itself', hostname, 'example.com', `-> ${target}`, 'RecordAtOtherName'],
    ['the name above', deep, 'eu.example.com', `-> ${target}`, 'RecordAtOtherName'],
    ['another record there', deep, 'shop.example.com', '-> other.example.org', 'RecordMissing'],
  ])('with %s: %s', (_, of, at, said, code) => {
    const { routing, ownership, issues } = look([name(of, [addresses('NX')]), name(at, [addresses(said)])], {
      hostname: of,
      txt: null,
    });
    expect([routing.verdict, routing.code, ownership.code]).toEqual([
      'no',
      code,
      of === 'example.com' ? ownership.code : code,
    ]);
    expect(issues[0]?.code).toBe(code);
    expect(issues[0]?.create.map(({ fqdn }) => fqdn)).toEqual([of]);
    expect(issues[0]?.delete.map(({ fqdn }) => fqdn)).toEqual(code === 'DoubledZone' ? [at] : []);
  });
});

describe('a wildcard of the customer’s own', () => {
  const nobody = '_projectdomain-nobody.example.com';
  it('is no routing record at another name', () => {
    const all = [`${hostname}.example.com`, `${nobody}.example.com`].map((at) => name(at, [addresses(`-> ${target}`)]));
    expect(look([name(hostname, [addresses('NX')]), ...all]).routing.code).toBe('RecordMissing');
  });

  it('is none at the first label alone', () => {
    const all = ['shop.example.com', nobody].map((at) => name(at, [addresses(`-> ${target}`)]));
    const deep = 'shop.eu.example.com';
    expect(look([name(deep, [addresses('NODATA')]), ...all], { hostname: deep, txt: null }).routing.code).toBe(
      'RecordMissing',
    );
  });

  it('is no ownership record at another name', () => {
    const all = [`${challenge}.example.com`, `${nobody}.example.com`].map((at) => name(at, [{ TXT: [text] }]));
    const { ownership } = look([
      name(hostname, [addresses(['203.0.113.10'])]),
      name(challenge, [{ TXT: 'NX' }]),
      ...all,
    ]);
    expect(ownership.code).toBe('TxtMissing');
  });
});

describe('a domain that nobody has registered', () => {
  const at = (said: string | string[], other: string | string[]) => [
    name('www.shop.example', [addresses(said)], [], 'example'),
    name('_projectdomain-nobody.www.shop.example', [{ A: other }], [], 'example'),
  ];
  const changes = { hostname: 'www.shop.example', txt: null };
  it.each<[what: string, names: NameFacts[], code: string]>([
    ['says so', at('NX', 'NX'), 'NotRegistered'],
    ['says so below a registry’s wildcard', at(['198.51.100.7'], ['198.51.100.7']), 'NotRegistered'],
    [
      'says so below one whose answers come in any order',
      at(['198.51.100.7', '198.51.100.8'], ['198.51.100.8', '198.51.100.7']),
      'NotRegistered',
    ],
    ['is another where a registry holds a record of its own', at(['198.51.100.7'], 'NX'), 'StrayAddress'],
  ])('%s', (_, names, code) => {
    const { routing, issues } = look(names, changes);
    expect([routing.verdict, routing.code]).toEqual(['no', code]);
    expect(issues[0]?.code).toBe(code);
    if (code === 'NotRegistered')
      expect([issues[0]?.act, issues[0]?.params.zone]).toEqual(['CheckRegistration', 'shop.example']);
  });
});

describe('the ownership record', () => {
  const byAddress = name(hostname, [addresses(['203.0.113.10'])]);
  const at = (where: string, ...values: string[]) => name(where, [{ TXT: values.length === 0 ? 'NX' : values }]);

  it.each<[what: string, values: string[], code: string]>([
    ['literal quotation marks', [`\\"${text}\\"`], 'TxtQuoted'],
    ['blanks within', [text.replace('=', ' = ')], 'TxtQuoted'],
    ['typographic quotation marks', [`\\226\\128\\156${text}\\226\\128\\157`], 'TxtQuoted'],
    ['the bare token', [token], 'TxtBareToken'],
    ['the bare token in quotation marks', [`\\"${token}\\"`], 'TxtBareToken'],
    ['a letter missing', [text.replace('k2', 'k')], 'TxtMistyped'],
    ['a letter doubled in the prefix', [text.replace('verify', 'verrify')], 'TxtMistyped'],
    ['the name in front', [`${challenge} TXT ${text}`], 'TxtMistyped'],
    ['another of ours', ['projectdomain-verify=zzzzzzzzzzzzzzzzzzzzzzzz'], 'TxtWrong'],
    ['another text beside a quoted one', ['v=spf1 -all', `\\"${text}\\"`], 'TxtQuoted'],
    ['another text', ['v=spf1 -all'], 'TxtMissing'],
  ])('with %s: %s', (_, values, code) => {
    const { ownership, issues, records } = look([byAddress, at(challenge, ...values)], { txtRequired: true });
    expect([ownership.verdict, ownership.code]).toEqual(['no', code]);
    expect(issues.map((one) => one.code)).toEqual([code]);
    const wrong = values.filter((value) => !value.startsWith('v=spf1'));
    expect(issues[0]?.delete.map(({ value }) => value)).toEqual(wrong);
    expect(records[1]?.status).toBe(code === 'TxtMissing' ? 'Missing' : 'Wrong');
  });

  it('with the right text beside a mistaken one is right', () => {
    expect(look([byAddress, at(challenge, token, text)]).ownership.verdict).toBe('yes');
  });

  it.each<[what: string, where: string, value: string, code: string, deleted: string[]]>([
    ['the zone twice', `${challenge}.example.com`, text, 'DoubledZone', [`${challenge}.example.com`]],
    [
      'the zone twice and quotation marks',
      `${challenge}.example.com`,
      `\\"${text}\\"`,
      'DoubledZone',
      [`${challenge}.example.com`],
    ],
    ['the domain itself', 'example.com', text, 'TxtAtOtherName', []],
    ['the hostname', hostname, text, 'TxtAtOtherName', []],
    ['the first label alone', '_projectdomain-challenge.example.com', text, 'TxtAtOtherName', []],
    ['no underscore', challenge.slice(1), text, 'TxtAtOtherName', []],
    ['nowhere', 'example.com', 'v=spf1 -all', 'TxtMissing', []],
  ])('at %s: %s is %s %s', (_, where, value, code, deleted) => {
    const there =
      where === hostname ? name(hostname, [{ ...addresses(['203.0.113.10']), TXT: [value] }]) : at(where, value);
    const { ownership, issues } = look(
      where === hostname ? [there, at(challenge)] : [byAddress, there, at(challenge)],
      { txtRequired: true },
    );
    expect([ownership.verdict, ownership.code]).toEqual(['no', code]);
    expect(issues.map((one) => one.code)).toEqual([code]);
    expect(issues[0]?.delete.map(({ fqdn }) => fqdn)).toEqual(deleted);
    expect(issues[0]?.create.map(({ name: as }) => as)).toEqual(['_projectdomain-challenge.www']);
    if (code === 'TxtAtOtherName') expect(issues[0]?.message).toContain(`is at ${where} instead`);
  });

  it('and the routing record, both doubled, are both told', () => {
    const names = [
      name(hostname, [addresses('NX')]),
      name(`${hostname}.example.com`, [addresses(`-> ${target}`)]),
      at(challenge),
      at(`${challenge}.example.com`, text),
    ];
    const { issues } = look(names, { txtRequired: true });
    expect(issues.map(({ code, params }) => `${code} ${params.name}`)).toEqual([
      `DoubledZone ${hostname}`,
      `DoubledZone ${challenge}`,
    ]);
  });

  it('is printed without quotation marks, which people copy', () => {
    const [issue] = look([byAddress, at(challenge)], { txtRequired: true }).issues;
    expect(issue?.fix).toBe(`create ${challenge}. TXT ${text}`);
  });
});
