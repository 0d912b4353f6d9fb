import type { Faults } from '../../support/dns-servers/faulty-server.ts';
import type { CorpusName, NameServer } from '../corpus-name.ts';
import { flattened, nsd, toTarget, unknown, unproven, yes } from './expected.ts';

type Row = readonly [what: string, why: string, faults: Faults, beside?: Beside];

/** What is different where this is the only server. */
type Beside = Partial<Pick<CorpusName, 'routing' | 'ownership' | 'caa' | 'worseThanUnbound' | 'betterThanUnbound'>>;

const late: Beside = { betterThanUnbound: 'a resolver gives up earlier' };

const faulty = (faults: Faults): NameServer => ({ program: 'knot', faults });
const noAnswer = unknown('NoUsableAnswer');
const lame = unknown('LameDelegation');

/** Nothing they send is an answer: another server decides, and alone they say nothing. */
const useless: readonly Row[] = [
  ['answers another question', 'RFC 5452 section 9.1: a forgery', { sends: 'another question' }],
  ['answers for another type', 'RFC 5452 section 9.1: a forgery', { sends: 'another type' }],
  ['answers for another class', 'RFC 5452 section 9.1: a forgery', { sends: 'another class' }],
  ['sends the query back', 'QR is not set', { sends: 'a query' }],
  ['answers with another opcode', 'no answer to a query', { sends: 'another opcode' }],
  ['sends half of each answer', 'it cannot be read', { sends: 'half of it', tcp: 'refused' }],
  ['sends names that point to themselves', 'it cannot be read', { sends: 'a loop of pointers' }],
  ['sends headers without question', 'nobody can tell what they answer', { sends: 'header' }],
  ['sends empty datagrams', 'no header', { sends: 'nothing' }],
  ['answers from another port', 'RFC 5452 section 9.1: a forgery', { answersFrom: 'port' }],
  ['answers from another address', 'RFC 5452 section 9.1: a forgery', { answersFrom: '127.0.0.1' }],
  ['truncates and closes TCP at once', 'a filter', { truncates: true, tcp: 'closes' }],
  ['truncates and closes TCP within the answer', 'a broken proxy', { truncates: true, tcp: 'half' }],
  ['truncates and is silent over TCP', 'a firewall', { truncates: true, tcp: 'silence' }],
  [
    'truncates a part and has no TCP',
    'RFC 2181 section 9: a part is no answer',
    { truncates: 'partly', tcp: 'refused' },
  ],
  ['answers FORMERR to everything', 'it cannot read any question', { types: { '*': 'FORMERR' } }],
  [
    'answers FORMERR to everything, without question',
    'it cannot read any question',
    { types: { '*': 'FORMERR' }, bare: true },
  ],
  [
    'answers SERVFAIL without question',
    'a header says nothing about the question',
    { types: { '*': 'SERVFAIL' }, bare: true },
  ],
  ['answers SERVFAIL to EDNS', 'RFC 6891 section 7 knows FORMERR for this', { edns: 'SERVFAIL' }],
  ['answers REFUSED to EDNS', 'RFC 6891 section 7 knows FORMERR for this', { edns: 'REFUSED' }, lame],
  [
    'answers BADVERS to everything',
    'RFC 6891 section 9',
    { types: { '*': 'BADVERS' } },
    { worseThanUnbound: 'a resolver reads the code’s lower bits only' },
  ],
];

const uselessNames: readonly CorpusName[] = useless.flatMap(([what, why, faults, beside]): readonly CorpusName[] => [
  {
    name: `one of two servers ${what}`,
    why,
    ...toTarget,
    servers: [faulty(faults), nsd],
    ...yes,
    ...(faults.tcp === 'silence' ? { betterThanUnbound: 'a resolver may wait for the silent server to the end' } : {}),
  },
  {
    name: `the only server ${what}`,
    why,
    ...toTarget,
    servers: [faulty(faults)],
    ...noAnswer,
    ...beside,
  },
]);

