import type { DnsFacts, DnsOutcome, NameFacts, RecordType, SourceView, UnknownCause } from '../dns-facts.ts';
import { chainNames } from '../observed-records.ts';
import type { ObservedType } from '../observed-records.ts';

/** What is wrong with name servers: a sentence for the message, and the act. */
export interface ServerFault {
  readonly message: string;
  readonly fix: string;
}

/** How many servers an issue names. */
const shownServers = 6;

/**
 * The servers of a name that give different answers, each with what it says. `isRight` tells whether a view alone would
 * be a yes: then the record is right, and only the other servers are behind.
 */
export function disagreement(
  { name, zone, authorities }: NameFacts,
  types: readonly ObservedType[],
  isRight: (view: SourceView) => boolean,
): ServerFault {
  const heard = authorities.filter(({ outcomes }) =>
    types.some((type) => (outcomes[type]?.kind ?? 'unknown') !== 'unknown'),
  );
  const message = heard
    .slice(0, shownServers)
    .map((view) => `${view.source}: ${answersOf(view, types)}`)
    .join('; ');
  const right = heard.filter(isRight);
  const behind = heard.filter((view) => !right.includes(view)).map(({ source }) => source);
  const servers = behind.slice(0, shownServers).join(', ');
  const fix =
    right.length > 0
      ? `leave the records as they are: ${servers} ${behind.length === 1 ? 'does' : 'do'} not have them yet. If that lasts, ask the company that manages your DNS to bring it up to date, or remove it from the name servers of ${zone ?? name}`
      : `make all name servers of ${zone ?? name} give the same answer`;
  return { message, fix };
}

const answersOf = ({ outcomes }: SourceView, types: readonly RecordType[]): string =>
  [...new Set(types.flatMap((type) => (outcomes[type] ? [printed(outcomes[type], type)] : [])))].join(', ');

function printed(outcome: DnsOutcome, type: RecordType): string {
  if (outcome.kind === 'alias') return `CNAME ${outcome.record.value}.`;
  if (outcome.kind === 'records')
    return `${type} ${outcome.records
      .map(({ value }) => value)
      .slice(0, shownServers)
      .join(' ')}`;
  if (outcome.kind === 'unknown') return causes[outcome.cause];
  return outcome.kind === 'nxdomain' ? 'no such name' : `no ${type} record`;
}

const causes: Readonly<Record<UnknownCause, string>> = {
  servfail: 'failed (SERVFAIL)',
  refused: 'refused to answer',
  timeout: 'did not answer',
  'not-authoritative': 'does not serve the zone',
  malformed: 'gave an answer that cannot be read',
  unreachable: 'cannot be reached',
  'address-not-allowed': 'has an address that is not public',
  'bounds-exceeded': 'has more than one check reads (bounds-exceeded: 64 records of one type at a name, 100 packets)',
};

/** Why the servers of a name, or of a name that its aliases lead to, gave no usable answer, and who has to act. */
export function silence(facts: DnsFacts, start: string, types: readonly ObservedType[]): ServerFault {
  const failed = chainNames(facts, start, types)
    .flatMap((name) => facts.names[name] ?? [])
    .find(isUnanswered(types));
  const views = failed?.authorities ?? [];
  if (failed === undefined || views.length === 0) {
    const isTooMuch = facts.asked.some(({ outcome }) => outcome === 'bounds-exceeded');
    const message = isTooMuch
      ? `the way to ${start} ${causes['bounds-exceeded']}`
      : `no name server on the way to ${start} gave a usable answer`;
    return { message, fix: `check at your registrar that the domain is registered, paid for and has name servers` };
  }
  const zone = failed.zone ?? failed.name;
  const told = views.slice(0, shownServers).map((view) => `${view.source} ${causeOf(view, types)}`);
  return { message: told.join('; '), fix: actFor(zone, new Set(views.flatMap((view) => causesOf(view, types)))) };
}

const isUnanswered =
  (types: readonly ObservedType[]) =>
  ({ authorities, resolvers }: NameFacts): boolean =>
    [...authorities, ...resolvers].every((view) => causesOf(view, types).length > 0);

const causesOf = ({ outcomes }: SourceView, types: readonly ObservedType[]): readonly UnknownCause[] =>
  types.flatMap((type) => (outcomes[type]?.kind === 'unknown' ? [outcomes[type].cause] : []));

const causeOf = (view: SourceView, types: readonly ObservedType[]): string =>
  [...new Set(causesOf(view, types))].map((cause) => causes[cause]).join(', ') || 'answered';

/** One act, for the cause that the owner can do most about. */
function actFor(zone: string, found: ReadonlySet<UnknownCause>): string {
  if (found.has('bounds-exceeded')) return `reduce the records at the names that ${zone} leads through`;
  if (found.has('address-not-allowed') && found.size === 1) {
    return `give the name servers of ${zone} public addresses, or enter those of the company that hosts your DNS at your registrar`;
  }
  if ([...found].every((cause) => cause === 'refused' || cause === 'not-authoritative')) {
    return `at your registrar, enter the name servers of the company that hosts the DNS of ${zone}, or add ${zone} there: those it has do not serve it`;
  }
  return `nothing to change in the records: ask the company that manages the DNS of ${zone} why its name servers do not answer; we try again automatically`;
}
