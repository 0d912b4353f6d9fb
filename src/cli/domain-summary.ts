import type { ProjectDomain } from '../generated/project-domain.ts';
import { actorWords } from '../dashboard/words/english/record-messages.ts';
import { unicodeOf } from '../use-cases/unicode-hostname.ts';
import { findCondition } from '../rules/conditions.ts';
import type { DomainState } from '../rules/domain-state.ts';
import type { DomainFields } from '../use-cases/domain-view.ts';
import { domainFields, lingersUntil } from '../use-cases/domain-view.ts';
import type { IssueView } from '../use-cases/issue-view.ts';
import { visibleData } from '../lib/printable.ts';
import { table } from './terminal-output.ts';

type Status = NonNullable<ProjectDomain['status']>;
type StatusRecord = NonNullable<Status['records']>[number];

/** A domain as the commands show it and `--json` prints it. Its fields have the same names and values as in REST. */
export interface DomainSummary extends Omit<DomainFields, 'redirect' | 'labels'> {
  readonly namespace: string;
  readonly name: string;
  /** null until the operator has reconciled it for the first time */
  readonly state: DomainState | null;
  readonly reason: string;
  readonly message: string;
  readonly records: readonly StatusRecord[];
  /** until when caches may still give what was there before the records were right; RFC 3339, null if they do not */
  readonly lingersUntil: string | null;
}

const unseen = Object.freeze({
  reason: 'Waiting',
  message: 'the operator has not processed it yet; make sure that it is running',
});

/** `now` in milliseconds since the Unix epoch. */
export function domainSummary(domain: ProjectDomain, now: number): DomainSummary {
  const { metadata, status = {} } = domain;
  const { hostname, project, role, prepare, checkedAt, issues, certificate } = domainFields(domain);
  const { reason, message } = findCondition(status.conditions, 'Ready') ?? unseen;
  const { state = null, records = [] } = status;
  return {
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    hostname,
    project,
    role,
    prepare,
    checkedAt,
    state,
    reason,
    message,
    records,
    lingersUntil: lingersUntil(domain, now),
    issues,
    certificate,
  };
}

/** The hostname as programs know it, with what its owner calls it behind: `xn--mnchen-3ya.example (münchen.example)`. */
export function nameForPeople(hostname: string): string {
  const written = unicodeOf(hostname);
  return written === null ? hostname : `${hostname} (${written})`;
}

/** `www.example.com: Unverified (RecordMissing)`, and the reason below it unless the issues say the same. */
export function printSummary(found: DomainSummary): string {
  const view = visibleData(found);
  const why = isToldByIssues(view) ? '' : `\n  ${view.message}`;
  return `${nameForPeople(view.hostname)}: ${view.state ?? 'new'} (${view.reason})${why}`;
}

/** When DNS was checked, and whether that changed anything: `Checked at 2026-01-31T12:00:00Z: still Unverified.` */
export function printCheck({ checkedAt, state, reason }: DomainSummary, before: DomainSummary): string {
  const isSame = state === before.state && reason === before.reason;
  const seen = `${isSame ? 'still' : 'now'} ${state ?? 'new'}`;
  return checkedAt === null ? `Not checked: ${seen}.` : `Checked at ${checkedAt}: ${seen}.`;
}

/** Whether the domain's message only repeats the most important issue. */
export const isToldByIssues = ({ message, issues }: DomainSummary): boolean =>
  issues.some((issue) => message.includes(issue.message));

/** What was found instead of the desired records, with what to do about it; '' when there are no issues. */
export const printIssues = ({ issues }: DomainSummary): string => printEachIssue(issues).join('\n');

type PrintedIssue = Pick<IssueView, 'code' | 'severity' | 'actor' | 'message' | 'record' | 'fix'>;

/** Each issue with what to do about it; what one before it has said already is not said again. */
export const printEachIssue = (issues: readonly PrintedIssue[]): readonly string[] =>
  issues.map((issue, index) => printIssue(issue, issues.slice(0, index).some(isSameAdvice(issue))));

const isSameAdvice =
  ({ fix, actor }: PrintedIssue) =>
  (other: PrintedIssue): boolean =>
    other.fix === fix && other.actor === actor;

/** What was found, what to do about it, and who has to if it is not whoever edits the records. */
function printIssue(issue: PrintedIssue, isSaidBefore: boolean): string {
  const { code, severity, actor, message, record, fix } = visibleData(issue);
  return [
    `${severity === 'Warning' ? 'Warning ' : ''}${code}: ${message}`,
    ...(record ? [`  found: ${record}`] : []),
    ...(isSaidBefore ? ['  to do: as above'] : [`  to do: ${fix}`]),
    ...(actor === 'Owner' || isSaidBefore ? [] : [`  by: ${actorWords[actor]}`]),
  ].join('\n');
}

/** The records that the customer must create, as entered in a registrar's form, with what the last check found. */
export function printRecords({ records }: DomainSummary): string {
  const rows = records.map(({ type, name, value, ttl, ...seen }) => [type, name, value, String(ttl), inDns(seen)]);
  return table(['Type', 'Name', 'Value', 'TTL', 'In DNS'], rows);
}

/** Why the domain may still look wrong although its records are right; '' if caches have what is there. */
export const printCaches = ({ lingersUntil }: DomainSummary): string =>
  lingersUntil === null ? '' : `Some visitors may still reach the old server until ${lingersUntil}.`;

const inDns = ({ status = 'Unknown', found = [] }: Pick<StatusRecord, 'status' | 'found'>): string =>
  status === 'Found' || found.length === 0 ? status : `${status}: ${found.join(', ')}`;
