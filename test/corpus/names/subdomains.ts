import type { CorpusName, NameServer, OtherZone } from '../corpus-name.ts';
import { gone, no, unknown, unproven, yes } from './expected.ts';

const right = ['www CNAME {target}'];
/** The parent zone is on Knot, and its subdomain on NSD. */
const parent: readonly NameServer[] = [{ program: 'knot' }];
const child: NameServer = { program: 'nsd', faults: {} };

type Row = Partial<CorpusName> & Pick<CorpusName, 'name' | 'why' | 'routing' | 'ownership' | 'caa'>;

const below = (shop: OtherZone, row: Row): CorpusName => ({
  host: 'www.shop',
  zone: [],
  servers: parent,
  delegated: { shop },
  ...row,
});

const referred: readonly CorpusName[] = [
  below({ zone: right, servers: [child] }, { name: 'a subdomain on another server', why: 'a referral', ...yes }),
  below(
    { zone: right, servers: [child, { ...child, program: 'nsd' }] },
    { name: 'a subdomain on two other servers', why: 'a referral', ...yes },
  ),
  below(
    { zone: right, servers: [{ program: 'nsd' }] },
    { name: 'a subdomain on a DNS host', why: 'a referral without glue', ...yes },
  ),
  below(
    { zone: ['@ A {ours}', '_projectdomain-challenge TXT {right}'], servers: [child] },
    { name: 'the apex of a subdomain', why: 'the referral is for the hostname itself', host: 'shop', ...yes },
  ),
  below(
    { zone: ['@ A {ours}'], servers: [child] },
    {
      name: 'the apex of a subdomain with the ownership record above the cut',
      why: 'records below a cut are the child’s',
      host: 'shop',
      zone: ['_projectdomain-challenge.shop TXT {right}'],
      ...unproven('TxtMissing'),
    },
  ),
  below(
    { zone: right, servers: [child] },
    {
      name: 'a subdomain with a stale record above its cut',
      why: 'records below a cut are the child’s',
      zone: ['www.shop A 198.51.100.7'],
      ...yes,
    },
  ),
  below(
    { zone: [], servers: [child] },
    {
      name: 'a subdomain without the record that stands above its cut',
      why: 'the record was created in the wrong zone',
      zone: ['www.shop CNAME {target}'],
      ...no('RecordMissing'),
    },
  ),
  below(
    { zone: ['a.b.www CNAME {target}'], servers: [child] },
    { name: 'deep below a subdomain', why: 'the cut is three labels above', host: 'a.b.www.shop', ...yes },
  ),
  {
    ...below(
      { zone: right, servers: [child] },
      { name: 'a cut two labels below the apex', why: 'no zone between', ...yes },
    ),
    host: 'www.eu.shop',
    delegated: { 'eu.shop': { zone: right, servers: [child] } },
  },
  below(
    { zone: right, servers: [child] },
    {
      name: 'a name beside a subdomain',
      why: 'the cut is elsewhere',
      host: 'www',
      zone: right,
      ...yes,
    },
  ),
  below(
    { zone: right, servers: [child] },
    {
      name: 'a name that ends like a subdomain',
      why: 'names are compared label by label',
      host: 'workshop',
      zone: ['workshop CNAME {target}'],
      ...yes,
    },
  ),
  below(
    { zone: right, servers: [child] },
    {
      name: 'a subdomain of a domain under a two-level suffix',
      why: 'three zones of one registry above it',
      suffix: 'co.uk',
      ...yes,
    },
  ),
];

const shared: readonly CorpusName[] = [
  {
    ...below(
      { zone: right, servers: [{ program: 'nsd' }] },
      {
        name: 'a subdomain on one of the two servers of its parent',
        why: 'one server refers, the other answers from the child zone, and both are right',
        ...yes,
      },
    ),
    servers: [{ program: 'knot' }, { program: 'nsd' }],
  },
  {
    ...below(
      { zone: ['@ A {ours}', '_projectdomain-challenge TXT {right}'], servers: [{ program: 'nsd' }] },
      {
        name: 'the apex of a subdomain on one of the two servers of its parent',
        why: 'one server refers, the other answers from the child zone, and both are right',
        host: 'shop',
        ...yes,
      },
    ),
    servers: [{ program: 'knot' }, { program: 'nsd' }],
  },
  {
    name: 'a subdomain on the servers of its parent',
    why: 'no referral shows it',
    host: 'www.shop',
    zone: ['shop NS {knot}', 'shop NS {nsd}'],
    zones: { shop: ['@ NS {knot}', '@ NS {nsd}', 'www CNAME {target}'] },
    ...yes,
  },
  {
    name: 'the apex of a subdomain on the servers of its parent',
    why: 'no referral shows it',
    host: 'shop',
    zone: ['shop NS {knot}', 'shop NS {nsd}'],
    zones: { shop: ['@ NS {knot}', '@ NS {nsd}', '@ A {ours}', '_projectdomain-challenge TXT {right}'] },
    ...yes,
  },
  {
    name: 'an empty subdomain on the servers of its parent',
    why: 'the SOA of the negative answer shows it',
    host: 'www.shop',
    zone: ['shop NS {knot}', 'shop NS {nsd}', 'www.shop CNAME {target}'],
    zones: { shop: ['@ NS {knot}', '@ NS {nsd}'] },
    ...no('RecordMissing'),
  },
  {
    name: 'two subdomains within each other on the servers of their parent',
    why: 'the deepest zone has the name',
    host: 'www.eu.shop',
    zone: ['shop NS {knot}', 'shop NS {nsd}'],
    zones: {
      shop: ['@ NS {knot}', '@ NS {nsd}', 'eu NS {knot}', 'eu NS {nsd}', 'www.eu A 198.51.100.7'],
      'eu.shop': ['@ NS {knot}', '@ NS {nsd}', 'www CNAME {target}'],
    },
    ...yes,
  },
  {
    name: 'a subdomain zone that its parent does not delegate',
    why: 'the servers have it and answer from it',
    host: 'www.shop',
    zone: ['www.shop A 198.51.100.7'],
    zones: { shop: ['@ NS {knot}', '@ NS {nsd}', 'www CNAME {target}'] },
    ...yes,
  },
];

