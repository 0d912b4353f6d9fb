import type { CorpusName } from '../corpus-name.ts';
import { gone, no, toTarget, unknown, unproven, yes } from './expected.ts';

const second = (suffix: string, zone: readonly string[]): Pick<CorpusName, 'registered'> => ({
  registered: { second: { suffix, zone } },
});

const overZones: readonly CorpusName[] = [
  {
    name: 'an alias into another domain that leads to the target',
    why: 'owners of several domains keep one alias for all',
    host: 'www',
    zone: ['www CNAME shop.{second}'],
    ...second('net', ['shop CNAME {target}']),
    ...yes,
  },
  {
    name: 'an alias into a domain under a two-level suffix',
    why: 'the walk starts again from the root',
    host: 'www',
    zone: ['www CNAME shop.{second}'],
    ...second('co.uk', ['shop CNAME {target}']),
    ...yes,
  },
  {
    name: 'an alias through two other domains',
    why: 'an agency and its own supplier',
    host: 'www',
    zone: ['www CNAME a.{second}'],
    registered: {
      second: { suffix: 'net', zone: ['a CNAME b.{third}'] },
      third: { suffix: 'de', zone: ['b CNAME {target}'] },
    },
    ...yes,
  },
  {
    name: 'an alias to the apex of another domain, which is flattened',
    why: 'the addresses are the platform’s, and the TXT proves',
    host: 'www',
    zone: ['www CNAME {second}', '_projectdomain-challenge.www TXT {right}'],
    ...second('org', ['@ A {ours}', '@ AAAA {ours6}']),
    ...yes,
  },
  {
    name: 'an alias into another domain with the ownership record there',
    why: 'the record belongs below the hostname, not below its alias',
    host: 'www',
    zone: ['www CNAME shop.{second}'],
    ...second('net', ['shop A {ours}', '_projectdomain-challenge.shop TXT {right}']),
    ...unproven('TxtMissing'),
  },
  {
    name: 'an alias into a domain that nobody registered',
    why: 'it expired: anybody could take it',
    host: 'www',
    zone: ['www CNAME shop.nobody-has-this.org.'],
    ...no('WrongTarget'),
  },
  {
    name: 'an alias into a domain whose servers are gone',
    why: 'nobody can tell what stands there',
    host: 'www',
    zone: ['www CNAME shop.{second}'],
    registered: { second: { suffix: 'net', zone: ['shop CNAME {target}'], servers: [gone] } },
    ...unknown('NoUsableAnswer'),
  },
  {
    name: 'an alias into a domain of which one server is gone',
    why: 'the other one decides, as for the hostname',
    host: 'www',
    zone: ['www CNAME shop.{second}'],
    registered: { second: { suffix: 'net', zone: ['shop CNAME {target}'], servers: [gone, { program: 'nsd' }] } },
    ...yes,
  },
  {
    name: 'an alias into a domain whose servers disagree',
    why: 'the mistake is in the other domain, and nobody can tell all the same',
    host: 'www',
    zone: ['www CNAME shop.{second}'],
    registered: {
      second: {
        suffix: 'net',
        zone: ['shop CNAME {target}'],
        servers: [{ program: 'knot' }, { program: 'nsd', serves: ['shop A 198.51.100.7'] }],
      },
    },
    routing: 'unknown ServersDisagree',
    ownership: 'unknown ServersDisagree',
    caa: 'yes',
    worseThanUnbound: 'a resolver sees one server only',
  },
  {
    name: 'an alias into a subdomain on other servers',
    why: 'a referral within the chain',
    host: 'www',
    zone: ['www CNAME a.cdn'],
    servers: [{ program: 'knot' }],
    delegated: { cdn: { zone: ['a CNAME {target}'], servers: [{ program: 'nsd' }] } },
    ...yes,
  },
  {
    name: 'an alias into a zone on the same servers',
    why: 'no referral shows the zone between',
    host: 'www',
    zone: ['www CNAME a.cdn', 'cdn NS {knot}', 'cdn NS {nsd}'],
    zones: { cdn: ['@ NS {knot}', '@ NS {nsd}', 'a CNAME {target}'] },
    ...yes,
  },
];