/** A careful question gets an answer from them. */
const survived: readonly Row[] = [
  ['answers FORMERR to EDNS without question', 'RFC 6891 section 7', { edns: 'FORMERR', bare: true }],
  ['answers NOTIMP to EDNS without question', 'RFC 6891 section 7', { edns: 'NOTIMP', bare: true }],
  ['truncates a part of each answer', 'RFC 7766: TCP has it all', { truncates: 'partly' }],
  ['sends every answer twice', 'the network repeats datagrams', { repeats: true }],
  ['sends larger answers than were asked for', 'they arrive all the same', { oversize: true }],
  ['sends bytes after the end of its answers', 'the counts say where it ends', { sends: 'bytes after its end' }],
  ['takes 600 ms', 'longer than the first timeout', { delayMs: 600 }, late],
  ['takes 900 ms', 'longer than two timeouts', { delayMs: 900 }, late],
  ['loses two packets of each question', 'a bad path', { losesFirst: 2 }],
  ['loses every second packet', 'a bad path', { losesEverySecond: true }],
  ['loses the first packet and truncates', 'two faults at once', { losesFirst: 1, truncates: true }],
  ['drops EDNS and folds the case', 'two faults at once', { edns: 'silence', foldsCase: true }, late],
  ['answers FORMERR to EDNS and REFUSED to NS', 'two faults at once', { edns: 'FORMERR', types: { NS: 'REFUSED' } }],
  ['is behind strays and takes 300 ms', 'two faults at once', { strays: true, delayMs: 300 }],
  ['answers NXDOMAIN to NS', 'load balancers deny what they do not know', { types: { NS: 'NXDOMAIN' } }],
  ['has nothing for NS', 'load balancers deny what they do not know', { types: { NS: 'NODATA' } }],
  ['answers FORMERR to NS', 'load balancers', { types: { NS: 'FORMERR' } }],
  ['answers NXDOMAIN to AAAA', 'load balancers: the name exists for A', { types: { AAAA: 'NXDOMAIN' } }],
  ['has nothing for AAAA', 'load balancers without IPv6', { types: { AAAA: 'NODATA' } }],
  ['refuses SOA', 'nobody needs it', { types: { SOA: 'REFUSED' } }],
  ['drops SOA', 'nobody needs it', { types: { SOA: 'silence' } }],
  ['answers NS without authority', 'the other types decide', { lame: ['NS'] }],
];

const survivedNames: readonly CorpusName[] = survived.flatMap(([what, why, faults, beside]): readonly CorpusName[] => [
  { name: `one of two servers ${what}`, why, ...toTarget, servers: [faulty(faults), nsd], ...yes },
  {
    name: `the only server ${what}`,
    why,
    ...toTarget,
    servers: [faulty(faults)],
    ...yes,
    ...beside,
  },
  {
    name: `the only server of an apex ${what}`,
    why,
    host: '@',
    zone: [...flattened],
    servers: [faulty(faults)],
    ...yes,
    ...beside,
  },
]);

interface TypeRow {
  readonly what: string;
  readonly why: string;
  readonly faults: Faults;
  readonly verdicts: Pick<CorpusName, 'routing' | 'ownership' | 'caa'>;
}

const noRouting = { routing: 'unknown TypeUnanswered', ownership: 'yes', caa: 'yes' } as const;
const noTxt = { routing: 'yes', ownership: 'unknown TypeUnanswered', caa: 'yes' } as const;

