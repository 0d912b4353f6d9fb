import type { DnsFacts, DnsRecord, NameFacts, DnsOutcome, RecordType, SourceView } from '../../src/dns/dns-facts.ts';

/** Shorthand for outcomes: `NX`, `NODATA`, a cause of unknown, `-> name` for an alias, `-> one, other` for two, or values of records. */
export type Said = string | readonly string[];

const causes = ['servfail', 'refused', 'timeout', 'not-authoritative', 'bounds-exceeded'] as const;

function outcome(name: string, type: RecordType, said: Said): DnsOutcome {
  if (typeof said !== 'string') return { kind: 'records', records: said.map((value) => record(name, type, value)) };
  if (said === 'NX') return { kind: 'nxdomain' };
  if (said === 'NODATA') return { kind: 'nodata' };
  const cause = causes.find((known) => known === said);
  if (cause) return { kind: 'unknown', cause };
  if (said.startsWith('-> ')) {
    const [alias, ...more] = said
      .slice(3)
      .split(', ')
      .map((value) => record(name, 'CNAME', value));
    if (alias) return { kind: 'alias', record: alias, ...(more.length > 0 ? { beside: more } : {}) };
  }
  throw new Error(`what does '${said}' mean?`);
}

function record(name: string, type: RecordType, value: string): DnsRecord {
  const caa = /^(\d+) (\S+) "(.*)"$/.exec(value);
  if (type !== 'CAA' || !caa) return { name, type, ttl: 60, value };
  const [, flags = '', tag = '', text = ''] = caa;
  return { name, type, ttl: 60, value, caa: { flags: Number(flags), tag, value: text } };
}

export type View = Partial<Record<RecordType, Said>>;

/** What servers (and resolvers) say of one name. */
export function name(
  at: string,
  servers: readonly View[],
  resolvers: readonly View[] = [],
  zone: string | null = 'example.com',
): NameFacts {
  const views = (list: readonly View[], prefix: string): readonly SourceView[] =>
    list.map((view, index) => ({
      source: `${prefix}${index}`,
      outcomes: Object.fromEntries(
        Object.entries(view).map(([type, said]) => [type, outcome(at, type as RecordType, said)]),
      ),
    }));
  return {
    name: at,
    zone,
    nameServers: servers.map((_, index) => `ns${index}`),
    authorities: views(servers, 'ns'),
    resolvers: views(resolvers, 'resolver '),
  };
}

export function facts(hostname: string, names: readonly NameFacts[]): DnsFacts {
  return { hostname, names: Object.fromEntries(names.map((entry) => [entry.name, entry])), asked: [] };
}

/** The same answer for address questions of both families. */
export const addresses = (said: Said): View => ({ A: said, AAAA: typeof said === 'string' ? said : 'NODATA' });
