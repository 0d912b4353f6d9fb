import type { CorpusName } from '../corpus-name.ts';
import { no, unproven, yes } from './expected.ts';

const long = 'x'.repeat(63);
const deep = Array.from({ length: 20 }, (_, n) => `l${n}`).join('.');
/** so long that the challenge name does not fit into 253 characters, and the hostname does */
const tooLong = [long, long, long, 'y'.repeat(45)].join('.');
/** with room for the challenge label */
const justFits = [long, long, long, 'y'.repeat(12)].join('.');

const hosts: readonly (readonly [host: string, why: string])[] = [
  ['a', 'one letter'],
  ['7', 'one digit'],
  ['2024', 'digits only'],
  ['10.20', 'two labels of digits'],
  ['3com', 'RFC 1123 section 2.1: a digit may begin a label'],
  ['my-shop', 'a hyphen'],
  ['a--b', 'two hyphens that are no prefix'],
  ['x-1.y-2', 'hyphens and digits in two labels'],
  ['xn--mnchen-3ya', 'an A-label (RFC 5890)'],
  ['xn--fsqu00a.xn--0zwm56d', 'A-labels of another script in two labels'],
  ['www.xn--bcher-kva', 'an A-label as a parent'],
  ['_service', 'an underscore, which is no hostname but a name'],
  [long, 'the longest label'],
  [`${long}.${long}`, 'two labels of the greatest length'],
  [deep, 'twenty labels'],
  ['com', 'a label that is a suffix elsewhere'],
  ['www.com', 'labels that are a domain elsewhere'],
  ['ns1', 'a label that is usual for servers'],
  ['localhost', 'a label that is special at the top only'],
  ['p-mine.cname.apps.platform.net', 'the target’s labels below the customer’s domain'],
];

const byTarget: readonly CorpusName[] = hosts.map(([host, why]) => ({
  name: `hostname ${host.length > 40 ? why : host}`,
  why,
  host,
  zone: [`${host} CNAME {target}`],
  ...yes,
}));

const byAddress: readonly CorpusName[] = hosts
  .filter(([host]) => ['7', 'xn--mnchen-3ya', long, deep].includes(host))
  .map(([host, why]) => ({
    name: `hostname by address ${host.length > 40 ? why : host}`,
    why,
    host,
    zone: [`${host} A {ours}`, `_projectdomain-challenge.${host} TXT {right}`],
    ...yes,
  }));

const lengths: readonly CorpusName[] = [
  {
    name: 'a hostname too long for an ownership record, by the target',
    why: 'the target proves it without one',
    host: tooLong,
    zone: [`${tooLong} CNAME {target}`],
    ...yes,
  },
  {
    name: 'a hostname too long for an ownership record, by address',
    why: 'RFC 1035 section 2.3.4: no name fits below it',
    host: tooLong,
    zone: [`${tooLong} A {ours}`],
    ...unproven('HostnameTooLongForTxt'),
  },
  {
    name: 'a hostname too long for an ownership record that is required',
    why: 'it can never be proved',
    host: tooLong,
    zone: [`${tooLong} CNAME {target}`],
    txtRequired: true,
    ...unproven('HostnameTooLongForTxt'),
  },
  {
    name: 'a hostname too long for an ownership record, without a record',
    why: 'the missing record is the first mistake',
    host: tooLong,
    zone: [],
    ...no('RecordMissing'),
  },
  {
    name: 'a long hostname whose ownership record fits',
    why: 'the longest challenge names are names',
    host: justFits,
    zone: [`${justFits} A {ours}`, `_projectdomain-challenge.${justFits} TXT {right}`],
    ...yes,
  },
  {
    name: 'a long hostname without a record',
    why: 'the name with the zone doubled may not fit, and is not needed',
    host: justFits,
    zone: [],
    ...no('RecordMissing'),
  },
];

type Row = readonly [name: string, why: string, host: string, zone: readonly string[], verdicts: Verdicts];
type Verdicts = Pick<CorpusName, 'routing' | 'ownership' | 'caa'>;
const missing = no('RecordMissing');

