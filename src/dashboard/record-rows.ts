import { needsAddresses } from '../rules/dns-hosts/dns-hosts.ts';
import type { DnsHost } from '../rules/dns-hosts/known-dns-hosts.ts';
import { isWarning } from '../rules/issue-acts.ts';
import type { RecordStatus } from '../rules/desired-records.ts';
import type { DomainView, RecordView } from '../use-cases/domain-view.ts';
import type { IssueView, RecordRefView } from '../use-cases/issue-view.ts';

/** What is to be done with one record in DNS. `Or`: instead of the ALIAS above it. */
const recordActs = ['Delete', 'Add', 'Or', 'Keep'] as const;
type RecordAct = (typeof recordActs)[number];

/** A record that is needed, or that blocks one, as a form for records has it. */
export interface RecordRow {
  readonly act: RecordAct;
  readonly type: string;
  /** relative to the zone */
  readonly name: string;
  readonly fqdn: string;
  /** `*` in what to delete: all records of the type */
  readonly value: string;
  /** seconds; null where it does not matter */
  readonly ttl: number | null;
  /** what the last check found of a record that is needed; null for one that only an issue names */
  readonly status: RecordStatus | null;
  /** what was found instead, such as `A 192.0.2.1` */
  readonly found: readonly string[];
}

type Subject = Pick<DomainView, 'state' | 'reason' | 'records' | 'issues'>;

/** Every record to delete, to create and to keep, in this order; each once. */
export function recordRows(domain: Subject, dnsHost: DnsHost | null): readonly RecordRow[] {
  const errors = domain.issues.filter((issue) => !isWarning(issue));
  const deletions = errors.flatMap((issue) => issue.delete.map((one) => rowOf(one, 'Delete')));
  const needed = domain.records
    .filter((record) => isTime(record, domain))
    .flatMap((record) => neededRows(record, domain, dnsHost));
  const creations = errors.flatMap((issue) => issue.create.map((one) => rowOf(one, 'Add')));
  const known = new Set(domain.records.map(keyOf));
  const others = creations.filter((row) => !known.has(keyOf(row)));
  const rows = unique([...deletions, ...needed, ...others]);
  return recordActs.flatMap((act) => rows.filter((row) => groupOf(row) === act));
}

/** A hostname that is prepared keeps leading to its former server until everything here is ready for it. */
const isTime = ({ purpose }: RecordView, { records, reason }: Subject): boolean =>
  purpose !== 'Routing' || reason === 'ReadyToSwitch' || !records.some((other) => other.purpose === 'Certificate');

/** An alternative stays with the record that it may replace. */
const groupOf = ({ act }: RecordRow): RecordAct => (act === 'Or' ? 'Add' : act);

const keyOf = ({ type, fqdn, value }: Pick<RecordRow, 'type' | 'fqdn' | 'value'>): string =>
  `${type} ${fqdn} ${value}`.toLowerCase();

const unique = (rows: readonly RecordRow[]): readonly RecordRow[] => [
  ...new Map(rows.map((row) => [`${row.act} ${keyOf(row)}`, row])).values(),
];

const rowOf = ({ name, fqdn, type, value }: RecordRefView, act: RecordAct): RecordRow => ({
  ...{ act, name, fqdn, type, value },
  ttl: null,
  status: null,
  found: [],
});

function neededRows(record: RecordView, domain: Subject, dnsHost: DnsHost | null): readonly RecordRow[] {
  const { name, fqdn, type, value, ttl, status, found } = record;
  const act = isInPlace(record, domain) ? 'Keep' : 'Add';
  const row: RecordRow = { act, name, fqdn, type, value, ttl, status, found };
  const stands = act === 'Keep' && type === 'CNAME' && status === 'Found' ? addressesAmong(found) : [];
  if (stands.length > 0) return stands.map((one) => ({ ...row, ...one, ttl: null, found: [] }));
  const addresses = type === 'ALIAS' && act === 'Add' ? addressesIn(domain.issues) : [];
  if (addresses.length === 0 || (dnsHost !== null && !needsAddresses(dnsHost))) return [row];
  const instead = addresses.map((address): RecordRow => ({
    ...row,
    act: dnsHost === null ? 'Or' : 'Add',
    type: address.includes(':') ? 'AAAA' : 'A',
    value: address,
  }));
  return dnsHost === null ? [row, ...instead] : instead;
}

const there: readonly RecordStatus[] = ['Found', 'Stale', 'Conflicting'];

/** Whether a record was found. What is not known of a domain that was served before is among its issues. */
function isInPlace({ status }: RecordView, { state, issues }: Subject): boolean {
  if (status !== 'Unknown') return there.includes(status);
  if (state === 'Live' || state === 'Verified') return true;
  return (state === 'Degraded' || state === 'Suspended') && issues.every(isWarning);
}

/** The address records that stand where a CNAME was asked for; none where an alias is among what was found. */
function addressesAmong(found: readonly string[]): readonly Pick<RecordRow, 'type' | 'value'>[] {
  const records = found.map((text) => {
    const [type = '', ...value] = text.split(' ');
    return { type, value: value.join(' ') };
  });
  return records.every(({ type }) => type === 'A' || type === 'AAAA') ? records : [];
}

/** The platform's addresses, which an issue about a missing ALIAS names. */
function addressesIn(issues: readonly IssueView[]): readonly string[] {
  const named = issues.find(({ params }) => params.addresses)?.params.addresses ?? '';
  return named.split(',').flatMap((address) => address.trim() || []);
}
