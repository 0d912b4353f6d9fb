import type { CorpusName } from '../corpus-name.ts';
import { flattened, gone, no, withCaa } from './expected.ts';

const forbids = 'no CaaForbidsAuthority';
const ours = 'CAA 0 issue "ca.test"';
const others = 'CAA 0 issue "other.test"';

interface Row extends Partial<CorpusName> {
  readonly name: string;
  readonly why: string;
  readonly zone: readonly string[];
  readonly caa: CorpusName['caa'];
}

const placed = (row: Row): CorpusName => ({
  host: 'www',
  ...withCaa(row.caa),
  ...row,
  name: `CAA placement: ${row.name}`,
});

const proven = ['www A {ours}', '_projectdomain-challenge.www TXT {right}'];
const second = (zone: readonly string[]): Pick<CorpusName, 'registered'> => ({
  registered: { second: { suffix: 'net', zone } },
});

const climbing: readonly Row[] = [
  { name: 'at the name, permitting', why: 'the nearest set decides', zone: [...proven, `www ${ours}`], caa: 'yes' },
  { name: 'at the name, forbidding', why: 'the nearest set decides', zone: [...proven, `www ${others}`], caa: forbids },
  {
    name: 'permitting at the name and forbidding above',
    why: 'the climb ends at the first set',
    zone: [...proven, `www ${ours}`, `@ ${others}`],
    caa: 'yes',
  },
  {
    name: 'forbidding at the name and permitting above',
    why: 'the climb ends at the first set',
    zone: [...proven, `www ${others}`, `@ ${ours}`],
    caa: forbids,
  },
  {
    name: 'iodef at the name and forbidding above',
    why: 'RFC 8659 section 3: any record ends the climb',
    zone: [...proven, 'www CAA 0 iodef "mailto:a@example.com"', `@ ${others}`],
    caa: 'yes',
  },
  {
    name: 'two labels up',
    why: 'every parent is asked',
    host: 'www.shop',
    zone: ['www.shop CNAME {target}', `@ ${others}`],
    caa: forbids,
  },
  {
    name: 'at the parent that is no zone',
    why: 'parents are names, not zones',
    host: 'www.shop',
    zone: ['www.shop CNAME {target}', `shop ${others}`, `@ ${ours}`],
    caa: forbids,
  },
  {
    name: 'at each of four parents, the nearest permitting',
    why: 'the nearest set decides',
    host: 'a.b.c.d',
    zone: ['a.b.c.d CNAME {target}', `b.c.d ${ours}`, `c.d ${others}`, `d ${others}`, `@ ${others}`],
    caa: 'yes',
  },
  {
    name: 'at a sibling',
    why: 'siblings are no parents',
    zone: ['www CNAME {target}', `shop ${others}`],
    caa: 'yes',
  },
  {
    name: 'below the name',
    why: 'only parents count',
    zone: [...proven, `below.www ${others}`],
    caa: 'yes',
  },
  {
    name: 'at a wildcard that covers the name',
    why: 'RFC 4592: the made record is at the name',
    zone: [`* ${others}`, '* A {ours}', '_projectdomain-challenge.www TXT {right}', 'a TXT "x"'],
    host: 'shop',
    routing: 'yes',
    ownership: 'no TxtMissing',
    caa: forbids,
  },
  {
    name: 'at a wildcard that an existing name blocks',
    why: 'RFC 4592: no wildcard where a name exists',
    zone: ['www CNAME {target}', `* ${others}`],
    caa: 'yes',
  },
  {
    name: 'at a wildcard that covers the parent',
    why: 'the parent does exist, as the hostname is below it',
    host: 'www.shop',
    zone: ['www.shop CNAME {target}', `* ${others}`],
    caa: 'yes',
  },
  {
    name: 'permitting at the top-level domain',
    why: 'the climb goes on to the top',
    suffix: 'nl',
    zone: ['www CNAME {target}'],
    caa: 'yes',
  },
  {
    name: 'forbidding at the top-level domain',
    why: 'the climb goes on to the top',
    suffix: 'fr',
    zone: ['www CNAME {target}'],
    caa: forbids,
  },
  {
    name: 'permitting at the domain and forbidding at the top',
    why: 'the nearest set decides',
    suffix: 'fr',
    zone: ['www CNAME {target}', `@ ${ours}`],
    caa: 'yes',
  },
  {
    name: 'forbidding at the top above a two-level suffix',
    why: 'a suffix is a parent as any other',
    suffix: 'com.au',
    zone: ['www CNAME {target}'],
    caa: forbids,
  },
  {
    name: 'permitting at the apex that is the hostname',
    why: 'an apex is a name as any other',
    host: '@',
    zone: [...flattened, `@ ${ours}`],
    caa: 'yes',
  },
  {
    name: 'forbidding at the apex that is the hostname',
    why: 'an apex is a name as any other',
    host: '@',
    zone: [...flattened, `@ ${others}`],
    caa: forbids,
  },
  {
    name: 'forbidding where there is no record at all',
    why: 'the three verdicts are independent',
    zone: [`@ ${others}`],
    routing: 'no RecordMissing',
    ownership: 'no RecordMissing',
    caa: forbids,
  },
];

