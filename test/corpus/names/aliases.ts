import type { CorpusName } from '../corpus-name.ts';
import { gone, no, toTarget, unknown, unproven, yes } from './expected.ts';

const bothUnknown = (code: string) =>
  ({ routing: `unknown ${code}`, ownership: `unknown ${code}`, caa: `unknown ${code}` }) as const;

/** Aliases `www` to `n1`, `n1` to `n2` and so on; the last of so many leads to `end`. */
const chain = (aliases: number, end: string): readonly string[] => [
  `www CNAME ${aliases === 1 ? end : 'n1'}`,
  ...Array.from({ length: aliases - 1 }, (_, n) => `n${n + 1} CNAME ${n + 2 === aliases ? end : `n${n + 2}`}`),
];

interface Chain {
  readonly aliases: number;
  readonly to: string;
  readonly end: string;
  readonly more?: readonly string[];
  readonly verdicts: Pick<CorpusName, 'routing' | 'ownership' | 'caa'>;
}

const chains: readonly Chain[] = [
  { aliases: 2, to: 'the target', end: '{target}', verdicts: yes },
  { aliases: 7, to: 'the target', end: '{target}', verdicts: yes },
  { aliases: 10, to: 'the target', end: '{target}', verdicts: unknown('TooManyAliases') },
  { aliases: 7, to: 'nothing', end: 'gone', verdicts: no('WrongTarget') },
  { aliases: 8, to: 'nothing', end: 'gone', verdicts: no('WrongTarget') },
  { aliases: 9, to: 'nothing', end: 'gone', verdicts: unknown('TooManyAliases') },
  { aliases: 7, to: "another project's target", end: '{other}', verdicts: no('OtherProjectTarget') },
  { aliases: 8, to: "another project's target", end: '{other}', verdicts: no('OtherProjectTarget') },
  {
    aliases: 7,
    to: 'the old address',
    end: 'old',
    more: ['old A 198.51.100.7'],
    verdicts: no('WrongTarget'),
  },
  { aliases: 8, to: 'the old address', end: 'old', more: ['old A 198.51.100.7'], verdicts: no('WrongTarget') },
  {
    aliases: 7,
    to: "the platform's address",
    end: 'here',
    more: ['here A {ours}', '_projectdomain-challenge.www TXT {right}'],
    verdicts: yes,
  },
  {
    aliases: 8,
    to: "the platform's address",
    end: 'here',
    more: ['here A {ours}', '_projectdomain-challenge.www TXT {right}'],
    verdicts: yes,
  },
  {
    aliases: 8,
    to: "the platform's address without TXT",
    end: 'here',
    more: ['here A {ours}'],
    verdicts: unproven('TxtMissing'),
  },
];

const ofLength = ({ aliases, to, end, more = [], verdicts }: Chain): CorpusName => ({
  name: `${aliases} aliases in a row to ${to}`,
  why: 'up to eight are followed, and beyond them nobody can tell',
  host: 'www',
  zone: [...chain(aliases, end), ...more],
  ...verdicts,
});

const loop = (name: string, why: string, zone: readonly string[]): CorpusName => ({
  name,
  why,
  host: 'www',
  zone,
  routing: 'no AliasLoop',
  ownership: 'no AliasLoop',
  caa: 'unknown AliasLoop',
  betterThanUnbound: 'a resolver gives up on a loop, which is a definite mistake',
});

const loops: readonly CorpusName[] = [
  loop('an alias to itself', 'the shortest loop', ['www CNAME www']),
  loop('a loop of three', 'it may be longer than two', ['www CNAME a', 'a CNAME b', 'b CNAME www']),
  loop('a loop of eight', 'the longest that is followed whole', chain(8, 'www')),
  loop('a loop that does not lead back to the name', 'the tail is not part of the loop', [
    'www CNAME a',
    'a CNAME b',
    'b CNAME a',
  ]),
  loop('a loop in different case', 'names are compared without case', ['www CNAME SHOP', 'shop CNAME WWW']),
  {
    ...loop('a loop over two domains', 'each of the zones is right on its own', ['www CNAME www.{second}']),
    registered: { second: { suffix: 'net', zone: ['www CNAME www.{apex}'] } },
  },
  {
    ...loop('a loop over three domains', 'none of the three sees it', ['www CNAME www.{second}']),
    registered: {
      second: { suffix: 'net', zone: ['www CNAME www.{third}'] },
      third: { suffix: 'org', zone: ['www CNAME www.{apex}'] },
    },
  },
  {
    ...loop('a wildcard that leads to itself', 'every name of it is an alias of another', ['* CNAME x']),
  },
  {
    name: 'a loop of ten',
    why: 'longer than is followed',
    host: 'www',
    zone: chain(10, 'www'),
    ...bothUnknown('TooManyAliases'),
  },
];

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

const row = (
  name: string,
  why: string,
  zone: readonly string[],
  verdicts: Pick<CorpusName, 'routing' | 'ownership' | 'caa'>,
): CorpusName => ({ name, why, host: 'www', zone, ...verdicts });

