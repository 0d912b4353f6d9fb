import type { CorpusName, NameServer } from '../corpus-name.ts';
import type { Faults } from '../../support/dns-servers/faulty-server.ts';

const yes = { routing: 'yes', ownership: 'yes', caa: 'yes' } as const;
const unknown = {
  routing: 'unknown NoUsableAnswer',
  ownership: 'unknown NoUsableAnswer',
  caa: 'unknown NoUsableAnswer',
} as const;
const lame = {
  routing: 'unknown LameDelegation',
  ownership: 'unknown LameDelegation',
  caa: 'unknown LameDelegation',
} as const;
const right = ['www CNAME {target}'];
const good: NameServer = { program: 'nsd' };
const faulty = (faults: Faults): NameServer => ({ program: 'knot', faults });
const gone: NameServer = { program: 'knot', isGone: true };

/** Each fault of one server of two, and of all: a good one decides, and without one nobody can tell. */
function withFault(
  what: string,
  why: string,
  faults: Faults,
  verdicts: typeof unknown | typeof lame = unknown,
): readonly CorpusName[] {
  return [
    { name: `one of two servers ${what}`, why, host: 'www', zone: right, servers: [faulty(faults), good], ...yes },
    {
      name: `the second of two servers ${what}`,
      why,
      host: 'www',
      zone: right,
      servers: [good, faulty(faults)],
      ...yes,
    },
    {
      name: `every server ${what}`,
      why,
      host: 'www',
      zone: right,
      servers: [faulty(faults), faulty(faults)],
      ...verdicts,
      ...(faults.lame ? { worseThanUnbound: 'a resolver takes an answer without authority' } : {}),
    },
  ];
}

/** Faults that a careful question gets around, so that even such servers alone give an answer. */
function survived(what: string, why: string, faults: Faults): readonly CorpusName[] {
  const beside = faults.edns === 'silence' ? { betterThanUnbound: 'a resolver does not ask again without EDNS' } : {};
  return [
    {
      name: `every server ${what}`,
      why,
      host: 'www',
      zone: right,
      servers: [faulty(faults), faulty(faults)],
      ...yes,
      ...beside,
    },
    {
      name: `the only server ${what}`,
      why,
      host: '@',
      zone: ['@ A {ours}', '_projectdomain-challenge TXT {right}'],
      servers: [faulty(faults)],
      ...yes,
      ...beside,
    },
    {
      name: `a name two labels down whose servers ${what}`,
      why,
      host: 'a.b',
      zone: ['a.b CNAME {target}'],
      servers: [faulty(faults), faulty(faults)],
      ...yes,
      ...beside,
    },
  ];
}

