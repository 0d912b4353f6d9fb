import type { CorpusName } from '../corpus-name.ts';
import { no, unknown, unproven, yes } from './expected.ts';

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
    no('ZoneInValue'),
  ),
  row(
    'a letter of the target wrong',
    'no target is so near to another',
    ['www CNAME p-mime.{bare}'],
    no('MistypedTarget'),
  ),
  row('a name below the target', 'the target has to be exact', ['www CNAME www.{target}'], no('MistypedTarget')),
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

/** Aliases: how many there are in a row, loops, and where they end. */
export const aliases: readonly CorpusName[] = [...chains.map(ofLength), ...loops, ...targets];
