import { isWithin } from '../../rules/hostname.ts';
import type { DnsCode } from '../../rules/verdict-codes.ts';
import type { DnsFacts, DnsOutcome, NameFacts, RecordType, SourceView, UnknownCause } from '../dns-facts.ts';
import type { ObservedType } from '../observed-records.ts';
import { chainNames, recordsOf } from '../observed-records.ts';
import type { ServerReport } from './dns-verdict.ts';

/** How many values of one answer are shown. */
const shownValues = 6;

/** A server with what it said about the types, in a few words. */
export function reportOf({ source, witness, outcomes }: SourceView, types: readonly RecordType[]): ServerReport {
  const said = types.flatMap((type) =>
    outcomes[type] ? [printed(outcomes[type], type, typesLike(outcomes, type))] : [],
  );
  const address = witness?.address ?? '';
  const server = address !== '' && source.endsWith(` (${address})`) ? source.slice(0, -address.length - 3) : source;
  return { server, address, answer: [...new Set(said)].join(', ') };
}

/** The types that a server fails for in the same way as for this one, as words: `A, AAAA`. */
function typesLike(outcomes: SourceView['outcomes'], type: RecordType): string {
  const failing = outcomes[type];
  if (failing?.kind !== 'unknown') return type;
  const isLike = (other: DnsOutcome): boolean =>
    other.kind === 'unknown' && other.cause === failing.cause && other.code === failing.code;
  const like = Object.entries(outcomes).filter(([, other]) => isLike(other));
  return like.map(([of]) => of).join(', ');
}

function printed(outcome: DnsOutcome, type: RecordType, failing: string): string {
  if (outcome.kind === 'alias')
    return recordsOf(outcome)
      .slice(0, shownValues)
      .map((one) => `${one.type} ${one.value}${one.type === 'CNAME' ? '.' : ''}`)
      .join(' ');
  if (outcome.kind === 'records') {
    const values = outcome.records.slice(0, shownValues).map(({ value }) => value);
    return `${type} ${values.join(' ')}`;
  }
  if (outcome.kind === 'unknown') return causes[outcome.cause](failing, outcome.code ?? '');
  return outcome.kind === 'nxdomain' ? 'no such name' : `no ${type} record`;
}

/** By the types in question and the response code. */
const causes: Readonly<Record<UnknownCause, (types: string, code: string) => string>> = {
  servfail: (types) => `failed for ${types} (SERVFAIL)`,
  refused: (types) => `refused to answer for ${types} (REFUSED)`,
  timeout: (types) => `did not answer for ${types}`,
  'not-authoritative': (types) => `answered for ${types} without authority: it does not serve the zone`,
  malformed: (types) => `gave an answer for ${types} that cannot be read`,
  'error-code': (types, code) => `answered ${code} for ${types}`,
  unreachable: () => 'cannot be reached',
  'address-not-allowed': () => 'has an address that is not public',
  'bounds-exceeded': () =>
    'has more than one check reads (bounds-exceeded: 64 records of one type at a name, 100 packets)',
};

/** Why the types are unknown at a server. */
export const causesOf = ({ outcomes }: SourceView, types: readonly RecordType[]): readonly UnknownCause[] =>
  types.flatMap((type) => (outcomes[type]?.kind === 'unknown' ? [outcomes[type].cause] : []));

/** Does the server answer the question, and not serve the zone? */
export const isLameOutcome = (outcome: DnsOutcome): boolean => outcome.kind === 'unknown' && isLameCause(outcome.cause);

const isLameCause = (cause: UnknownCause): boolean => cause === 'refused' || cause === 'not-authoritative';

/** Does the server answer every question, and not serve the zone? */
export const isLame = (causes: readonly UnknownCause[]): boolean => causes.length > 0 && causes.every(isLameCause);

/** A question of a check: a name, and the types of records that were asked for there. */
export interface TypedQuestion {
  readonly start: string;
  readonly types: readonly ObservedType[];
}

/** The first name on the way from the question whose own servers, each of them, left a type without a usable answer. */
export const unansweredName = (facts: DnsFacts, { start, types }: TypedQuestion): NameFacts | undefined =>
  chainNames(facts, start, types)
    .flatMap((name) => facts.names[name] ?? [])
    .find(({ authorities }) => authorities.every((view) => causesOf(view, types).length > 0));

/** The types that some server of a name gave no usable answer for. */
export const failingTypes = ({ authorities }: NameFacts, types: readonly ObservedType[]): readonly ObservedType[] =>
  types.filter((type) => authorities.some((view) => causesOf(view, [type]).length > 0));

/**
 * Why it is unknown, more exactly: servers that answer other questions about their zone in the same check are there, and serve it. What they
 * fail for is one type of record, which is no matter of a registrar.
 */
export function codeOfUnknown(facts: DnsFacts, code: DnsCode, question: TypedQuestion): DnsCode {
  if (code !== 'NoUsableAnswer' && code !== 'LameDelegation') return code;
  const failed = unansweredName(facts, question);
  if (failed === undefined || !isRead(facts, failed)) return code;
  const causes = failed.authorities.flatMap((view) => causesOf(view, question.types));
  return causes.some((cause) => ofTheCheck.has(cause)) ? code : 'TypeUnanswered';
}

/** Our own rules and limits, which say nothing about the server. */
const ofTheCheck: ReadonlySet<UnknownCause> = new Set(['bounds-exceeded', 'address-not-allowed']);

/** Has a server of the name answered anything about its zone in this check? */
export function isRead({ names }: DnsFacts, { name, zone, authorities }: NameFacts): boolean {
  if (zone === null || !isWithin(name, zone)) return false;
  const servers = new Set(authorities.map(({ source }) => source));
  const ofZone = Object.values(names).filter((one) => one.zone === zone && isWithin(one.name, zone));
  return ofZone.some((one) => one.authorities.some((view) => servers.has(view.source) && saysSomething(view)));
}

const saysSomething = ({ outcomes }: SourceView): boolean =>
  Object.keys(outcomes).some((type) => outcomes[type as RecordType]?.kind !== 'unknown');
