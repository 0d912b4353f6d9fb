import type { DnsOutcome, RecordType, UnknownCause } from '../dns-facts.ts';
import type { Response } from './dns-message.ts';

/** What a zone's server said of one name and type. Not authoritative means not believed (a lame server). */
export function authorityOutcome(name: string, type: RecordType, response: Response | UnknownCause): DnsOutcome {
  if (typeof response === 'string') return { kind: 'unknown', cause: response };
  const fault = faultOf(response);
  if (fault) return { kind: 'unknown', cause: fault };
  if (!response.authoritative) return { kind: 'unknown', cause: 'not-authoritative' };
  return outcomeAt(name, type, response);
}

/** One link of what a recursive resolver said: its answer holds the whole chain. */
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

/** Only what stands at the very name counts: other records of the answer are looked at under their own names. */
function outcomeAt(name: string, type: RecordType, { rcode, answers }: Response): DnsOutcome {
  const at = answers.filter((record) => record.name === name);
  const records = at.filter((record) => record.type === type);
  if (records.length > 0) return { kind: 'records', records };
  const alias = at.find((record) => record.type === 'CNAME');
  if (alias) return { kind: 'alias', record: alias };
  return rcode === 'NXDOMAIN' ? { kind: 'nxdomain' } : { kind: 'nodata' };
}