const rows: readonly Row[] = [
  ['covers two labels', 'RFC 4592: a star covers any number of labels', 'a.b', ['* CNAME {target}'], yes],
  [
    'beside the record of the name',
    'the record of the name comes first',
    'www',
    ['* A 198.51.100.7', 'www CNAME {target}'],
    yes,
  ],
  [
    'beside a wrong record of the name',
    'the record of the name comes first',
    'www',
    ['* CNAME {target}', 'www A 198.51.100.7'],
    no('StrayAddress'),
  ],
  [
    'beside a TXT of the name',
    'the name exists, so the star does not cover it',
    'www',
    ['* CNAME {target}', 'www TXT "x"'],
    missing,
  ],
  ['for the apex', 'the apex exists', '@', ['* CNAME {target}'], missing],
  [
    'below an existing name',
    'the name above blocks the star',
    'a.shop',
    ['* CNAME {target}', 'shop A 198.51.100.7'],
    missing,
  ],
  ['at a level of its own', 'the nearest star counts', 'a.shop', ['* A 198.51.100.7', '*.shop CNAME {target}'], yes],
  [
    'at a level of its own, wrong',
    'the nearest star counts',
    'a.shop',
    ['* CNAME {target}', '*.shop A 198.51.100.7'],
    no('StrayAddress'),
  ],
  ['within a name', 'a star that is not first covers nothing', 'a.x.b', ['a.*.b CNAME {target}'], missing],
  [
    'with a star of its own below',
    'an empty name with a star below it exists',
    'shop',
    ['* CNAME {target}', '*.shop A 198.51.100.7'],
    missing,
  ],
  ['to another project', 'all names lead to it', 'www', ['* CNAME {other}'], no('OtherProjectTarget')],
  [
    'blocked by the record of a certificate',
    'an _acme-challenge makes the name exist',
    'www',
    ['* CNAME {target}', '_acme-challenge.www TXT "x"'],
    missing,
  ],
  [
    'blocked by the ownership record',
    'the record below the name makes the name exist',
    'www',
    ['* CNAME {target}', '_projectdomain-challenge.www TXT {right}'],
    { routing: 'no RecordMissing', ownership: 'yes', caa: 'yes' },
  ],
];

const wildcards: readonly CorpusName[] = rows.map(([name, why, host, zone, verdicts]) => ({
  name: `wildcard ${name}`,
  why,
  host,
  zone,
  ...verdicts,
}));

const spelled: readonly CorpusName[] = [
  {
    name: 'the name in capital letters in the zone',
    why: 'names have no case',
    host: 'www',
    zone: ['WWW CNAME {target}'],
    ...yes,
  },
  {
    name: 'an A-label in capital letters in the zone',
    why: 'A-labels are ASCII, which has no case here',
    host: 'xn--mnchen-3ya',
    zone: ['XN--MNCHEN-3YA CNAME {target}'],
    ...yes,
  },
  {
    name: 'the name in UTF-8 in the zone',
    why: 'RFC 5890: the A-label is another name',
    host: 'xn--mnchen-3ya',
    zone: ['m\\195\\188nchen CNAME {target}'],
    ...missing,
  },
  {
    name: 'an empty name between two that have records',
    why: 'NODATA, not NXDOMAIN, and a no as well',
    host: 'b',
    zone: ['a.b CNAME {target}', '@ A {ours}'],
    ...missing,
  },
  {
    name: 'the zone doubled at an apex',
    why: 'the full name was typed into the name field',
    host: '@',
    zone: ['{label} A {ours}'],
    ...missing,
  },
  {
    name: 'the zone doubled two labels down',
    why: 'the full name was typed into the name field',
    host: 'www.shop',
    zone: ['www.shop.{label} CNAME {target}'],
    ...no('DoubledZone'),
  },
];

/** Hostnames of unusual form, wildcards, and names as zones spell them. */
export const nameForms: readonly CorpusName[] = [...byTarget, ...byAddress, ...lengths, ...wildcards, ...spelled];
