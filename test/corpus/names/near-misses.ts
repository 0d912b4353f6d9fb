import type { CorpusName } from '../corpus-name.ts';
import { no, unproven } from './expected.ts';

const why = 'its owner meant the target, and the verdict says what went wrong';

type Row = readonly [name: string, host: string, zone: readonly string[], code: string];

const routing: readonly Row[] = [
  ['a target without its final dot', 'www', ['www CNAME p-mine.cname.apps.platform.net'], 'ZoneInValue'],
  ['a target without its last label', 'www', ['www CNAME p-mine.cname.apps.platform.'], 'MistypedTarget'],
  ['a target with a letter missing', 'www', ['www CNAME p-mie.cname.apps.platform.net.'], 'MistypedTarget'],
  ['a target with a letter doubled', 'www', ['www CNAME p-minne.cname.apps.platform.net.'], 'MistypedTarget'],
  ['a target with www. in front', 'www', ['www CNAME www.{target}'], 'MistypedTarget'],
  ['a target as a URL', 'www', ['www CNAME https\\058\\047\\047{target}'], 'UrlInValue'],
  [
    'a target as a URL with a slash behind',
    'www',
    ['www CNAME https\\058\\047\\047p-mine.cname.apps.platform.net\\047.'],
    'UrlInValue',
  ],
  [
    'the same without a final dot',
    'www',
    ['www CNAME https\\058\\047\\047p-mine.cname.apps.platform.net\\047'],
    'UrlInValue',
  ],
  ['a target in quotation marks', 'www', ['www CNAME \\034p-mine.cname.apps.platform.net\\034.'], 'QuotedValue'],
  ['a target with a blank behind', 'www', ['www CNAME p-mine.cname.apps.platform.net\\032.'], 'QuotedValue'],
  ['the record below the first label alone', 'shop.eu', ['shop CNAME {target}'], 'RecordAtOtherName'],
];

const proof = '_projectdomain-challenge';
const texts: readonly Row[] = [
  ['an ownership record at the domain itself', 'www', ['@ TXT {right}'], 'TxtAtOtherName'],
  ['an ownership record at the hostname', 'www', ['www TXT {right}'], 'TxtAtOtherName'],
  ['an ownership record below the first label alone', 'www', [`${proof} TXT {right}`], 'TxtAtOtherName'],
  ['an ownership record whose name has the zone twice', 'www', [`${proof}.www.{label} TXT {right}`], 'DoubledZone'],
];

/** What people and forms make of the records that they are shown. */
export const nearMisses: readonly CorpusName[] = [
  ...routing.map(([name, host, zone, code]): CorpusName => ({ name, why, host, zone, ...no(code) })),
  ...texts.map(([name, host, zone, code]): CorpusName => ({
    name,
    why,
    host,
    zone: ['www A {ours}', ...zone],
    ...unproven(code),
  })),
];
