import type { DnsFacts, DnsRecord, DnsOutcome } from './dns-facts.ts';

/** Aliases of a chain that are followed; of a longer one nobody can say where it leads. */
export const maxAliases = 8;

export type ObservedType = 'A' | 'AAAA' | 'TXT' | 'CAA' | 'HTTPS';
type Observed = Pick<DnsFacts, 'names'>;

/** Addresses that any source returned at the end of the target's own alias chain. */
export function targetAddresses({ names }: Observed, target: string): readonly string[] {
  return [...new Set(addressRecords({ names }, target).map(({ value }) => value))];
}

/** The address records at the end of a name's aliases, from any source. */
export const addressRecords = (facts: Observed, name: string): readonly DnsRecord[] =>
  chainRecords(facts, name, ['A', 'AAAA']);

/** Every record of the types at a name and along its aliases, from any source. */
export function chainRecords({ names }: Observed, start: string, types: readonly ObservedType[]): readonly DnsRecord[] {
  return chainNames({ names }, start, types).flatMap((name) =>
    recordsAt({ names }, name, types).filter(({ type }) => type !== 'CNAME'),
  );
}

/** A name and every name that aliases from any source lead to from it, each once; the first ones, where `atMost` is given. */
export function chainNames(
  { names }: Observed,
  start: string,
  types: readonly ObservedType[],
  atMost = Number.POSITIVE_INFINITY,
): readonly string[] {
  const found = new Set([start]);
  for (const name of found) {
    if (found.size >= atMost) break;
    for (const outcome of outcomesAt({ names }, name, types))
      if (outcome.kind === 'alias') found.add(outcome.record.value);
  }
  return [...found].slice(0, atMost);
}

/** The names of a chain that were followed. */
export const followedNames = (facts: Observed, start: string, types: readonly ObservedType[]): ReadonlySet<string> =>
  new Set(chainNames(facts, start, types, maxAliases + 1));

/** A name and each name above it, up to its top-level domain: the order in which CAA is looked for (RFC 8659 section 3). */
export const withNamesAbove = (name: string): readonly string[] =>
  name.split('.').map((_, index, labels) => labels.slice(index).join('.'));

/** Every record at one name, including aliases, from any source. */
export function recordsAt({ names }: Observed, name: string, types: readonly ObservedType[]): readonly DnsRecord[] {
  const found = new Map<string, DnsRecord>();
  for (const outcome of outcomesAt({ names }, name, types)) {
    for (const record of recordsOf(outcome)) found.set(`${record.type} ${record.value}`, record);
  }
  return [...found.values()];
}

/** The first of those that have a key in common, in their order. */
export const eachOnce = <T>(items: readonly T[], keyOf: (item: T) => string): readonly T[] =>
  [...Map.groupBy(items, keyOf).values()].flatMap(([first]) => first ?? []);

/** Every record of one answer, including aliases. */
export function recordsOf(outcome: DnsOutcome | undefined): readonly DnsRecord[] {
  if (outcome?.kind === 'alias') return [outcome.record, ...(outcome.beside ?? [])];
  return outcome?.kind === 'records' ? outcome.records : [];
}

/** Has the name more than one CNAME? Then nobody can say where it leads. */
export const hasSeveralAliases = (outcome: DnsOutcome | undefined): boolean =>
  outcome?.kind === 'alias' && (outcome.beside ?? []).some(({ type }) => type === 'CNAME');

/** The outcomes of every source for a name. */
export function outcomesAt({ names }: Observed, name: string, types: readonly ObservedType[]): readonly DnsOutcome[] {
  const at = names[name];
  const views = [...(at?.authorities ?? []), ...(at?.resolvers ?? [])];
  return views.flatMap(({ outcomes }) => types.flatMap((type) => outcomes[type] ?? []));
}
