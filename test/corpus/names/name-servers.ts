import type { CorpusName, NameServer } from '../corpus-name.ts';
import { gone, no, nsd, toTarget, unknown, yes } from './expected.ts';

const own: NameServer = { program: 'knot', faults: {} };

/** A second domain that has the address of the customer's first server. */
const withServer = (
  suffix: string,
  more: readonly string[] = ['ns1 A {address0}'],
): Pick<CorpusName, 'registered'> => ({
  registered: { second: { suffix, zone: more } },
});
const named = (name: string): NameServer => ({ program: 'knot', faults: {}, named: name });

const names: readonly CorpusName[] = [
  {
    name: 'a server named in another domain',
    why: 'glueless: its address is looked up',
    ...toTarget,
    servers: [named('ns1.{second}')],
    ...withServer('net'),
    ...yes,
  },
  {
    name: 'a server named in a domain under the same suffix',
    why: 'the registry could have glue and does not',
    ...toTarget,
    servers: [named('ns1.{second}')],
    ...withServer('com'),
    ...yes,
  },
  {
    name: 'a server named under a two-level suffix',
    why: 'its name takes a longer walk than the customer’s',
    ...toTarget,
    servers: [named('ns1.{second}')],
    ...withServer('co.uk'),
    ...yes,
  },
  {
    name: 'a server named under a sibling suffix',
    why: 'co.uk and uk are served by the same servers',
    ...toTarget,
    suffix: 'co.uk',
    servers: [named('ns1.{second}')],
    ...withServer('uk'),
    ...yes,
  },
  {
    name: 'a server named two domains away',
    why: 'the domain of its name has a glueless server itself',
    ...toTarget,
    servers: [named('ns1.{second}')],
    registered: {
      second: { suffix: 'net', zone: ['ns1 A {address0}'], servers: [{ program: 'nsd', named: 'ns9.{third}' }] },
      third: { suffix: 'org', zone: ['ns9 A {atNsd}'] },
    },
    ...yes,
  },
  {
    name: 'a server named three labels below its domain',
    why: 'deep names of servers',
    ...toTarget,
    servers: [named('ns1.dns.eu.{second}')],
    ...withServer('net', ['ns1.dns.eu A {address0}']),
    ...yes,
  },
  {
    name: 'two servers named in two other domains',
    why: 'both are looked up',
    ...toTarget,
    servers: [named('ns1.{second}'), { program: 'nsd', faults: {}, named: 'ns2.{third}' }],
    registered: {
      second: { suffix: 'net', zone: ['ns1 A {address0}'] },
      third: { suffix: 'org', zone: ['ns2 A {address1}'] },
    },
    ...yes,
  },
  {
    name: 'one of two names of servers does not exist',
    why: 'the other one decides',
    ...toTarget,
    servers: [named('ns1.{second}'), nsd],
    ...withServer('net', []),
    ...yes,
  },
  {
    name: 'no name of a server exists',
    why: 'nobody can be asked',
    ...toTarget,
    servers: [named('ns1.{second}')],
    ...withServer('net', []),
    ...unknown('NoUsableAnswer'),
  },
  {
    name: 'a server named in a domain that nobody registered',
    why: 'whoever registers it would own the customer’s domain',
    ...toTarget,
    servers: [named('ns1.nobody-has-this.net.')],
    ...unknown('NoUsableAnswer'),
  },
  {
    name: 'a server named in a domain that nobody registered, beside a good one',
    why: 'the good one decides',
    ...toTarget,
    servers: [nsd, named('ns1.nobody-has-this.net.')],
    ...yes,
  },
  {
    name: 'a server whose domain is on servers that are gone',
    why: 'its address cannot be found',
    ...toTarget,
    servers: [named('ns1.{second}')],
    registered: { second: { suffix: 'net', zone: ['ns1 A {address0}'], servers: [gone] } },
    ...unknown('NoUsableAnswer'),
  },
  {
    name: 'an alias for the name of a server, beside a good one',
    why: 'RFC 2181 section 10.3 forbids it; the good one decides',
    ...toTarget,
    servers: [named('ns1.{second}'), nsd],
    ...withServer('net', ['ns1 CNAME real', 'real A {address0}']),
    ...yes,
  },
  {
    name: 'an alias for the name of the only server',
    why: 'RFC 2181 section 10.3: it is no name of a server',
    ...toTarget,
    servers: [named('ns1.{second}')],
    ...withServer('net', ['ns1 CNAME real', 'real A {address0}']),
    ...unknown('NoUsableAnswer'),
    worseThanUnbound: 'the RFC forbids the alias, which some resolvers follow',
  },
  {
    name: 'two domains that name each other’s servers',
    why: 'neither can be entered without the other',
    ...toTarget,
    servers: [named('ns1.{second}')],
    registered: {
      second: {
        suffix: 'net',
        zone: ['ns1 A {address0}'],
        servers: [{ program: 'nsd', faults: {}, named: 'ns2.{apex}' }],
      },
    },
    ...unknown('NoUsableAnswer'),
  },
  {
    name: 'a server named by the apex itself',
    why: 'small installations have one machine for all',
    host: 'www',
    zone: ['www CNAME {target}', '@ A {address0}'],
    servers: [{ ...named('{apex}'), glue: ['{address0}'] }],
    ...yes,
  },
  {
    name: 'a server named by the hostname',
    why: 'the name that is checked is a server’s too',
    host: 'www',
    zone: ['www A {address0}', 'www A {ours}'],
    servers: [{ ...named('www.{apex}'), glue: ['{address0}'] }],
    ...no('StrayAddress'),
  },
];

