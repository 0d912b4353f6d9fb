import type { CorpusName, NameServer } from '../corpus-name.ts';
import { flattened, gone, knot, no, yes } from './expected.ts';

type Verdicts = Pick<CorpusName, 'routing' | 'ownership' | 'caa'>;

interface Stale {
  readonly what: string;
  readonly why: string;
  readonly host: string;
  readonly zone: readonly string[];
  readonly serves: readonly string[];
  readonly verdicts: Verdicts;
  readonly txtRequired?: true;
}

const disagree: Verdicts = { routing: 'unknown ServersDisagree', ownership: 'unknown ServersDisagree', caa: 'yes' };
const isDisputed = ({ routing, ownership }: Verdicts): boolean =>
  [routing, ownership].includes('unknown ServersDisagree');

const challenge = '_projectdomain-challenge';

const states: readonly Stale[] = [
  {
    what: 'the old address',
    why: 'the record was changed',
    host: 'www',
    zone: ['www CNAME {target}'],
    serves: ['www A 198.51.100.7'],
    verdicts: disagree,
  },
  {
    what: 'the old alias',
    why: 'the record was changed',
    host: 'www',
    zone: ['www CNAME {target}'],
    serves: ['www CNAME old', 'old A 198.51.100.7'],
    verdicts: disagree,
  },
  {
    what: 'no record yet',
    why: 'the record is new',
    host: 'www',
    zone: ['www CNAME {target}'],
    serves: [],
    verdicts: disagree,
  },
  {
    what: 'another project’s target',
    why: 'moved between projects',
    host: 'www',
    zone: ['www CNAME {target}'],
    serves: ['www CNAME {other}'],
    verdicts: disagree,
  },
  {
    what: 'the old address at the apex',
    why: 'a flattened record was changed',
    host: '@',
    zone: flattened,
    serves: ['@ A 198.51.100.7', `${challenge} TXT {right}`],
    verdicts: { routing: 'unknown ServersDisagree', ownership: 'yes', caa: 'yes' },
  },
  {
    what: 'an old IPv6 address',
    why: 'it was deleted',
    host: '@',
    zone: flattened,
    serves: [...flattened, '@ AAAA 2001:db8::7'],
    verdicts: { routing: 'unknown ServersDisagree', ownership: 'yes', caa: 'yes' },
  },
  {
    what: 'no ownership record yet',
    why: 'the record is new',
    host: '@',
    zone: flattened,
    serves: ['@ A {ours}'],
    verdicts: { routing: 'yes', ownership: 'unknown ServersDisagree', caa: 'yes' },
  },
  {
    what: 'an old ownership record',
    why: 'the epoch has moved on',
    host: 'www',
    txtRequired: true,
    zone: ['www CNAME {target}', `${challenge}.www TXT {right}`],
    serves: ['www CNAME {target}', `${challenge}.www TXT "projectdomain-verify=old"`],
    verdicts: { routing: 'yes', ownership: 'unknown ServersDisagree', caa: 'yes' },
  },
  {
    what: 'an old CAA record',
    why: 'another authority was permitted',
    host: 'www',
    zone: ['www CNAME {target}', '@ CAA 0 issue "ca.test"'],
    serves: ['www CNAME {target}', '@ CAA 0 issue "other.test"'],
    verdicts: { routing: 'yes', ownership: 'yes', caa: 'unknown ServersDisagree' },
  },
  {
    what: 'a CAA record that was deleted',
    why: 'the authority may ask either server',
    host: 'www',
    zone: ['www CNAME {target}'],
    serves: ['www CNAME {target}', '@ CAA 0 issue "other.test"'],
    verdicts: { routing: 'yes', ownership: 'yes', caa: 'unknown ServersDisagree' },
  },
  {
    what: 'no CAA record yet',
    why: 'both permit',
    host: 'www',
    zone: ['www CNAME {target}', '@ CAA 0 issue "ca.test"'],
    serves: ['www CNAME {target}'],
    verdicts: yes,
  },
  {
    what: 'another way to the target',
    why: 'verdicts are compared, not records',
    host: 'www',
    zone: ['www CNAME {target}'],
    serves: ['www CNAME a', 'a CNAME {target}'],
    verdicts: yes,
  },
  {
    what: 'another of the platform’s addresses',
    why: 'verdicts are compared, not records',
    host: '@',
    zone: flattened,
    serves: ['@ A {ours2}', `${challenge} TXT {right}`],
    verdicts: yes,
  },
  {
    what: 'another wrong address',
    why: 'both say no',
    host: 'www',
    zone: ['www A 198.51.100.8'],
    serves: ['www A 198.51.100.9'],
    verdicts: no('StrayAddress'),
  },
  {
    what: 'no record where there is a wrong one',
    why: 'both say no, for different reasons',
    host: 'www',
    zone: ['www A 198.51.100.8'],
    serves: [],
    verdicts: no('RecordMissing'),
  },
  {
    what: 'the target in place of the right addresses',
    why: 'both say yes, and the weaker one needs the TXT',
    host: 'www',
    zone: ['www A {ours}', `${challenge}.www TXT {right}`],
    serves: ['www CNAME {target}', `${challenge}.www TXT {right}`],
    verdicts: yes,
  },
  {
    what: 'addresses in place of the target, without TXT',
    why: 'the weaker yes counts: the TXT is needed',
    host: 'www',
    zone: ['www CNAME {target}'],
    serves: ['www A {ours}'],
    verdicts: { routing: 'yes', ownership: 'no TxtMissing', caa: 'yes' },
  },
  {
    what: 'a loop',
    why: 'one server says yes, the other one no',
    host: 'www',
    zone: ['www CNAME {target}'],
    serves: ['www CNAME a', 'a CNAME www'],
    verdicts: { ...disagree, caa: 'yes' },
  },
];

