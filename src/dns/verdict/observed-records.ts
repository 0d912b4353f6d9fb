import type { DnsFacts, DnsRecord, DnsOutcome } from '../dns-facts.ts';

type SeenType = 'A' | 'AAAA' | 'TXT' | 'CAA';

/** Addresses that some source shows at the end of the target's own chain. */
export function targetAddresses(facts: DnsFacts, target: string): readonly string[] {
  return [...new Set(chainRecords(facts, target, ['A', 'AAAA']).map(({ value }) => value))];
}

/** Every record of the types at a name and along its aliases, from whichever source. */
export function chainRecords(facts: DnsFacts, start: string, types: readonly SeenType[]): readonly DnsRecord[] {
  const names = chainNames(facts, start, types);
  return names.flatMap((name) => recordsAt(facts, name, types).filter(({ type }) => type !== 'CNAME'));
}

/** A name and every name that some source's aliases lead to from it, each once. */
export function chainNames(facts: DnsFacts, start: string, types: readonly SeenType[]): readonly string[] {
  const names = new Set([start]);
  for (const name of names) {
    for (const outcome of outcomesAt(facts, name, types)) if (outcome.kind === 'alias') names.add(outcome.record.value);
  }
  return [...names];
}

/** Every record, aliases among them, that any source shows at one name. */
export function recordsAt(facts: DnsFacts, name: string, types: readonly SeenType[]): readonly DnsRecord[] {
  const found = new Map<string, DnsRecord>();
  for (const outcome of outcomesAt(facts, name, types)) {
    const records = outcome.kind === 'records' ? outcome.records : outcome.kind === 'alias' ? [outcome.record] : [];
    for (const record of records) found.set(`${record.type} ${record.value}`, record);
  }
  return [...found.values()];
}

/** What every source said of a name. */
export function outcomesAt(facts: DnsFacts, name: string, types: readonly SeenType[]): readonly DnsOutcome[] {
  const at = facts.names[name];
  const views = [...(at?.authorities ?? []), ...(at?.resolvers ?? [])];
  return views.flatMap(({ outcomes }) => types.flatMap((type) => outcomes[type] ?? []));
}
