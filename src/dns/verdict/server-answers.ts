import type { DnsOutcome, RecordType, SourceView, UnknownCause } from '../dns-facts.ts';
import { recordsOf } from '../observed-records.ts';
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

/** Does the server answer every question, and not serve the zone? */
export const isLame = (causes: readonly UnknownCause[]): boolean =>
  causes.length > 0 && causes.every((cause) => cause === 'refused' || cause === 'not-authoritative');