const proxy: NameServer = { program: 'knot', faults: {} };

/** How many servers are right beside the stale one. */
const fleets: readonly (readonly [count: string, right: readonly NameServer[], position: 'first' | 'last'])[] = [
  ['two', [knot], 'first'],
  ['three', [knot, proxy], 'last'],
  ['four', [knot, proxy, proxy], 'first'],
];

const staleNames: readonly CorpusName[] = states.flatMap(({ what, why, serves, verdicts, ...rest }) =>
  fleets.map(([count, right, position]): CorpusName => {
    const stale: NameServer = { program: 'nsd', serves };
    return {
      ...rest,
      name: `one of ${count} servers has ${what}`,
      why,
      servers: position === 'first' ? [stale, ...right] : [...right, stale],
      ...verdicts,
      ...(isDisputed(verdicts) ? { worseThanUnbound: 'a resolver sees one server only' } : {}),
      betterThanUnbound: 'a resolver may put one answer together from servers that differ',
    };
  }),
);

const oldAddress = ['www A 198.51.100.7'];
const more: readonly CorpusName[] = [
  {
    name: 'the only server that answers is stale',
    why: 'nobody contradicts it',
    host: 'www',
    zone: ['www CNAME {target}'],
    servers: [gone, { program: 'nsd', serves: oldAddress }],
    ...no('StrayAddress'),
  },
  {
    name: 'a stale server beside one that is silent',
    why: 'nobody contradicts it',
    host: 'www',
    zone: ['www CNAME {target}'],
    servers: [
      { program: 'knot', faults: { types: { '*': 'silence' } } },
      { program: 'nsd', serves: oldAddress },
    ],
    ...no('StrayAddress'),
  },
  {
    name: 'a stale server that answers without authority',
    why: 'its answer does not count',
    host: 'www',
    zone: ['www CNAME {target}'],
    servers: [knot, { program: 'nsd', serves: oldAddress, faults: { lame: true } }],
    ...yes,
    betterThanUnbound: 'every server is asked',
  },
  {
    name: 'a stale server that is slow',
    why: 'the faster answer is no reason to leave it out',
    host: 'www',
    zone: ['www CNAME {target}'],
    servers: [knot, { program: 'nsd', serves: oldAddress, faults: { delayMs: 200 } }],
    ...disagree,
    worseThanUnbound: 'a resolver sees one server only',
  },
  {
    name: 'a stale server that loses the first packet',
    why: 'a lost packet is no reason to leave it out',
    host: 'www',
    zone: ['www CNAME {target}'],
    servers: [knot, { program: 'nsd', serves: oldAddress, faults: { losesFirst: 1 } }],
    ...disagree,
    worseThanUnbound: 'a resolver sees one server only',
  },
  {
    name: 'one of two servers says NXDOMAIN for all types',
    why: 'a zone that was emptied',
    host: 'www',
    zone: ['www CNAME {target}'],
    servers: [knot, { program: 'nsd', faults: { types: { '*': 'NXDOMAIN' } } }],
    ...disagree,
    worseThanUnbound: 'a resolver sees one server only',
  },
  {
    name: 'one of two servers says NXDOMAIN for AAAA',
    why: 'the alias of the other type decides',
    host: 'www',
    zone: ['www CNAME {target}'],
    servers: [knot, { program: 'nsd', faults: { types: { AAAA: 'NXDOMAIN' } } }],
    ...yes,
    betterThanUnbound: 'every server is asked',
  },
];

/** Servers of one zone with different data. */
export const staleServers: readonly CorpusName[] = [...staleNames, ...more];
