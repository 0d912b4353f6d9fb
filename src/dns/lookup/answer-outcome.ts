import type { DnsOutcome, DnsRecord, RecordType, UnknownCause } from '../dns-facts.ts';
import type { Response } from '../wire/dns-message.ts';
import { printedRcode } from '../wire/dns-message.ts';

/** The outcome of asking a zone's server for one name and type. A non-authoritative answer (lame server) is unknown. */
export function authorityOutcome(name: string, type: RecordType, response: Response | UnknownCause): DnsOutcome {
  if (typeof response !== 'string' && !response.authoritative && !faultOf(response))
    return { kind: 'unknown', cause: 'not-authoritative' };
  return resolverOutcome(name, type, response);
}

/** The outcome of asking a recursive resolver, for the first name of the alias chain that it returns. */
export function resolverOutcome(name: string, type: RecordType, response: Response | UnknownCause): DnsOutcome {
  if (typeof response === 'string') return { kind: 'unknown', cause: response };
  return faultOf(response) ?? outcomeAt(name, type, response);
}

function faultOf({ rcode }: Response): DnsOutcome | null {
  if (rcode === 'NOERROR' || rcode === 'NXDOMAIN') return null;
  if (rcode === 'SERVFAIL') return { kind: 'unknown', cause: 'servfail' };
  if (rcode === 'REFUSED') return { kind: 'unknown', cause: 'refused' };
  return { kind: 'unknown', cause: 'error-code', code: printedRcode(rcode) };
}

/** Uses only the records at exactly this name; other names of the chain are queried separately. */
function outcomeAt(name: string, type: RecordType, { rcode, answers, authorities }: Response): DnsOutcome {
  const at = answers.filter((record) => record.name === name);
  const records = at.filter((record) => record.type === type);
  const aliases = aliasesIn(at);
  const [alias] = aliases;
  const isAddress = type === 'A' || type === 'AAAA';
  if (alias && (records.length === 0 || isAddress)) {
    const beside = [...aliases.slice(1), ...records];
    return { kind: 'alias', record: alias, ...(beside.length > 0 ? { beside } : {}) };
  }
  if (records.length > 0) return { kind: 'records', records };
  const soa = authorities.find((record) => record.type === 'SOA');
  return { kind: rcode === 'NXDOMAIN' ? 'nxdomain' : 'nodata', ...(soa ? { ttl: soa.ttl } : {}) };
}

/** The CNAME records, each value once, in an order of their own: that of an answer says nothing, and changes. */
const aliasesIn = (records: readonly DnsRecord[]): readonly DnsRecord[] => {
  const byValue = new Map(records.flatMap((one) => (one.type === 'CNAME' ? [[one.value, one] as const] : [])));
  return [...byValue.values()].toSorted((a, b) => (a.value < b.value ? -1 : 1));
};
