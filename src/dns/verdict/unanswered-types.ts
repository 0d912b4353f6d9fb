import { isWithin } from '../../rules/hostname.ts';
import type { DnsCode } from '../../rules/verdict-codes.ts';
import type { DnsFacts, NameFacts, RecordType, SourceView, UnknownCause } from '../dns-facts.ts';
import type { ObservedType } from '../observed-records.ts';
import { chainNames } from '../observed-records.ts';
import { causesOf } from './server-answers.ts';

/** A question of a check: a name, and the types of records that were asked for there. */
interface TypedQuestion {
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