const behindAliases: readonly Row[] = [
  {
    name: 'permitting behind the alias and forbidding above the name',
    why: 'RFC 8659 section 3: the set of the alias is that of the name',
    zone: ['www CNAME a.{second}', `@ ${others}`, '_projectdomain-challenge.www TXT {right}'],
    ...second(['a A {ours}', `a ${ours}`]),
    caa: 'yes',
  },
  {
    name: 'forbidding behind the alias and permitting above the name',
    why: 'the set of the alias ends the climb',
    zone: ['www CNAME a.{second}', `@ ${ours}`, '_projectdomain-challenge.www TXT {right}'],
    ...second(['a A {ours}', `a ${others}`]),
    caa: forbids,
  },
  {
    name: 'forbidding behind two aliases',
    why: 'aliases are followed to their end',
    zone: ['www CNAME a', 'a CNAME b.{second}', '_projectdomain-challenge.www TXT {right}'],
    ...second(['b A {ours}', `b ${others}`]),
    caa: forbids,
  },
  {
    name: 'above the alias’s target',
    why: 'RFC 8659 section 3: the climb is from the name, never from the target',
    zone: ['www CNAME a.{second}', '_projectdomain-challenge.www TXT {right}'],
    ...second(['a A {ours}', `@ ${others}`]),
    caa: 'yes',
  },
  {
    name: 'above an empty target of the alias, and the name’s parent permitting',
    why: 'NODATA at the target leads back to the name’s own parents',
    zone: ['www CNAME a.b.{second}', `@ ${ours}`, '_projectdomain-challenge.www TXT {right}'],
    ...second(['a.b A {ours}', `b ${others}`, `@ ${others}`]),
    caa: 'yes',
  },
  {
    name: 'above an empty target of the alias, and the name’s parent forbidding',
    why: 'NODATA at the target leads back to the name’s own parents',
    zone: ['www CNAME a.{second}', `@ ${others}`, '_projectdomain-challenge.www TXT {right}'],
    ...second(['a A {ours}', `@ ${ours}`]),
    caa: forbids,
  },
  {
    name: 'behind an alias of the parent',
    why: 'RFC 8659 section 3: aliases are followed at each name of the climb',
    host: 'www.shop',
    zone: ['www.shop CNAME {target}', 'shop CNAME a.{second}', `@ ${ours}`],
    ...second([`a ${others}`]),
    caa: forbids,
  },
  {
    name: 'behind a parent’s alias that dangles',
    why: 'NXDOMAIN there is no set, and the climb goes on',
    host: 'www.shop',
    zone: ['www.shop CNAME {target}', 'shop CNAME a.{second}', `@ ${others}`],
    ...second([]),
    caa: forbids,
  },
  {
    name: 'behind a parent’s alias into servers that are gone',
    why: 'nobody can tell, so the authority may not issue',
    host: 'www.shop',
    zone: ['www.shop CNAME {target}', 'shop CNAME a.{second}', `@ ${ours}`],
    registered: { second: { suffix: 'net', zone: [`a ${ours}`], servers: [gone] } },
    caa: 'unknown NoUsableAnswer',
  },
  {
    name: 'behind a parent’s alias that is a loop',
    why: 'nobody can tell, so the authority may not issue',
    host: 'www.shop',
    zone: ['www.shop CNAME {target}', 'shop CNAME a', 'a CNAME shop'],
    caa: 'unknown AliasLoop',
  },
  {
    name: 'behind a parent’s loop below a set',
    why: 'the climb ends before the loop',
    host: 'www.shop',
    zone: [
      'www.shop A {ours}',
      `www.shop ${ours}`,
      '_projectdomain-challenge.www.shop TXT {right}',
      'shop CNAME a',
      'a CNAME shop',
    ],
    caa: 'yes',
  },
  {
    name: 'behind an alias that dangles',
    why: 'no set there: the name’s own parents decide',
    zone: ['www CNAME a.{second}', `@ ${others}`],
    ...second([`@ ${ours}`]),
    ...no('WrongTarget'),
    caa: forbids,
  },
  {
    name: 'behind DNAME',
    why: 'the made alias is followed',
    host: 'www.old',
    zone: ['old DNAME new', 'www.new A {ours}', `www.new ${others}`, '_projectdomain-challenge.www.new TXT {right}'],
    routing: 'yes',
    ownership: 'yes',
    caa: forbids,
  },
  {
    name: 'behind a wildcard alias',
    why: 'the made alias is followed',
    host: 'www',
    zone: ['* CNAME a.{second}', '_projectdomain-challenge.www TXT {right}', `@ ${ours}`],
    ...second(['a A {ours}', `a ${others}`]),
    routing: 'no RecordMissing',
    ownership: 'yes',
    caa: 'yes',
  },
];

