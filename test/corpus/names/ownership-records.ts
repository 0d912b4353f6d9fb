import type { CorpusName } from '../corpus-name.ts';
import { unproven, yes } from './expected.ts';

const at = '_projectdomain-challenge.www';
const missing = unproven('TxtMissing');
const misplaced = unproven('TxtAtOtherName');
const wrong = unproven('TxtWrong');
const mistyped = unproven('TxtMistyped');
type Verdicts = Pick<CorpusName, 'routing' | 'ownership' | 'caa'>;
type Row = readonly [name: string, why: string, records: readonly string[], verdicts: Verdicts];

const forms: readonly Row[] = [
  ['a blank at its end', 'forms add blanks', ['"projectdomain-verify=right "'], yes],
  ['blanks at both ends', 'forms add blanks', ['"  projectdomain-verify=right  "'], yes],
  ['a tab before it', 'copied from a table', ['"\\009projectdomain-verify=right"'], yes],
  ['a line end behind it', 'copied with its line', ['"projectdomain-verify=right\\013\\010"'], yes],
  ['a blank within', 'another value', ['"projectdomain-verify= right"'], unproven('TxtQuoted')],
  ['in capital letters', 'the token has case', ['"projectdomain-verify=RIGHT"'], wrong],
  ['quotes within', 'a form that adds quotes to quotes', ['"\\"projectdomain-verify=right\\""'], unproven('TxtQuoted')],
  ['the value without its prefix', 'only the token was copied', ['"right"'], unproven('TxtBareToken')],
  ['the prefix without a value', 'the token was lost', ['"projectdomain-verify="'], wrong],
  ['the prefix with a colon', 'retyped by hand', ['"projectdomain-verify:right"'], missing],
  ['one letter missing', 'cut off when copied', ['"projectdomain-verify=righ"'], wrong],
  ['one letter more', 'another value', ['"projectdomain-verify=right1"'], mistyped],
  ['its name within the value', 'the whole line was copied', [`"${at} TXT projectdomain-verify=right"`], mistyped],
  ['an empty text', 'a form that saves nothing', ['""'], missing],
  [
    'a string for each letter',
    'strings of one record are one value',
    ['"projectdomain-verify=" "r" "i" "g" "h" "t"'],
    yes,
  ],
  ['an empty string within', 'strings of one record are one value', ['"projectdomain-verify=" "" "right"'], yes],
  ['two records that make it together', 'records are not joined', ['"projectdomain-"', '"verify=right"'], missing],
  [
    'another string behind it',
    'strings of one record are one value',
    ['"projectdomain-verify=right" "more"'],
    mistyped,
  ],
  ['a text of 255 bytes beside it', 'the longest string', [`"${'x'.repeat(255)}"`, '{right}'], yes],
  [
    'a text of many strings beside it',
    'a long key of mail',
    [`${Array.from({ length: 8 }, () => `"${'k'.repeat(255)}"`).join(' ')}`, '{right}'],
    yes,
  ],
  ['thirty other texts beside it', 'too large for a datagram', [...texts(30), '{right}'], yes],
  ['thirty other texts without it', 'too large for a datagram', texts(30), missing],
  ['a text with other bytes beside it', 'any bytes are a text', ['"\\255\\000\\200"', '{right}'], yes],
  ['other services’ records beside it', 'each has its own prefix', ['"google-site-verification=x"', '{right}'], yes],
  ['other services’ records without it', 'none of them is ours', ['"google-site-verification=right"'], missing],
  [
    'three old values',
    'epochs that have passed',
    ['"projectdomain-verify=a"', '"projectdomain-verify=b"', '"projectdomain-verify=c"'],
    wrong,
  ],
  ['an old value and another service’s', 'the old one is the mistake', ['"projectdomain-verify=old"', '"x=y"'], wrong],
];

function texts(count: number): readonly string[] {
  return Array.from({ length: count }, (_, n) => `"another-service-${n}=${'v'.repeat(60)}"`);
}

const stated: readonly CorpusName[] = forms.map(([name, why, records, verdicts]) => ({
  name: `ownership record: ${name}`,
  why,
  host: 'www',
  txtRequired: true,
  zone: ['www CNAME {target}', ...records.map((record) => `${at} TXT ${record}`)],
  ...verdicts,
}));

