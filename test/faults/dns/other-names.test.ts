import { describe, expect, it } from '@jest/globals';
import { createDnsChecker } from '../../../src/dns/lookup/dns-checker.ts';
import { checkOf } from '../../../src/dns/verdict/desired-dns.ts';
import type { DesiredDns } from '../../../src/dns/verdict/dns-verdict.ts';
import { evaluateDns } from '../../../src/dns/verdict/evaluate-dns.ts';
import { delegate, scriptedWorld, together, zone } from '../../support/scripted-exchange.ts';

/**
 * Where a record is looked for that is not there, and what that costs: fails when a check asks all servers about what decides nothing, asks where nothing is
 * missing, or does not find what it could say.
 */

const hostname = 'shop.eu.example.com';
const target = 'p-k3v5wmz2h7q4tq6yd5n3xj2uab.cname.apps.example.net';
const ours = '8.9.9.9';
const challenge = `_projectdomain-challenge.${hostname}`;
const text = 'projectdomain-verify=b7k2m4n6p8q1r3s5t7u9v2w4';
const root = '8.0.0.1';
const addresses = Array.from({ length: 13 }, (_, index) => `8.8.1.${index + 1}`);

async function look(records: Readonly<Record<string, readonly string[]>>, changes: Partial<DesiredDns> = {}) {
  const names = addresses.map((address, index) => `ns${index}.dns.test=${address}`);
  const own = zone({
    'example.com SOA': ['ns0.dns.test'],
    'example.com NS': names.map((both) => both.split('=')[0] ?? ''),
    ...records,
  });
  const dnsServers = scriptedWorld({
    [root]: together(delegate('example.com', ...names), delegate('apps.example.net', 'ns.apps.test=8.0.0.9')),
    '8.0.0.9': zone({ [`${target} A`]: [ours] }),
    ...Object.fromEntries(addresses.map((address) => [address, own])),
  });
  const roots = [{ address: root, port: 53 }];
  const wanted: DesiredDns = {
    hostname,
    target,
    cnameDomain: 'cname.apps.example.net',
    platformDomains: ['apps.example.net'],
    platformAddresses: [ours],
    txt: { name: `_projectdomain-challenge.${changes.hostname ?? hostname}`, value: text },
    txtRequired: false,
    ca: null,
    ...changes,
  };
  const dns = createDnsChecker({ roots, resolvers: [], permitted: [] }, dnsServers.exchange);
  const facts = await dns.check(checkOf(wanted), new AbortController().signal);
  const { routing, ownership } = evaluateDns(facts, wanted);
  const asked = facts.asked.map(({ question }) => question);
  const countOf = (...questions: readonly string[]) => asked.filter((question) => questions.includes(question)).length;
  return { codes: [routing.code, ownership.code], countOf };
}

describe('the routing record', () => {
  const doubled = `${hostname}.example.com`;
  it.each<[string, Record<string, readonly string[]>, string]>([
    ['has the zone twice', { [`${doubled} CNAME`]: [target] }, 'DoubledZone'],
    ['is below the first label alone', { 'shop.example.com CNAME': [target] }, 'RecordAtOtherName'],
    ['is nowhere', {}, 'RecordMissing'],
  ])('%s: two servers are asked at each of two names', async (_, records, code) => {
    const { codes, countOf } = await look(records);
    expect(codes[0]).toBe(code);
    expect([countOf(`${doubled} A`), countOf('shop.example.com A')]).toEqual([2, 2]);
  });

  it('is looked for nowhere else where it is there', async () => {
    const { codes, countOf } = await look({ [`${hostname} CNAME`]: [target] });
    expect([codes[0], countOf(`${doubled} A`, 'shop.example.com A')]).toEqual(['Verified', 0]);
  });
});

describe('the ownership record', () => {
  const byAddress = { [`${hostname} A`]: [ours] };
  const others = [
    `${challenge}.example.com`,
    '_projectdomain-challenge.example.com',
    hostname,
    'example.com',
    challenge.slice(1),
  ];
  it.each<[string, string, string]>([
    ['has the zone twice', others[0] ?? '', 'DoubledZone'],
    ['is below the first label alone', others[1] ?? '', 'TxtAtOtherName'],
    ['is at the hostname', others[2] ?? '', 'TxtAtOtherName'],
    ['is at the domain itself', others[3] ?? '', 'TxtAtOtherName'],
    ['has no underscore', others[4] ?? '', 'TxtAtOtherName'],
    ['is nowhere', 'nobody.example.com', 'TxtMissing'],
  ])('%s: two servers are asked at each of five names', async (_, at, code) => {
    const { codes, countOf } = await look({ ...byAddress, [`${at} TXT`]: [text] });
    expect(codes).toEqual(['Verified', code]);
    expect(others.map((name) => countOf(`${name} TXT`))).toEqual([2, 2, 2, 2, 2]);
  });

  it.each<[string, Record<string, readonly string[]>, Partial<DesiredDns>]>([
    ['it is there', { ...byAddress, [`${challenge} TXT`]: [text] }, {}],
    ['the target is proof enough', { [`${hostname} CNAME`]: [target] }, {}],
    ['nothing leads here yet, and the target would be enough', {}, {}],
  ])('is looked for nowhere else where %s', async (_, records, changes) => {
    const { countOf } = await look(records, changes);
    expect(others.map((name) => countOf(`${name} TXT`))).toEqual([0, 0, 0, 0, 0]);
  });

  it('is looked for where another account has the name, though the target is there', async () => {
    const { codes } = await look(
      { [`${hostname} CNAME`]: [target], [`${others[0]} TXT`]: [text] },
      { txtRequired: true },
    );
    expect(codes).toEqual(['Verified', 'DoubledZone']);
  });
});
