import type { CorpusName } from '../corpus-name.ts';
import { knot, no, nsd, unknown, unproven, yes } from './expected.ts';

type Row = readonly [
  name: string,
  why: string,
  zone: readonly string[],
  verdicts: Pick<CorpusName, 'routing' | 'ownership' | 'caa'>,
  beside?: Partial<CorpusName>,
];

const elsewhere = 'www A 198.51.100.7';
const right = '_acme-challenge.www CNAME {delegation}';

/** Served elsewhere still, on real servers: what stands at the challenge name is all that can prove anything. */
const rows: readonly Row[] = [
  ['with its delegation', 'whoever can create it can switch the hostname', [elsewhere, right], yes],
  ['without a delegation', 'nothing proves it yet', [elsewhere], no('DelegationMissing')],
  [
    'with a delegation to another name of the challenge zone',
    'it may be another domain’s',
    [elsewhere, '_acme-challenge.www CNAME older.acme.platform.net.'],
    no('DelegationWrong'),
  ],
  [
    'with a delegation to the present host',
    'taken away, its renewals fail',
    [elsewhere, '_acme-challenge.www CNAME www.validation.host.net.'],
    no('ChallengeNameInUse'),
  ],
  [
    'with a challenge of the present host',
    'taken away, its renewals fail',
    [elsewhere, '_acme-challenge.www TXT "abc"'],
    no('ChallengeNameInUse'),
  ],
  [
    'that a wildcard serves',
    'RFC 4592 section 2.2.2: a name below it ends the wildcard for it',
    ['* CNAME host', 'host A 198.51.100.7'],
    no('DelegationMissing'),
  ],
  [
    'whose challenge name is a zone of its own',
    'another company may serve it',
    [elsewhere, '_acme-challenge.www NS {knot}', '_acme-challenge.www NS {nsd}'],
    no('ChallengeNameInUse'),
    { zones: { '_acme-challenge.www': ['@ NS {knot}', '@ NS {nsd}', '@ TXT "abc"'] } },
  ],
  [
    'with its delegation at one server alone',
    'the authority may ask the other one',
    [elsewhere, right],
    { routing: 'unknown ServersDisagree', ownership: 'unknown ServersDisagree', caa: 'yes' },
    { servers: [knot, { ...nsd, serves: [elsewhere] }], worseThanUnbound: 'a resolver asks one server' },
  ],
  [
    'whose servers are gone',
    'nothing is known',
    [elsewhere, right],
    unknown('NoUsableAnswer'),
    { servers: [{ ...knot, isGone: true }] },
  ],
  [
    'that somebody else has had, with its delegation alone',
    'a name of others needs the ownership record too',
    [elsewhere, right],
    unproven('TxtMissing'),
    { txtRequired: true },
  ],
  [
    'that leads here already',
    'the record is no longer needed',
    ['www CNAME {target}', '_acme-challenge.www CNAME older.acme.platform.net.'],
    yes,
  ],
  [
    'at the apex',
    'the challenge name is below it',
    ['@ A 198.51.100.7', '_acme-challenge CNAME {delegation}'],
    yes,
    { host: '@' },
  ],
];

const shared = '* CNAME {target}';

/** Proven by its delegation alone, wherever it leads. */
const wildcards: readonly Row[] = [
  [
    'with its delegation',
    'whoever can create it has the whole zone',
    [shared, '_acme-challenge CNAME {delegation}'],
    yes,
  ],
  ['without a delegation', 'the target says where it leads, not whose it is', [shared], unproven('DelegationMissing')],
  [
    'with the ownership record alone',
    'a text of the base proves the base',
    [shared, '_projectdomain-challenge TXT {right}'],
    unproven('DelegationMissing'),
  ],
];

const named = (what: string, host: string, of: readonly Row[]): readonly CorpusName[] =>
  of.map(([name, why, zone, verdicts, beside]) => ({
    name: `${what} ${name}`,
    why,
    host,
    zone,
    prepared: true,
    ...verdicts,
    ...beside,
  }));

export const preparedNames: readonly CorpusName[] = [
  ...named('a prepared hostname', 'www', rows),
  ...named('a wildcard', '*', wildcards),
];