const delegated: readonly Row[] = [
  {
    name: 'at a delegated subdomain',
    why: 'its apex is a parent of the name',
    host: 'www.shop',
    zone: [`@ ${ours}`],
    servers: [{ program: 'knot' }],
    delegated: { shop: { zone: ['www CNAME {target}', `@ ${others}`], servers: [{ program: 'nsd' }] } },
    caa: forbids,
  },
  {
    name: 'above a delegated subdomain',
    why: 'the climb leaves the zone',
    host: 'www.shop',
    zone: [`@ ${others}`],
    servers: [{ program: 'knot' }],
    delegated: { shop: { zone: ['www CNAME {target}'], servers: [{ program: 'nsd' }] } },
    caa: forbids,
  },
  {
    name: 'at a zone on the same servers',
    why: 'no referral shows that zone',
    host: 'www.shop',
    zone: [`@ ${ours}`, 'shop NS {knot}', 'shop NS {nsd}'],
    zones: { shop: ['@ NS {knot}', '@ NS {nsd}', 'www CNAME {target}', `@ ${others}`] },
    caa: forbids,
  },
  {
    name: 'above a delegated subdomain, at servers that fail CAA',
    why: 'the subdomain answers, its parent does not',
    host: 'www.shop',
    zone: [],
    servers: [{ program: 'knot', faults: { types: { CAA: 'SERVFAIL' } } }],
    delegated: { shop: { zone: ['www CNAME {target}'], servers: [{ program: 'nsd' }] } },
    caa: 'unknown NoUsableAnswer',
  },
  {
    name: 'at a delegated subdomain below servers that fail CAA',
    why: 'the climb ends before them',
    host: 'www.shop',
    zone: [],
    servers: [{ program: 'knot', faults: { types: { CAA: 'SERVFAIL' } } }],
    delegated: { shop: { zone: ['www CNAME {target}', `@ ${ours}`], servers: [{ program: 'nsd' }] } },
    caa: 'yes',
  },
  {
    name: 'in the parent’s zone at the name of a subdomain that is delegated',
    why: 'records above a cut are the child’s, so these are hidden',
    host: 'www.shop',
    zone: [`shop ${others}`],
    servers: [{ program: 'knot' }],
    delegated: { shop: { zone: ['www CNAME {target}'], servers: [{ program: 'nsd' }] } },
    caa: 'yes',
  },
];

/** Where CAA records stand, and which of them decides. */
export const caaPlacement: readonly CorpusName[] = [...climbing, ...behindAliases, ...delegated].map(placed);