const addresses: readonly CorpusName[] = [
  {
    name: 'a server with a dead address before the good one',
    why: 'every address of a server is tried',
    host: 'www',
    zone: ['www CNAME {target}', 'ns0 A {dead}'],
    servers: [{ ...own, glue: ['{dead}', '{address0}'] }],
    ...yes,
  },
  {
    name: 'a server with a dead IPv6 address besides',
    why: 'a family that does not work is no fault of the other',
    host: 'www',
    zone: ['www CNAME {target}', 'ns0 AAAA ::1'],
    servers: [{ ...own, glue: ['{address0}', '::1'] }],
    ...yes,
  },
  {
    name: 'a glueless server with a dead address and a good one',
    why: 'every address of a server is tried',
    ...toTarget,
    servers: [named('ns1.{second}')],
    ...withServer('net', ['ns1 A {dead}', 'ns1 A {address0}']),
    ...yes,
  },
  {
    name: 'glue that is dead while the zone has the right address',
    why: 'the parent’s glue is all there is to enter by',
    host: 'www',
    zone: ['www CNAME {target}'],
    servers: [{ ...own, glue: ['{dead}'] }],
    ...unknown('NoUsableAnswer'),
  },
  {
    name: 'dead glue for one of two servers',
    why: 'the other one decides',
    host: 'www',
    zone: ['www CNAME {target}'],
    servers: [{ ...own, glue: ['{dead}'] }, nsd],
    ...yes,
  },
  {
    name: 'glue at a private address',
    why: 'it is never asked, and nobody else is there',
    ...toTarget,
    servers: [{ ...own, glue: ['10.1.2.3'] }],
    ...unknown('NoUsableAnswer'),
  },
  {
    name: 'glue at a private address beside a good server',
    why: 'the good one decides',
    ...toTarget,
    servers: [{ ...own, glue: ['192.168.1.1'] }, nsd],
    ...yes,
  },
  {
    name: 'a glueless server at a private address',
    why: 'names of servers may lead anywhere',
    ...toTarget,
    servers: [named('ns1.{second}'), nsd],
    ...withServer('net', ['ns1 A 169.254.169.254']),
    ...yes,
  },
  {
    name: 'a server in its own zone without glue',
    why: 'nobody can find it',
    ...toTarget,
    servers: [{ ...own, glue: [] }],
    ...unknown('NoUsableAnswer'),
  },
  {
    name: 'a server in its own zone without glue, beside a good one',
    why: 'the good one decides',
    ...toTarget,
    servers: [{ ...own, glue: [] }, nsd],
    ...yes,
  },
  {
    name: 'two servers at one address',
    why: 'two names make no second server, and no fault either',
    host: 'www',
    zone: ['www CNAME {target}', 'ns9 A {address0}'],
    servers: [own, { ...named('ns9.{apex}'), faults: {}, glue: ['{address0}'] }],
    ...yes,
  },
];

/** The names of a domain's servers, and the addresses at which they stand. */
export const nameServers: readonly CorpusName[] = [...names, ...addresses];
