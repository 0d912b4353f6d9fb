import type { CorpusName } from '../corpus-name.ts';
import type { CaaRow } from './caa-row.ts';
import { forbids, ours, placed } from './caa-row.ts';

type FailingRow = readonly [
  what: string,
  why: string,
  fault: 'SERVFAIL' | 'NOTIMP' | 'REFUSED' | 'FORMERR' | 'silence',
];

const failing: readonly FailingRow[] = [
  ['NOTIMP', 'an old server that does not know the type', 'NOTIMP'],
  ['REFUSED', 'a filter for unknown types', 'REFUSED'],
  ['FORMERR', 'an old server that cannot read the type', 'FORMERR'],
  ['silence', 'a firewall for unknown types', 'silence'],
];

const failures: readonly CaaRow[] = failing.flatMap(([what, why, fault]): readonly CaaRow[] => [
  {
    name: `${what} for CAA at one of two servers`,
    why: `${why}: the other one answers`,
    zone: ['www CNAME {target}'],
    servers: [{ program: 'knot', faults: { types: { CAA: fault } } }, { program: 'nsd' }],
    caa: 'yes',
  },
  {
    name: `${what} for CAA at the only server`,
    why: `${why}: RFC 8659 section 3 forbids to issue`,
    zone: ['www CNAME {target}'],
    servers: [{ program: 'knot', faults: { types: { CAA: fault } } }],
    caa: 'unknown TypeUnanswered',
  },
]);

const answers: readonly CaaRow[] = [
  {
    name: 'NXDOMAIN for CAA although the name exists',
    why: 'a server that knows few types: it denies the set',
    zone: ['www CNAME {target}'],
    servers: [{ program: 'knot', faults: { types: { CAA: 'NXDOMAIN' } } }],
    caa: 'yes',
  },
  {
    name: 'CAA without authority at the only server',
    why: 'no answer of the zone',
    zone: ['www CNAME {target}'],
    servers: [{ program: 'knot', faults: { lame: ['CAA'] } }],
    caa: 'unknown TypeUnanswered',
  },
  {
    name: 'a set too large for a datagram',
    why: 'RFC 7766: it comes over TCP',
    zone: [
      'www CNAME {target}',
      ...Array.from(
        { length: 40 },
        (_, n) => `@ CAA 0 issue "authority-${n}.long-name-of-a-certificate-authority.test"`,
      ),
      `@ ${ours}`,
    ],
    caa: 'yes',
  },
  {
    name: 'a set too large for a datagram that forbids',
    why: 'RFC 7766: it comes over TCP',
    zone: [
      'www CNAME {target}',
      ...Array.from(
        { length: 40 },
        (_, n) => `@ CAA 0 issue "authority-${n}.long-name-of-a-certificate-authority.test"`,
      ),
    ],
    caa: forbids,
  },
];

/** Servers that do not answer questions for CAA as they should. */
export const caaAnswers: readonly CorpusName[] = [...failures, ...answers].map(placed);
