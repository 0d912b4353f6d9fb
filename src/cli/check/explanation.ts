import type { CutAgreement, DnsFacts, DnsOutcome, NameFacts, SourceView } from '../../dns/dns-facts.ts';
import { recordsOf } from '../../dns/observed-records.ts';
import { table } from '../terminal-output.ts';

/** What each server answered, by name. */
export interface Explanation {
  /** every zone cut from the root to the hostname, with how many servers of its parent agree on it */
  readonly delegation: readonly CutAgreement[];
  readonly names: readonly NameExplanation[];
}

interface NameExplanation {
  readonly name: string;
  readonly zone: string | null;
  readonly answers: readonly ServerAnswer[];
}

interface ServerAnswer {
  /** `ns1.example.com (192.0.2.1)` or `resolver 192.0.2.53` */
  readonly server: string;
  readonly type: string;
  /** `records`, `alias`, `nodata`, `nxdomain`, or why there is no usable answer, such as `address-not-allowed` */
  readonly outcome: string;
  /** seconds; the smallest of the set, null without records */
  readonly ttl: number | null;
  readonly values: readonly string[];
}

export const explain = ({ hostname, names }: DnsFacts): Explanation => ({
  delegation: [...new Map(names[hostname]?.cuts?.map((cut) => [cut.zone, cut])).values()],
  names: Object.values(names).map(explainName),
});

const explainName = ({ name, zone, authorities, resolvers }: NameFacts): NameExplanation => ({
  name,
  zone,
  answers: [...authorities, ...resolvers].flatMap(answersOf),
});

const answersOf = ({ source, outcomes }: SourceView): readonly ServerAnswer[] =>
  Object.entries(outcomes).map(([type, outcome]) => ({ server: source, type, ...shown(outcome) }));

function shown(outcome: DnsOutcome): Pick<ServerAnswer, 'outcome' | 'ttl' | 'values'> {
  if (outcome.kind === 'unknown')
    return { outcome: outcome.code?.toLowerCase() ?? outcome.cause, ttl: null, values: [] };
  if (outcome.kind === 'alias')
    return {
      outcome: 'alias',
      ttl: outcome.record.ttl,
      values: recordsOf(outcome).map(({ type, value }) => `${type} ${value}`),
    };
  if (outcome.kind !== 'records') return { outcome: outcome.kind, ttl: null, values: [] };
  const { records } = outcome;
  return {
    outcome: 'records',
    ttl: Math.min(...records.map(({ ttl }) => ttl)),
    values: records.map(({ value }) => value),
  };
}

/** The explanation and the questions for people, in lines. */
export function printExplanation(explanation: Explanation, asked: DnsFacts['asked']): readonly string[] {
  const { delegation, names } = explanation;
  return [
    'zones from the root down, and how many servers of the zone above give the same delegation:',
    ...(delegation.length === 0 ? ['  the delegation could not be followed to its end'] : delegation.map(printCut)),
    ...names.flatMap(printName),
    '',
    'queries, in the order of their answers:',
    ...indented(
      table(
        ['server', 'question', 'answer', 'time'],
        asked.map(({ server, question, outcome, ms }) => [server, question, outcome, `${ms} ms`]),
      ),
    ),
  ];
}

const printCut = ({ zone, servers, agreeing }: CutAgreement): string => `  ${zone}  ${agreeing} of ${servers}`;

/** As many values as a person reads. */
const shownValues = 8;

function printName({ name, zone, answers }: NameExplanation): readonly string[] {
  const rows = answers.map(({ server, type, outcome, ttl, values }) => [
    server,
    type,
    outcome,
    ttl === null ? '-' : `${ttl} s`,
    values.slice(0, shownValues).join(', ') + (values.length > shownValues ? ', …' : ''),
  ]);
  const heading = `${name}${zone === null ? ', whose zone was not found' : `, in zone ${zone === '' ? '.' : zone}`}:`;
  if (rows.length === 0) return ['', heading, '  no server was queried'];
  return ['', heading, ...indented(table(['server', 'type', 'answer', 'ttl', 'values'], rows))];
}

const indented = (text: string): readonly string[] => text.split('\n').map((line) => `  ${line}`);