/** Faults for one type, at an apex with addresses, ownership record and no CAA. */
const types: readonly TypeRow[] = [
  {
    what: 'SERVFAIL for AAAA',
    why: 'an IPv6 address might be there',
    faults: { types: { AAAA: 'SERVFAIL' } },
    verdicts: noRouting,
  },
  {
    what: 'REFUSED for AAAA',
    why: 'an IPv6 address might be there',
    faults: { types: { AAAA: 'REFUSED' } },
    verdicts: noRouting,
  },
  {
    what: 'NOTIMP for AAAA',
    why: 'an IPv6 address might be there',
    faults: { types: { AAAA: 'NOTIMP' } },
    verdicts: noRouting,
  },
  {
    what: 'SERVFAIL for A',
    why: 'another address might be there',
    faults: { types: { A: 'SERVFAIL' } },
    verdicts: noRouting,
  },
  { what: 'A without authority', why: 'no answer of the zone', faults: { lame: ['A'] }, verdicts: noRouting },
  { what: 'AAAA without authority', why: 'no answer of the zone', faults: { lame: ['AAAA'] }, verdicts: noRouting },
  {
    what: 'REFUSED for TXT',
    why: 'nobody can tell who owns it',
    faults: { types: { TXT: 'REFUSED' } },
    verdicts: noTxt,
  },
  {
    what: 'SERVFAIL for TXT',
    why: 'nobody can tell who owns it',
    faults: { types: { TXT: 'SERVFAIL' } },
    verdicts: noTxt,
  },
  {
    what: 'silence for TXT',
    why: 'nobody can tell who owns it',
    faults: { types: { TXT: 'silence' } },
    verdicts: noTxt,
  },
  { what: 'TXT without authority', why: 'no answer of the zone', faults: { lame: ['TXT'] }, verdicts: noTxt },
  {
    what: 'NXDOMAIN for TXT',
    why: 'the server denies the record',
    faults: { types: { TXT: 'NXDOMAIN' } },
    verdicts: unproven('TxtMissing'),
  },
  {
    what: 'nothing for TXT',
    why: 'the server denies the record',
    faults: { types: { TXT: 'NODATA' } },
    verdicts: unproven('TxtMissing'),
  },
];

const typeNames: readonly CorpusName[] = types.flatMap(({ what, why, faults, verdicts }): readonly CorpusName[] => [
  {
    name: `an apex whose only server has ${what}`,
    why,
    host: '@',
    zone: flattened,
    servers: [faulty(faults)],
    ...verdicts,
    ...(faults.lame ? { worseThanUnbound: 'a resolver takes an answer without authority' } : {}),
  },
  ...(verdicts.ownership.startsWith('no')
    ? []
    : [
        {
          name: `an apex of which one server has ${what}`,
          why: 'the other one answers',
          host: '@',
          zone: flattened,
          servers: [faulty(faults), nsd],
          ...yes,
        },
      ]),
]);

const silent = faulty({ types: { '*': 'silence' }, tcp: 'silence' });
const refusing = faulty({ types: { '*': 'REFUSED' } });
const failing = faulty({ types: { '*': 'SERVFAIL' } });

const mixed: readonly CorpusName[] = [
  {
    name: 'four servers with four faults',
    why: 'nobody answers',
    ...toTarget,
    servers: [silent, refusing, failing, faulty({ lame: true })],
    ...noAnswer,
    worseThanUnbound: 'a resolver may take an answer without authority',
  },
  {
    name: 'three servers with three faults and a good one',
    why: 'one good server is enough',
    ...toTarget,
    servers: [silent, refusing, failing, nsd],
    ...yes,
    betterThanUnbound: 'every server is asked',
  },
  {
    name: 'a server that fails A beside one that fails AAAA',
    why: 'neither has a whole answer',
    host: '@',
    zone: flattened,
    servers: [faulty({ types: { A: 'SERVFAIL' } }), faulty({ types: { AAAA: 'SERVFAIL' } })],
    routing: 'unknown TypeUnanswered',
    ownership: 'yes',
    caa: 'yes',
    worseThanUnbound: 'a resolver puts an answer together from several servers',
  },
  {
    name: 'a server that is slow beside one that is silent',
    why: 'the slow one decides',
    ...toTarget,
    servers: [faulty({ delayMs: 300 }), silent],
    ...yes,
    ...late,
  },
  {
    name: 'four slow servers',
    why: 'they are asked at the same time',
    ...toTarget,
    servers: [1, 2, 3, 4].map(() => faulty({ delayMs: 300 })),
    ...yes,
  },
  {
    name: 'a server that refuses beside a hidden good one',
    why: 'the zone cannot be entered',
    ...toTarget,
    servers: [refusing, { ...nsd, isHidden: true }],
    ...lame,
  },
  {
    name: 'two servers that are silent for everything but A',
    why: 'the alias is for all types',
    ...toTarget,
    servers: [1, 2].map(() => faulty({ types: { A: 'NODATA', '*': 'silence' } })),
    ...unknown('TypeUnanswered'),
  },
];

/** Answers that are wrong, partial, late, or not there for some types. */
export const brokenAnswers: readonly CorpusName[] = [...uselessNames, ...survivedNames, ...typeNames, ...mixed];