export const brokenServers: readonly CorpusName[] = [
  ...withFault('is silent', 'the commonest fault of all', { types: { '*': 'silence' }, tcp: 'silence' }),
  ...withFault('answers SERVFAIL', 'an expired secondary', { types: { '*': 'SERVFAIL' } }),
  ...withFault('answers REFUSED', 'a lame delegation', { types: { '*': 'REFUSED' } }, lame),
  ...withFault('answers NOTIMP', 'a middlebox', { types: { '*': 'NOTIMP' } }),
  ...withFault('answers without authority', 'a resolver in the place of a server', { lame: true }, lame),
  ...withFault('truncates and has no TCP', 'a firewall', { truncates: true, tcp: 'refused' }),
  ...survived('answers FORMERR to EDNS', 'RFC 6891 section 7: ask again without', { edns: 'FORMERR' }),
  ...survived('answers NOTIMP to EDNS', 'old servers', { edns: 'NOTIMP' }),
  ...survived('drops EDNS', 'firewalls of the years before 2019', { edns: 'silence' }),
  ...survived('answers BADVERS to EDNS', 'RFC 6891 section 9', { edns: 'BADVERS' }),
  ...survived('refuses NS questions', 'RFC 9156 section 2.3 wants another question', { types: { NS: 'REFUSED' } }),
  ...survived('drops NS questions', 'load balancers that know A and AAAA', { types: { NS: 'silence' } }),
  ...survived('answers SERVFAIL to NS', 'load balancers', { types: { NS: 'SERVFAIL' } }),
  ...survived('answers NOTIMP to NS', 'load balancers', { types: { NS: 'NOTIMP' } }),
  ...survived('loses the first packet of each question', 'loss happens', { losesFirst: 1 }),
  ...survived('truncates everything', 'RFC 7766: TCP is no option of theirs', { truncates: true }),
  ...survived('folds the case of the question', 'RFC 1034 section 3.1 does not ask for keeping it', {
    foldsCase: true,
  }),
  ...survived('is behind a path with strays', 'another id is somebody else’s packet', { strays: true }),
  ...survived('takes 300 ms', 'the other side of the world', { delayMs: 300 }),
  {
    name: 'two of four servers are gone',
    why: 'half a DNS host is down',
    host: 'www',
    zone: right,
    servers: [gone, gone, { program: 'knot' }, good],
    ...yes,
  },
  {
    name: 'three of four servers are silent',
    why: 'any good one of N gives its verdict',
    host: 'www',
    zone: right,
    servers: [
      faulty({ types: { '*': 'silence' } }),
      faulty({ types: { '*': 'silence' } }),
      faulty({ types: { '*': 'silence' } }),
      good,
    ],
    ...yes,
    betterThanUnbound: 'every server is asked',
  },
  {
    name: 'three of four servers are silent, six labels down',
    why: 'silence is paid once, not at each label',
    host: 'a.b.c.d',
    zone: ['a.b.c.d CNAME {target}'],
    servers: [
      faulty({ types: { '*': 'silence' } }),
      faulty({ types: { '*': 'silence' } }),
      faulty({ types: { '*': 'silence' } }),
      good,
    ],
    ...yes,
    betterThanUnbound: 'every server is asked',
  },
  {
    name: 'the only server is gone',
    why: 'a server that refuses the port says nothing',
    host: 'www',
    zone: right,
    servers: [gone],
    ...unknown,
  },
  {
    name: 'a server that does not have the zone',
    why: 'lame: the other one decides',
    host: 'www',
    zone: right,
    servers: [{ program: 'knot', serves: 'nothing' }, good],
    ...yes,
  },
  {
    name: 'no server has the zone',
    why: 'lame all over: the registrar names the wrong host',
    host: 'www',
    zone: right,
    servers: [
      { program: 'knot', serves: 'nothing' },
      { program: 'nsd', serves: 'nothing' },
    ],
    ...lame,
  },
  {
    name: 'one server has the old zone',
    why: 'a secondary that gets no transfers',
    host: 'www',
    zone: right,
    servers: [{ program: 'knot' }, { program: 'nsd', serves: ['www A 198.51.100.7'] }],
    routing: 'unknown ServersDisagree',
    ownership: 'unknown ServersDisagree',
    caa: 'yes',
    worseThanUnbound: 'a resolver sees one server only',
  },
  {
    name: 'servers with different records and the same verdict',
    why: 'verdicts are compared, not bytes',
    host: 'www',
    zone: right,
    servers: [{ program: 'knot' }, { program: 'nsd', serves: ['www CNAME via', 'via CNAME {target}'] }],
    ...yes,
    betterThanUnbound: 'a resolver may put one answer together from servers that differ',
  },
  {
    name: 'CAA fails at one server',
    why: 'the authority may ask the other one',
    host: 'www',
    zone: right,
    servers: [faulty({ types: { CAA: 'SERVFAIL' } }), good],
    ...yes,
  },
  {
    name: 'CAA fails at every server',
    why: 'RFC 8659: an authority may not issue',
    host: 'www',
    zone: right,
    servers: [faulty({ types: { CAA: 'SERVFAIL' } }), faulty({ types: { CAA: 'SERVFAIL' } })],
    routing: 'yes',
    ownership: 'yes',
    caa: 'unknown TypeUnanswered',
  },
];
