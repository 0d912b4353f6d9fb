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

/** What a row of records is called: by what is to be done with it, or by its place among alternatives. */
export interface LabelledRow {
  readonly row: RecordRow;
  readonly label: 'Delete' | 'Add' | 'Need' | 'Keep' | 'Either' | 'Or' | 'And';
  /** the number of the step that begins with this row, where records are made in steps; else null */
  readonly step: number | null;
  /** how many records are the alternative that begins with this row */
  readonly together: number;
}

/** Needed, but nobody has looked for it yet. */
export const isWanted = ({ act, status }: RecordRow): boolean => act === 'Add' && status === 'Unknown';

export const isChange = ({ act }: RecordRow): boolean => act === 'Delete' || act === 'Add';

/** How many steps the rows are where some are alternatives: one is made of each such group, by a record or by several. Null where none are. */
export const stepCount = (rows: readonly RecordRow[]): number | null =>
  rows.some(({ act }) => act === 'Or') ? rows.filter(isChange).length : null;

/** Rows in the order of `recordRows`, in which alternatives follow the record that they may replace. */
export function labelledRows(rows: readonly RecordRow[]): readonly LabelledRow[] {
  const inSteps = stepCount(rows) !== null;
  return rows.map((row, index): LabelledRow => {
    const rest = rows.slice(index + 1);
    const step = inSteps && isChange(row) ? rows.slice(0, index + 1).filter(isChange).length : null;
    if (row.act === 'Add' && rest[0]?.act === 'Or') return { row, label: 'Either', step, together: 1 };
    if (row.act !== 'Or') return { row, label: isWanted(row) ? 'Need' : row.act, step, together: 1 };
    const others = rest.findIndex(({ act }) => act !== 'Or');
    const together = 1 + (others === -1 ? rest.length : others);
    return { row, label: rows[index - 1]?.act === 'Or' ? 'And' : 'Or', step, together };
  });
}