const dnames: readonly CorpusName[] = [
  {
    name: 'DNAME at the apex',
    why: 'a renamed domain (RFC 6672)',
    host: 'www',
    zone: ['@ DNAME {second}'],
    ...second('net', ['www CNAME {target}']),
    ...yes,
  },
  {
    name: 'the apex of a zone with DNAME',
    why: 'RFC 6672 section 2.3: the owner itself is not redirected',
    host: '@',
    zone: ['@ DNAME {second}', '@ A {ours}'],
    ...second('net', ['@ A 198.51.100.7', '_projectdomain-challenge TXT {right}']),
    ...yes,
  },
  {
    name: 'the owner of a DNAME below the apex',
    why: 'only names below it are redirected',
    host: 'old',
    zone: ['old DNAME new', 'new CNAME {target}'],
    ...no('RecordMissing'),
  },
  {
    name: 'DNAME to where nothing is',
    why: 'the made alias dangles',
    host: 'www.old',
    zone: ['old DNAME new'],
    ...no('WrongTarget'),
  },
  {
    name: 'two DNAMEs in a row',
    why: 'each makes an alias',
    host: 'www.a',
    zone: ['a DNAME b', 'b DNAME c', 'www.c CNAME {target}'],
    ...yes,
  },
  {
    name: "DNAME into the platform's CNAME domain",
    why: 'the made alias is a name below the CNAME domain, of no project',
    host: 'www.old',
    zone: ['old DNAME {bare}'],
    ...no('OtherProjectTarget'),
  },
  {
    name: 'DNAME whose made alias is exactly the target',
    why: 'the exact target is in the chain, however it came there',
    host: 'p-mine.to',
    zone: ['to DNAME {bare}'],
    ...yes,
  },
  {
    name: 'DNAME two labels above the name',
    why: 'all labels below it are kept',
    host: 'www.shop.old',
    zone: ['old DNAME new', 'www.shop.new CNAME {target}'],
    ...yes,
  },
];

const scripted = (name: string, why: string, says: Readonly<Record<string, readonly string[]>>): CorpusName => ({
  name,
  why,
  ...toTarget,
  servers: [{ program: 'knot', faults: { says } }],
  ...yes,
});

/** Answers that no real server gives from a zone it has checked. */
const scripts: readonly CorpusName[] = [
  scripted('an alias for A and nothing for AAAA', 'servers of load balancers that know A only', {
    'www.{label} AAAA': [],
  }),
  scripted('an alias for AAAA and nothing for A', 'the alias is one for all types', { 'www.{label} A': [] }),
  {
    ...scripted('an alias for A and a foreign AAAA', 'some visitors would go elsewhere', {
      'www.{label} AAAA': ['AAAA \\# 20010db8000000000000000000000007'],
    }),
    ...no('StrayAddress'),
  },
  scripted("the platform's address beside the alias", 'both lead here', {
    'www.{label} A': ['A 203.0.113.10', 'CNAME {target}'],
  }),
  {
    ...scripted('a foreign address beside the alias', 'a CNAME stands alone (RFC 1034 section 3.6.2)', {
      'www.{label} A': ['A 198.51.100.7', 'CNAME {target}'],
    }),
    ...no('StrayAddress'),
  },
  {
    ...scripted('a foreign address behind the alias in one answer', 'the order of records has no meaning', {
      'www.{label} A': ['CNAME {target}', 'A 198.51.100.7'],
    }),
    ...no('StrayAddress'),
  },
  {
    ...scripted('aliases to two targets for two types', 'another project’s for IPv6', {
      'www.{label} AAAA': ['CNAME {other}'],
    }),
    ...no('OtherProjectTarget'),
  },
  {
    ...scripted('two aliases at one name', 'RFC 2181 section 10.1 forbids it, and visitors go to either', {
      'www.{label} A': ['CNAME {target}', 'CNAME old.{apex}'],
      'www.{label} AAAA': ['CNAME old.{apex}', 'CNAME {target}'],
    }),
    ...no('SeveralCnames'),
  },
  {
    ...scripted('an alias at the apex', 'RFC 1034 section 3.6.2: it hides NS and MX, whatever it leads to', {
      '{label} A': ['CNAME {target}'],
      '{label} AAAA': ['CNAME {target}'],
      '{label} TXT': ['CNAME {target}'],
      '{label} CAA': ['CNAME {target}'],
    }),
    host: '@',
    zone: [],
    ...no('CnameAtApex'),
  },
  {
    ...scripted('an alias at the apex that answers NS too', 'the apex is nothing but an alias', {
      '{label} A': ['CNAME {target}'],
      '{label} AAAA': ['CNAME {target}'],
      '{label} NS': ['CNAME {target}'],
      '{label} SOA': ['CNAME {target}'],
      '{label} CAA': ['CNAME {target}'],
    }),
    host: '@',
    zone: [],
    ...no('CnameAtApex'),
  },
  {
    ...scripted('an alias at the apex to another project', 'the first mistake to mend', {
      '{label} A': ['CNAME {other}'],
      '{label} AAAA': ['CNAME {other}'],
      '{label} CAA': ['CNAME {other}'],
    }),
    host: '@',
    zone: [],
    ...no('CnameAtApex'),
  },
  scripted('www to an apex that is an alias', 'the chain goes on at the apex', {
    'www.{label} A': ['CNAME {apex}'],
    'www.{label} AAAA': ['CNAME {apex}'],
    '{label} A': ['CNAME {target}'],
    '{label} AAAA': ['CNAME {target}'],
  }),
];

/** Aliases into other zones, those that a DNAME makes, and those that no real server would serve. */
export const aliasesElsewhere: readonly CorpusName[] = [...overZones, ...dnames, ...scripts];
