import type { DnsOutcome, RecordType, UnknownCause } from '../dns-facts.ts';
import type { Response } from './dns-message.ts';

/** The outcome of asking a zone's server for one name and type. A non-authoritative answer (lame server) is unknown. */
export function authorityOutcome(name: string, type: RecordType, response: Response | UnknownCause): DnsOutcome {
  if (typeof response === 'string') return { kind: 'unknown', cause: response };
  const fault = faultOf(response);
  if (fault) return { kind: 'unknown', cause: fault };
  if (!response.authoritative) return { kind: 'unknown', cause: 'not-authoritative' };
  return outcomeAt(name, type, response);
}

/** The outcome of asking a recursive resolver, for the first name of the alias chain that it returns. */
export function resolverOutcome(name: string, type: RecordType, response: Response | UnknownCause): DnsOutcome {
  if (typeof response === 'string') return { kind: 'unknown', cause: response };
  const fault = faultOf(response);
  return fault ? { kind: 'unknown', cause: fault } : outcomeAt(name, type, response);
}

function faultOf({ rcode }: Response): UnknownCause | null {
  if (rcode === 'NOERROR' || rcode === 'NXDOMAIN') return null;
  if (rcode === 'SERVFAIL') return 'servfail';
  return rcode === 'REFUSED' ? 'refused' : 'malformed';
}

/** Uses only the records at exactly this name; other names of the chain are queried separately. */
function outcomeAt(name: string, type: RecordType, { rcode, answers, authorities }: Response): DnsOutcome {
  const at = answers.filter((record) => record.name === name);
  const records = at.filter((record) => record.type === type);
  if (records.length > 0) return { kind: 'records', records };
  const alias = at.find((record) => record.type === 'CNAME');
  if (alias) return { kind: 'alias', record: alias };
  const soa = authorities.find((record) => record.type === 'SOA');
  return { kind: rcode === 'NXDOMAIN' ? 'nxdomain' : 'nodata', ...(soa ? { ttl: soa.ttl } : {}) };
}
