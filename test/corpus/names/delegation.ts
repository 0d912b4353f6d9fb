import type { CorpusName, NameServer } from '../corpus-name.ts';
import { flattened, gone, knot, no, nsd, toTarget, unknown, yes } from './expected.ts';

const own: NameServer = { program: 'knot', faults: {} };
const old = ['www A 198.51.100.7'];
const disagreeing = {
  routing: 'unknown ServersDisagree',
  ownership: 'unknown ServersDisagree',
  caa: 'yes',
  worseThanUnbound: 'a resolver sees one server only',
} as const;
const differing = {
  ...unknown('DelegationsDiffer'),
  worseThanUnbound: 'a resolver follows one of the delegations',
} as const;

const sides: readonly CorpusName[] = [
  {
    name: 'a server that only the zone names',
    why: 'it is asked too, and agrees',
    ...toTarget,
    servers: [knot, { program: 'nsd', isHidden: true }],
    ...yes,
  },
  {
    name: 'a server that only the zone names is stale',
    why: 'resolvers learn of it and ask it',
    ...toTarget,
    servers: [knot, { program: 'nsd', isHidden: true, serves: old }],
    ...disagreeing,
  },
  {
    name: 'a server that only the zone names is gone',
    why: 'those that answer decide',
    ...toTarget,
    servers: [{ program: 'nsd' }, { ...gone, isHidden: true }],
    ...yes,
  },
  {
    name: 'a server that only the zone names does not have the zone',
    why: 'those that answer decide',
    ...toTarget,
    servers: [knot, { program: 'nsd', isHidden: true, serves: 'nothing' }],
    ...yes,
  },
  {
    name: 'a server that the zone does not name',
    why: 'the parent names it, so it is asked',
    ...toTarget,
    servers: [knot, { program: 'nsd', isForgotten: true }],
    ...yes,
  },
  {
    name: 'a server that the zone does not name is stale',
    why: 'half of the resolvers enter by it',
    ...toTarget,
    servers: [knot, { program: 'nsd', isForgotten: true, serves: old }],
    ...disagreeing,
  },
  {
    name: 'a server that the zone does not name is gone',
    why: 'those that answer decide',
    ...toTarget,
    servers: [nsd, { ...gone, isForgotten: true }],
    ...yes,
  },
  {
    name: 'parent and zone name different servers, all good',
    why: 'a move to another host that is half done',
    ...toTarget,
    servers: [
      { program: 'knot', isForgotten: true },
      { program: 'nsd', isHidden: true },
    ],
    ...yes,
  },
  {
    name: 'parent names the old host, the zone there the new one',
    why: 'a move to another host: both answer, with different data',
    ...toTarget,
    servers: [
      { program: 'knot', isForgotten: true },
      { program: 'nsd', isHidden: true, serves: [] },
    ],
    ...disagreeing,
  },
  {
    name: 'parent names the old host, which is gone',
    why: 'nobody leads to the new one',
    ...toTarget,
    servers: [
      { ...gone, isForgotten: true },
      { program: 'nsd', isHidden: true },
    ],
    ...unknown('NoUsableAnswer'),
  },
  {
    name: 'a domain that is not registered',
    why: 'the registry says NXDOMAIN',
    ...toTarget,
    servers: [],
    ...no('NotRegistered'),
  },
  {
    name: 'an apex that is not registered',
    why: 'the registry says NXDOMAIN',
    host: '@',
    zone: [],
    servers: [],
    ...no('NotRegistered'),
  },
  {
    name: 'a domain that is not registered under a two-level suffix',
    why: 'the registry says NXDOMAIN',
    ...toTarget,
    suffix: 'co.uk',
    servers: [],
    ...no('NotRegistered'),
  },
  {
    name: 'a delegation that one server of the registry has',
    why: 'a registry that is being updated',
    ...toTarget,
    servers: [{ program: 'knot', onlyAt: 'first' }],
    ...differing,
  },
  {
    name: 'different delegations at the servers of the registry',
    why: 'a registry that is being updated',
    ...toTarget,
    servers: [
      { program: 'knot', onlyAt: 'first' },
      { program: 'nsd', onlyAt: 'second' },
    ],
    ...differing,
  },
  {
    name: 'a further server at one server of the registry',
    why: 'a registry that is being updated',
    ...toTarget,
    servers: [knot, { program: 'nsd', onlyAt: 'second' }],
    ...differing,
  },
];

const suffixed = (suffix: string, why: string): readonly CorpusName[] => [
  { name: `a name under ${suffix}`, why, ...toTarget, suffix, ...yes },
  { name: `an apex under ${suffix}`, why, host: '@', suffix, zone: flattened, ...yes },
  {
    name: `five labels below a domain under ${suffix}`,
    why,
    host: 'a.b.c.d.e',
    suffix,
    zone: ['a.b.c.d.e CNAME {target}'],
    ...yes,
  },
  {
    name: `a server with its own name under ${suffix}`,
    why,
    ...toTarget,
    suffix,
    servers: [own, { program: 'nsd', faults: {} }],
    ...yes,
  },
];

const suffixes: readonly CorpusName[] = [
  ...suffixed('de', 'a suffix of one label'),
  ...suffixed('co.uk', 'a suffix of two labels'),
  ...suffixed('uji.kyoto.jp', 'a suffix of three labels'),
  {
    name: 'a domain below a suffix that no list knows',
    why: 'the registry delegates from further above',
    ...toTarget,
    suffix: 'unlisted.nl',
    ...yes,
  },
];

/** Who serves the domain: what the registry says of it, and what the zone says. */
export const delegation: readonly CorpusName[] = [...sides, ...suffixes];
