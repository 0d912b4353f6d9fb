import type { CorpusName } from '../corpus-name.ts';
import { no, unproven, yes } from './expected.ts';

type Row = readonly [name: string, why: string, records: readonly string[], isOurs: boolean];

const foreign = (count: number): readonly string[] => Array.from({ length: count }, (_, n) => `A 198.51.100.${n + 1}`);

const rows: readonly Row[] = [
  ['both families', 'all of them are the platform’s', ['A {ours}', 'AAAA {ours6}'], true],
  ['IPv6 only', 'an apex may have one family', ['AAAA {ours6}'], true],
  ['IPv6 written out in capital letters', 'one address has many texts', ['AAAA 2001:0DB8:CAFE:0:0:0:0:0010'], true],
  ['one that only the target shows', 'the platform has moved or grown', ['A {ours2}'], true],
  ['the configured one and the target’s', 'both are the platform’s', ['A {ours}', 'A {ours2}', 'AAAA {ours6}'], true],
  ['the same record twice', 'a set has each record once', ['A {ours}', 'A {ours}'], true],
  ['the next address', 'one digit wrong', ['A 203.0.113.12'], false],
  ['the platform’s and the next', 'one digit wrong in one of two', ['A {ours}', 'A 203.0.113.12'], false],
  ['ten foreign ones', 'a CDN', foreign(10), false],
  ['the platform’s among ten', 'one in ten visitors', [...foreign(9), 'A {ours}'], false],
  ['sixty foreign ones', 'too large for a datagram', [...foreign(60)], false],
  ['a private one', 'a name for the office', ['A 192.168.1.10'], false],
  ['the platform’s and a private one', 'a name for the office too', ['A {ours}', 'A 10.0.0.5'], false],
  ['loopback', 'a domain that is switched off', ['A 127.0.0.1'], false],
  ['zero', 'a domain that is switched off', ['A 0.0.0.0'], false],
  ['broadcast', 'typed by mistake', ['A 255.255.255.255'], false],
  ['the IPv4 address in IPv6', 'mapped addresses are not on the wire', ['AAAA ::ffff:203.0.113.10'], false],
  [
    'the IPv4 address beside its form in IPv6',
    'mapped addresses are not on the wire',
    ['A {ours}', 'AAAA ::ffff:203.0.113.10'],
    false,
  ],
  ['the IPv4 address behind NAT64', 'another network’s translator', ['A {ours}', 'AAAA 64:ff9b::203.0.113.10'], false],
  ['another interface of the platform’s network', 'the last group differs', ['AAAA 2001:db8:cafe::11'], false],
  ['a link-local one', 'it means nothing elsewhere', ['A {ours}', 'AAAA fe80::1'], false],
  [
    'the platform’s IPv6 and a foreign IPv4',
    'most visitors would go elsewhere',
    ['AAAA {ours6}', 'A 198.51.100.7'],
    false,
  ],
];

const proven = '_projectdomain-challenge TXT {right}';

const atApex: readonly CorpusName[] = rows.flatMap(([name, why, records, isOurs]): readonly CorpusName[] => {
  const verdicts = isOurs ? yes : ({ routing: 'no StrayAddress', ownership: 'yes', caa: 'yes' } as const);
  const zone = records.map((record) => `@ ${record}`);
  return [{ name: `addresses at the apex: ${name}`, why, host: '@', zone: [...zone, proven], ...verdicts }];
});

const ourRows = rows.filter(([, , , isOurs]) => isOurs).slice(1, 4);

const elsewhere: readonly CorpusName[] = [
  ...ourRows.map(([name, why, records]): CorpusName => ({
    name: `addresses without ownership record: ${name}`,
    why,
    host: 'www',
    zone: records.map((record) => `www ${record}`),
    ...unproven('TxtMissing'),
  })),
  {
    name: 'addresses behind an alias: all of the platform’s',
    why: 'www to an apex that is flattened',
    host: 'www',
    zone: [
      'www CNAME web',
      'web A {ours}',
      'web A {ours2}',
      'web AAAA {ours6}',
      '_projectdomain-challenge.www TXT {right}',
    ],
    ...yes,
  },
  {
    name: 'addresses behind an alias: one of them foreign',
    why: 'half of the visitors would go elsewhere',
    host: 'www',
    zone: ['www CNAME web', 'web A {ours}', 'web AAAA 2001:db8::7'],
    ...no('WrongTarget'),
  },
  {
    name: 'addresses at a wildcard',
    why: 'it covers the hostname, and not the ownership record below it',
    host: 'www',
    zone: ['* A {ours}', '* AAAA {ours6}'],
    ...unproven('TxtMissing'),
  },
  {
    name: 'addresses at a wildcard with the ownership record',
    why: 'RFC 4592: the record below the name makes the name exist',
    host: 'www',
    zone: ['* A {ours}', '_projectdomain-challenge.www TXT {right}'],
    routing: 'no RecordMissing',
    ownership: 'yes',
    caa: 'yes',
  },
  {
    name: 'addresses at a server that drops AAAA',
    why: 'a foreign IPv6 address might be there: nobody can tell',
    host: '@',
    zone: ['@ A {ours}', proven],
    servers: [{ program: 'knot', faults: { types: { AAAA: 'silence' } } }],
    routing: 'unknown TypeUnanswered',
    ownership: 'yes',
    caa: 'yes',
  },
  {
    name: 'a foreign address at a server that drops AAAA',
    why: 'one foreign address is enough',
    host: '@',
    zone: ['@ A 198.51.100.7'],
    servers: [{ program: 'knot', faults: { types: { AAAA: 'silence' } } }],
    ...no('StrayAddress'),
  },
  {
    name: 'the hostname is a service with SRV and HTTPS records',
    why: 'only addresses and aliases lead anywhere',
    host: 'www',
    zone: ['www CNAME {target}', '_https._tcp.www SRV 1 1 443 old.{apex}', 'mail MX 10 old.{apex}'],
    ...yes,
  },
  {
    name: 'addresses of a CDN that publishes its ranges',
    why: 'requests through it may well lead here, which DNS does not show',
    host: 'www',
    zone: ['www A 104.16.132.229', 'www AAAA 2606:4700::6810:84e5', '_projectdomain-challenge.www TXT {right}'],
    routing: 'unknown BehindCdn',
    ownership: 'yes',
    caa: 'yes',
  },
  {
    name: 'an alias to a CDN, without ownership record',
    why: 'the record is needed, as a token proves routing alone',
    host: 'www',
    zone: ['www CNAME edge', 'edge A 151.101.1.195'],
    routing: 'unknown BehindCdn',
    ownership: 'no TxtMissing',
    caa: 'yes',
  },
  {
    name: 'an address of a CDN beside one of nobody’s',
    why: 'some visitors go to another server, whatever the CDN does',
    host: 'www',
    zone: ['www A 104.16.132.229', 'www A 198.51.100.7'],
    ...no('StrayAddress'),
  },
  {
    name: 'the hostname has an HTTPS record and nothing else',
    why: 'RFC 9460: an alias of its own type, which the platform does not take',
    host: '@',
    zone: ['@ TYPE65 \\# 3 000000'],
    ...no('RecordMissing'),
  },
];

/** Addresses in place of the alias: flattened apexes, and what else people write there. */
export const addresses: readonly CorpusName[] = [...atApex, ...elsewhere];
