import type { DnsFacts, DnsOutcome, DnsRecord, NameFacts, RecordType } from '../../src/dns/dns-facts.ts';
import type { DnsIssue, DnsRecordRef } from '../../src/dns/verdict/dns-verdict.ts';

/** A zone as data, and what a check finds in it: an authority without packets. */

export type ZoneRecord = Record<'fqdn' | 'type' | 'value', string>;

const ttl = 60;

/** What a check finds at the names, of servers that each serve their own version of the zone. */
export function zoneFacts(
  hostname: string,
  { apex, versions, names }: { apex: string; versions: readonly (readonly ZoneRecord[])[]; names: readonly string[] },
): DnsFacts {
  const reachable = new Set(names);
  for (const name of reachable)
    for (const record of versions.flat())
      if (record.fqdn === name && record.type === 'CNAME') reachable.add(record.value);
  const types: readonly RecordType[] = ['A', 'AAAA', 'TXT', 'CAA'];
  const factsOf = (name: string): NameFacts => ({
    name,
    zone: name.endsWith(apex) ? apex : null,
    nameServers: [],
    authorities: versions.map((records, index) => ({
      source: `ns${index}.${apex} (192.0.2.${index + 1})`,
      outcomes: Object.fromEntries(types.map((type) => [type, answer(records, name, type)])),
    })),
    resolvers: [],
  });
  return { hostname, names: Object.fromEntries([...reachable].map((name) => [name, factsOf(name)])), asked: [] };
}

function answer(records: readonly ZoneRecord[], name: string, type: RecordType): DnsOutcome {
  const at = records.filter(({ fqdn }) => fqdn === name);
  const alias = at.find((record) => record.type === 'CNAME');
  if (alias) return { kind: 'alias', record: dnsRecord(alias) };
  const found = at.filter((record) => record.type === type).map(dnsRecord);
  if (found.length > 0) return { kind: 'records', records: found };
  return { kind: at.length > 0 ? 'nodata' : 'nxdomain', ttl };
}

function dnsRecord({ fqdn, type, value }: ZoneRecord): DnsRecord {
  const record = { name: fqdn, type: type as RecordType, ttl, value };
  const [, flags = '', tag = '', text = ''] = /^(\d+) (\S+) "(.*)"$/.exec(type === 'CAA' ? value : '') ?? [];
  return type === 'CAA' ? { ...record, caa: { flags: Number(flags), tag, value: text } } : record;
}

/** The zone after its owner did exactly what the issues list. An ALIAS shows the addresses given. */
export function afterAdvice(
  records: readonly ZoneRecord[],
  issues: readonly Pick<DnsIssue, 'delete' | 'create'>[],
  addresses: readonly string[],
): readonly ZoneRecord[] {
  const isSame = (record: ZoneRecord, { fqdn, type, value }: DnsRecordRef) =>
    record.fqdn === fqdn && record.type === type && (value === '*' || record.value === value);
  const deletions = issues.flatMap((issue) => issue.delete);
  const creations = issues
    .flatMap(({ create }) => create)
    .flatMap(({ fqdn, type, value }): readonly ZoneRecord[] =>
      type === 'ALIAS' ? addresses.map((address) => ({ fqdn, type: 'A', value: address })) : [{ fqdn, type, value }],
    );
  const aliased = new Set(creations.filter(({ type }) => type === 'CNAME').map(({ fqdn }) => fqdn));
  const kept = records.filter(
    (record) => !aliased.has(record.fqdn) && !deletions.some((deletion) => isSame(record, deletion)),
  );
  const all = [...kept, ...creations].map((record) => [JSON.stringify(record), record] as const);
  return [...new Map(all).values()];
}
