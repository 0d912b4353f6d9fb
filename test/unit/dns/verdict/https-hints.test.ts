import { describe, expect, it } from '@jest/globals';
import { decodeResponse } from '../../../../src/dns/wire/dns-message.ts';
import type { DesiredDns } from '../../../../src/dns/verdict/dns-verdict.ts';
import { evaluateDns } from '../../../../src/dns/verdict/evaluate-dns.ts';
import { addresses, facts, name } from '../../../support/dns-facts.ts';

const hostname = 'www.example.com';
const wanted: DesiredDns = {
  hostname,
  target: 'p-mine.cname.apps.example.net',
  cnameDomain: 'cname.apps.example.net',
  platformDomains: ['apps.example.net', 'cname.apps.example.net'],
  platformAddresses: ['203.0.113.10', '2001:db8::10'],
  txt: { name: `_projectdomain-challenge.${hostname}`, value: 'projectdomain-verify=right' },
  txtRequired: false,
  ca: null,
};
const proof = name(`_projectdomain-challenge.${hostname}`, [{ TXT: ['projectdomain-verify=right'] }]);
const look = (https: string[], ours = ['203.0.113.10'], changes: Partial<DesiredDns> = {}) =>
  evaluateDns(facts(hostname, [proof, name(hostname, [{ ...addresses(ours), HTTPS: https }])]), {
    ...wanted,
    ...changes,
  });

/** Fails when a record that browsers follow first leads them elsewhere without a word, or when one that is right is called stale. */
describe('an HTTPS record beside addresses that lead here', () => {
  it.each<[what: string, values: string[], isStale: boolean]>([
    ['without hints is right', ['1 .'], false],
    ['with our addresses is right', ['1 . ipv4hint=203.0.113.10 ipv6hint=2001:db8::10'], false],
    ['with the hostname as its name is right', [`1 ${hostname}.`], false],
    ['with the target as its name is right', [`0 ${wanted.target}.`], false],
    ['with the former server’s address is stale', ['1 . ipv4hint=198.51.100.7'], true],
    ['with it beside ours is stale', ['1 . ipv4hint=203.0.113.10,198.51.100.7'], true],
    ['with the former server’s IPv6 address is stale', ['1 . ipv6hint=2001:db8:bad::7'], true],
    ['as an alias of another name is stale', ['0 old.example.org.'], true],
    ['of another service beside ours is stale', ['1 .', '2 old.example.org.'], true],
  ])('%s', (_, values, isStale) => {
    const { routing, issues } = look(values);
    expect(routing.verdict).toBe('yes');
    const told = issues.map(({ code, severity, act, record }) => [code, severity, act, record]);
    const stale = values.filter((value) => value !== '1 .').map((value) => `${hostname}. HTTPS ${value}`);
    expect(told).toEqual(isStale ? [['StaleHttpsHints', 'Warning', 'RemoveHttpsHints', stale.join('; ')]] : []);
  });

  it('that repeats the addresses of a proxy in front is right', () => {
    const token = { answers: { '198.51.100.7': 'token' }, routedBy: 'token' } as const;
    expect(look(['1 . ipv4hint=198.51.100.7'], ['198.51.100.7'], { token }).issues).toEqual([]);
  });

  it('is told after what is wrong, and not before that is mended', () => {
    expect(look(['1 . ipv4hint=198.51.100.7'], ['198.51.100.9']).issues.map(({ code }) => code)).toEqual([
      'StrayAddress',
    ]);
  });
});

describe('the bytes of an HTTPS record', () => {
  const qname = Buffer.from('\x03www\x07example\x03com\0', 'latin1');
  const words = (...numbers: number[]) => Buffer.concat(numbers.map((one) => Buffer.from([one >> 8, one & 255])));
  const read = (...rdata: readonly Buffer[]) => {
    const data = Buffer.concat(rdata);
    const record = Buffer.concat([words(0xc00c, 65, 1, 0, 60, data.length), data]);
    const message = Buffer.concat([words(7, 0x8400, 1, 1, 0, 0), qname, words(65, 1), record]);
    return decodeResponse(message, 7, { name: hostname, type: 'HTTPS', recursive: false });
  };
  const parameter = (key: number, value: Buffer) => Buffer.concat([words(key, value.length), value]);
  const root = Buffer.from([0]);

  it.each<[what: string, rdata: Buffer[], value: string]>([
    ['no parameters', [words(1), root], '1 .'],
    ['an alias', [words(0), Buffer.from('\x03old\x07example\x03org\0', 'latin1')], '0 old.example.org.'],
    [
      'hints',
      [words(1), root, parameter(4, Buffer.from([192, 0, 2, 1, 192, 0, 2, 2]))],
      '1 . ipv4hint=192.0.2.1,192.0.2.2',
    ],
    ['a parameter that leads nowhere', [words(1), root, parameter(1, Buffer.from('\x02h2'))], '1 .'],
    [
      'more hints than are looked at',
      [words(1), root, parameter(4, Buffer.alloc(400))],
      `1 . ipv4hint=${Array(16).fill('0.0.0.0').join(',')}`,
    ],
  ])('with %s', (_, rdata, value) => {
    expect(read(...rdata)).toMatchObject({ answers: [{ name: hostname, type: 'HTTPS', value }] });
  });

  it.each<[string, Buffer[]]>([
    ['no priority', []],
    ['no name', [words(1)]],
    ['hints that are cut off', [words(1), root, parameter(4, Buffer.alloc(5))]],
    ['hints without an address', [words(1), root, parameter(6, Buffer.alloc(0))]],
    ['a parameter that reaches past its end', [words(1), root, words(4, 8), Buffer.alloc(4)]],
    ['half a parameter', [words(1), root, Buffer.from([0, 4, 0])]],
  ])('with %s cannot be read', (_, rdata) => {
    expect(read(...rdata)).toBe('malformed');
  });
});