const placed: readonly Row[] = [
  ['at the hostname', 'the label was lost', ['www TXT {right}', 'www A {ours}'], misplaced],
  ['at the apex', 'the name was lost', ['www CNAME {target}', '@ TXT {right}'], misplaced],
  [
    'below the apex',
    'the record of another hostname',
    ['www CNAME {target}', '_projectdomain-challenge TXT {right}'],
    misplaced,
  ],
  [
    'with the zone doubled',
    'the form appended it',
    ['www CNAME {target}', `${at}.{label} TXT {right}`],
    unproven('DoubledZone'),
  ],
  [
    'without its underscore',
    'a form that refuses underscores',
    ['www CNAME {target}', 'projectdomain-challenge.www TXT {right}'],
    misplaced,
  ],
  [
    'behind the hostname’s label',
    'the labels were swapped',
    ['www A {ours}', 'www._projectdomain-challenge TXT {right}'],
    missing,
  ],
  [
    'at a name in capital letters',
    'names have no case',
    ['www CNAME {target}', '_PROJECTDOMAIN-CHALLENGE.WWW TXT {right}'],
    yes,
  ],
  [
    'as a CNAME to the value',
    'the wrong type was chosen',
    ['www CNAME {target}', `${at} CNAME projectdomain-verify.right.`],
    missing,
  ],
  ['as an address', 'the wrong type was chosen', ['www CNAME {target}', `${at} A {ours}`], missing],
  ['at a wildcard below the hostname', 'it covers the name', ['www CNAME {target}', '*.www TXT {right}'], yes],
  [
    'at a wildcard above the hostname',
    'the hostname exists and blocks it',
    ['www CNAME {target}', '* TXT {right}'],
    missing,
  ],
  [
    'at a wildcard for names of challenges',
    'a star is no part of a label',
    ['www CNAME {target}', '_projectdomain-challenge.* TXT {right}'],
    missing,
  ],
  [
    'under a wildcard alias to the target',
    'the wildcard covers it too, and leads to no TXT',
    ['* CNAME {target}'],
    missing,
  ],
  [
    'at an empty non-terminal',
    'there is only a name below it',
    ['www CNAME {target}', `below.${at} TXT {right}`],
    missing,
  ],
  [
    'behind eight aliases',
    'as many as are followed',
    ['www CNAME {target}', `${at} CNAME t1`, ...steps(7, 't8'), 't8 TXT {right}'],
    yes,
  ],
  [
    'behind nine aliases',
    'more than are followed',
    ['www CNAME {target}', `${at} CNAME t1`, ...steps(8, 't9'), 't9 TXT {right}'],
    { routing: 'yes', ownership: 'unknown TooManyAliases', caa: 'yes' },
  ],
  [
    'behind an alias to itself',
    'a loop proves nothing',
    ['www CNAME {target}', `${at} CNAME ${at}`],
    unproven('AliasLoop'),
  ],
  ['behind an alias that dangles', 'nothing is there', ['www CNAME {target}', `${at} CNAME gone`], missing],
  [
    'behind an alias with an old value',
    'the epoch has moved on',
    ['www CNAME {target}', `${at} CNAME proof`, 'proof TXT "projectdomain-verify=old"'],
    wrong,
  ],
  [
    'behind DNAME',
    'the server makes the alias',
    [
      'www CNAME {target}',
      '_projectdomain-challenge.www CNAME www.proofs.list',
      'list DNAME to',
      'www.proofs.to TXT {right}',
    ],
    yes,
  ],
];

function steps(count: number, end: string): readonly string[] {
  return Array.from({ length: count }, (_, n) => `t${n + 1} CNAME ${n + 1 === count ? end : `t${n + 2}`}`);
}

const elsewhere: readonly CorpusName[] = placed.map(([name, why, zone, verdicts]) => ({
  name: `ownership record: ${name}`,
  why,
  host: 'www',
  txtRequired: true,
  zone,
  ...verdicts,
  ...(verdicts.ownership === 'no AliasLoop' ? { betterThanUnbound: 'a resolver gives up on a loop' } : {}),
}));

const overZones: readonly CorpusName[] = [
  {
    name: 'ownership record: in another domain behind an alias',
    why: 'an agency keeps the records of its customers',
    host: 'www',
    txtRequired: true,
    zone: ['www CNAME {target}', `${at} CNAME www.proofs.{second}`],
    registered: { second: { suffix: 'net', zone: ['www.proofs TXT {right}'] } },
    ...yes,
  },
  {
    name: 'ownership record: in another domain that disagrees',
    why: 'one of its servers is stale',
    host: 'www',
    txtRequired: true,
    zone: ['www CNAME {target}', `${at} CNAME proof.{second}`],
    registered: {
      second: {
        suffix: 'net',
        zone: ['proof TXT {right}'],
        servers: [{ program: 'knot' }, { program: 'nsd', serves: [] }],
      },
    },
    routing: 'yes',
    ownership: 'unknown ServersDisagree',
    caa: 'yes',
    worseThanUnbound: 'a resolver sees one server only',
  },
  {
    name: 'ownership record: not required, and wrong',
    why: 'the target is enough',
    host: 'www',
    zone: ['www CNAME {target}', `${at} TXT "projectdomain-verify=old"`],
    ...yes,
  },
  {
    name: 'ownership record: not required, at servers that refuse TXT',
    why: 'the target is enough',
    host: 'www',
    zone: ['www CNAME {target}'],
    servers: [{ program: 'knot', faults: { types: { TXT: 'REFUSED' } } }],
    ...yes,
  },
  {
    name: 'ownership record: right, while the name leads elsewhere',
    why: 'the owner has proved the name before the switch',
    host: 'www',
    zone: ['www A 198.51.100.7', `${at} TXT {right}`],
    routing: 'no StrayAddress',
    ownership: 'yes',
    caa: 'yes',
  },
  {
    name: 'ownership record: right, while there is no other record',
    why: 'the owner has proved the name before the switch',
    host: 'www',
    zone: [`${at} TXT {right}`],
    routing: 'no RecordMissing',
    ownership: 'yes',
    caa: 'yes',
  },
  {
    name: 'ownership record: old, while the name leads elsewhere',
    why: 'nothing is proved, and the first mistake is named',
    host: 'www',
    zone: ['www A 198.51.100.7', `${at} TXT "projectdomain-verify=old"`],
    routing: 'no StrayAddress',
    ownership: 'no StrayAddress',
    caa: 'yes',
  },
  {
    name: 'ownership record: required and old, while the name leads elsewhere',
    why: 'what was required is wrong',
    host: 'www',
    txtRequired: true,
    zone: ['www A 198.51.100.7', `${at} TXT "projectdomain-verify=old"`],
    routing: 'no StrayAddress',
    ownership: 'no TxtWrong',
    caa: 'yes',
  },
  {
    name: 'ownership record: old, where the addresses are right',
    why: 'addresses are shared by many customers',
    host: '@',
    zone: ['@ A {ours}', '_projectdomain-challenge TXT "projectdomain-verify=old"'],
    ...wrong,
  },
];

/** The TXT record that proves ownership: its forms, and the places in which people put it. */
export const ownershipRecords: readonly CorpusName[] = [...stated, ...elsewhere, ...overZones];
