import type { DnsFacts, DnsRecord, DnsOutcome } from '../dns-facts.ts';

type ObservedType = 'A' | 'AAAA' | 'TXT' | 'CAA';

/** Addresses that any source returned at the end of the target's own alias chain. */
export function targetAddresses(facts: DnsFacts, target: string): readonly string[] {
  return [...new Set(chainRecords(facts, target, ['A', 'AAAA']).map(({ value }) => value))];
}

/** Every record of the types at a name and along its aliases, from any source. */
export function chainRecords(facts: DnsFacts, start: string, types: readonly ObservedType[]): readonly DnsRecord[] {
  const names = chainNames(facts, start, types);
  return names.flatMap((name) => recordsAt(facts, name, types).filter(({ type }) => type !== 'CNAME'));
}

/** A name and every name that aliases from any source lead to from it, each once. */
export function chainNames(facts: DnsFacts, start: string, types: readonly ObservedType[]): readonly string[] {
  const names = new Set([start]);
  for (const name of names) {
    for (const outcome of outcomesAt(facts, name, types)) if (outcome.kind === 'alias') names.add(outcome.record.value);
  }
  return [...names];
}

/** Every record at one name, including aliases, from any source. */
export function recordsAt(facts: DnsFacts, name: string, types: readonly ObservedType[]): readonly DnsRecord[] {
  const found = new Map<string, DnsRecord>();
  for (const outcome of outcomesAt(facts, name, types)) {
    const records = outcome.kind === 'records' ? outcome.records : outcome.kind === 'alias' ? [outcome.record] : [];
    for (const record of records) found.set(`${record.type} ${record.value}`, record);
  }
  return [...found.values()];
}

/** The outcomes of every source for a name. */
export function outcomesAt(facts: DnsFacts, name: string, types: readonly ObservedType[]): readonly DnsOutcome[] {
  const at = facts.names[name];
  const views = [...(at?.authorities ?? []), ...(at?.resolvers ?? [])];
  return views.flatMap(({ outcomes }) => types.flatMap((type) => outcomes[type] ?? []));
}