const targets: readonly CorpusName[] = [
  row('the target in capital letters', 'names have no case', ['www CNAME P-MINE.CNAME.APPS.PLATFORM.NET.'], yes),
  row(
    'the target in mixed case behind an alias in mixed case',
    'the case of the question and of the data may differ',
    ['www CNAME Via', 'vIA CNAME p-Mine.cname.Apps.platform.NET.'],
    yes,
  ),
  row(
    'the target without its last dot',
    'the zone is appended to it',
    ['www CNAME p-mine.cname.apps.platform.net'],
    no('WrongTarget'),
  ),
  row('a letter of the target wrong', 'it could be anybody’s', ['www CNAME p-mime.{bare}'], no('OtherProjectTarget')),
  row('a name below the target', 'the target has to be exact', ['www CNAME www.{target}'], no('OtherProjectTarget')),
  row(
    'the target under another platform',
    'a test installation',
    ['www CNAME p-mine.cname.apps.example.net.'],
    no('WrongTarget'),
  ),
  row(
    "the platform's domain",
    'the last label of the target lost',
    ['www CNAME apps.platform.net.'],
    no('WrongTarget'),
  ),
  row(
    'the parent of the platform’s domain',
    'no name of the platform, and no address',
    ['www CNAME platform.net.'],
    no('WrongTarget'),
  ),
  row(
    'the platform subdomain behind an own alias',
    'it has the right addresses, but proves no project',
    ['www CNAME via', 'via CNAME {platform}', '_projectdomain-challenge.www TXT {right}'],
    { routing: 'no WrongTarget', ownership: 'yes', caa: 'yes' },
  ),
  row(
    'another project’s target behind an own alias',
    'the chain passes the other project first',
    ['www CNAME via', 'via CNAME {other}'],
    no('OtherProjectTarget'),
  ),
  row(
    'the CNAME domain behind an own alias',
    'the first label was lost',
    ['www CNAME via', 'via CNAME {bare}'],
    no('BareCnameDomain'),
  ),
  row('an alias to the root', 'a dot was typed', ['www CNAME .'], no('WrongTarget')),
  row('an alias to a top-level domain', 'the name was lost', ['www CNAME com.'], no('WrongTarget')),
  row('an alias to an address', 'typed into the field of names', ['www CNAME 203.0.113.10.'], no('WrongTarget')),
  row(
    'an alias to an address without its last dot',
    'the zone is appended to it',
    ['www CNAME 203.0.113.10'],
    no('WrongTarget'),
  ),
  row('an alias to localhost', 'left over from a test', ['www CNAME localhost.'], no('WrongTarget')),
  row(
    'an alias through a name with a dot within a label',
    'names are compared label by label, not as text',
    ['www CNAME a\\.b', 'a\\.b CNAME {target}'],
    yes,
  ),
  row(
    'a target whose labels are one label with dots',
    'it looks like the target as text and is another name',
    ['www CNAME p-mine\\.cname.apps.platform.net.'],
    no('WrongTarget'),
  ),
  row(
    'an alias through a name that is not ASCII',
    'RFC 2181 section 11: any bytes may be in a label',
    ['www CNAME \\195\\188ber', '\\195\\188ber CNAME {target}'],
    yes,
  ),
  row(
    'an alias through a name with an underscore',
    'usual for records of services',
    ['www CNAME _shop._tcp', '_shop._tcp CNAME {target}'],
    yes,
  ),
  row('an alias through a wildcard', 'the alias is covered', ['www CNAME any', '* CNAME {target}'], yes),
  row(
    'an alias to a name with a TXT only',
    'NODATA at the end of a chain',
    ['www CNAME via', 'via TXT "hello"'],
    no('WrongTarget'),
  ),
  row(
    'an alias to an empty non-terminal',
    'the name exists and has nothing',
    ['www CNAME via', 'below.via A {ours}'],
    no('WrongTarget'),
  ),
  row(
    'www to the apex, which has the old address',
    'only www was changed',
    ['www CNAME {apex}', '@ A 198.51.100.7'],
    no('WrongTarget'),
  ),
  row(
    'www to the apex with half of its addresses old',
    'one record was added instead of changed',
    ['www CNAME {apex}', '@ A {ours}', '@ A 198.51.100.7'],
    no('WrongTarget'),
  ),
  row(
    'www to the apex with the ownership record at the apex',
    'the record has to be below www',
    ['www CNAME {apex}', '@ A {ours}', '_projectdomain-challenge TXT {right}'],
    unproven('TxtMissing'),
  ),
  row('www to an apex without addresses', 'the apex is empty', ['www CNAME {apex}'], no('WrongTarget')),
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
    ...no('WrongTarget'),
  },
  {
    ...scripted('an alias at the apex', 'servers that do not check let it through, and it leads here', {
      '{label} A': ['CNAME {target}'],
      '{label} AAAA': ['CNAME {target}'],
      '{label} TXT': ['CNAME {target}'],
      '{label} CAA': ['CNAME {target}'],
    }),
    host: '@',
    zone: [],
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
  },
  {
    ...scripted('an alias at the apex to another project', 'as wrong as anywhere', {
      '{label} A': ['CNAME {other}'],
      '{label} AAAA': ['CNAME {other}'],
      '{label} CAA': ['CNAME {other}'],
    }),
    host: '@',
    zone: [],
    ...no('OtherProjectTarget'),
  },
  scripted('www to an apex that is an alias', 'the chain goes on at the apex', {
    'www.{label} A': ['CNAME {apex}'],
    'www.{label} AAAA': ['CNAME {apex}'],
    '{label} A': ['CNAME {target}'],
    '{label} AAAA': ['CNAME {target}'],
  }),
];

/** Aliases: where they lead, over how many zones, and where they end. */
export const aliases: readonly CorpusName[] = [
  ...chains.map(ofLength),
  ...loops,
  ...overZones,
  ...dnames,
  ...targets,
  ...scripts,
];