const broken: readonly CorpusName[] = [
  below(
    { zone: right, servers: [gone] },
    { name: 'a subdomain whose server is gone', why: 'nobody can be asked', ...unknown('NoUsableAnswer') },
  ),
  below(
    { zone: right, servers: [gone, child] },
    { name: 'a subdomain of which one server is gone', why: 'the other one decides', ...yes },
  ),
  below(
    { zone: right, servers: [{ ...child, serves: 'nothing' }] },
    {
      name: 'a subdomain whose server does not have the zone',
      why: 'a lame delegation',
      ...unknown('LameDelegation'),
    },
  ),
  below(
    { zone: right, servers: [{ program: 'nsd', faults: {}, named: 'ns1.nobody-has-this.net.' }] },
    {
      name: 'a subdomain on a server whose name does not exist',
      why: 'nobody can be asked',
      ...unknown('NoUsableAnswer'),
    },
  ),
  below(
    { zone: right, servers: [{ program: 'nsd', faults: { types: { '*': 'REFUSED' } } }] },
    { name: 'a subdomain whose server refuses', why: 'a lame delegation', ...unknown('LameDelegation') },
  ),
  below(
    { zone: right, servers: [{ program: 'nsd', faults: { types: { '*': 'silence' }, tcp: 'silence' } }] },
    { name: 'a subdomain whose server is silent', why: 'nobody answers', ...unknown('NoUsableAnswer') },
  ),
  below(
    { zone: right, servers: [gone] },
    {
      name: 'a name beside a subdomain whose server is gone',
      why: 'the broken zone is elsewhere',
      host: 'www',
      zone: right,
      ...yes,
    },
  ),
  {
    name: 'a subdomain that one server of its parent delegates',
    why: 'the other server is stale: which of them is right, nobody can tell',
    host: 'www.shop',
    zone: ['shop NS ns9.{apex}', 'ns9 A {address0}'],
    servers: [{ program: 'knot' }, { program: 'nsd', serves: ['www.shop A 198.51.100.7'] }],
    ...unknown('DelegationsDiffer'),
    worseThanUnbound: 'a resolver asks one server only',
  },
  {
    name: 'a subdomain that is delegated to its parent’s servers, which do not have it',
    why: 'the delegation leads back',
    host: 'www.shop',
    zone: ['shop NS {knot}', 'shop NS {nsd}', 'www.shop CNAME {target}'],
    ...unknown('LameDelegation'),
    worseThanUnbound: 'a resolver takes the referral back for an empty answer',
  },
];

const challenges: readonly CorpusName[] = [
  {
    name: 'the ownership record in a zone of its own',
    why: 'the challenge name may be delegated',
    host: 'www',
    zone: right,
    txtRequired: true,
    servers: parent,
    delegated: { '_projectdomain-challenge.www': { zone: ['@ TXT {right}'], servers: [child] } },
    ...yes,
  },
  {
    name: 'the ownership record in a zone of its own on the same servers',
    why: 'no referral shows it',
    host: 'www',
    zone: [...right, '_projectdomain-challenge.www NS {knot}', '_projectdomain-challenge.www NS {nsd}'],
    txtRequired: true,
    zones: { '_projectdomain-challenge.www': ['@ NS {knot}', '@ NS {nsd}', '@ TXT {right}'] },
    ...yes,
  },
  {
    name: 'the ownership record in a zone whose server is gone',
    why: 'the name leads here, and nobody can tell who owns it',
    host: 'www',
    zone: right,
    txtRequired: true,
    servers: parent,
    delegated: { '_projectdomain-challenge.www': { zone: ['@ TXT {right}'], servers: [gone] } },
    routing: 'yes',
    ownership: 'unknown NoUsableAnswer',
    caa: 'yes',
  },
];

/** Zones below the customer's, on other servers and on the same ones. */
export const subdomains: readonly CorpusName[] = [...referred, ...shared, ...broken, ...challenges];
