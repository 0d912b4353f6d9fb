import type { ProjectDomain } from '../generated/project-domain.ts';
import { findCondition } from '../rules/conditions.ts';
import { table } from './text-table.ts';

type Status = NonNullable<ProjectDomain['status']>;

/** A domain as the commands show it; what `--json` prints of one. */
export interface DomainSummary {
  readonly namespace: string;
  readonly name: string;
  readonly hostname: string;
  readonly project: string;
  readonly role: string;
  /** null until the operator has looked at it for the first time */
  readonly state: string | null;
  readonly reason: string;
  readonly message: string;
  readonly records: NonNullable<Status['records']>;
  readonly issues: NonNullable<Status['issues']>;
  readonly certificate: { readonly notAfter: string } | null;
}

const unseen = Object.freeze({ reason: 'Waiting', message: 'the operator has not looked at it yet; see that it runs' });

export function domainSummary({ metadata, spec, status = {} }: ProjectDomain): DomainSummary {
  const { reason, message } = findCondition(status.conditions, 'Ready') ?? unseen;
  const { state = null, records = [], issues = [], certificate } = status;
  return {
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    hostname: spec.hostname,
    project: spec.project,
    role: spec.role ?? 'Primary',
    state,
    reason,
    message,
    records,
    issues,
    certificate: certificate?.notAfter ? { notAfter: certificate.notAfter } : null,
  };
}

/** `www.example.com: Unverified (RecordMissing)`, and below it why, unless the issues say the same. */
export function printSummary(view: DomainSummary): string {
  const why = isToldByIssues(view) ? '' : `\n  ${view.message}`;
  return `${view.hostname}: ${view.state ?? 'new'} (${view.reason})${why}`;
}

/** The message of a domain repeats what the issue that matters most says at length. */
export const isToldByIssues = ({ message, issues }: DomainSummary): boolean =>
  issues.some((issue) => message.includes(issue.message));

/** What was found instead of what is wanted, with what to do about it; '' when nothing is. */
export function printIssues({ issues }: DomainSummary): string {
  return issues
    .map(({ code, message, record, fix }) =>
      [`${code}: ${message}`, ...(record ? [`  found: ${record}`] : []), `  to do: ${fix}`].join('\n'),
    )
    .join('\n');
}

/** What the customer must create, as a registrar's form wants it. */
export function printRecords({ records }: DomainSummary): string {
  const rows = records.map(({ type, name, value, ttl }) => [type, name, value, String(ttl)]);
  return table(['Type', 'Name', 'Value', 'TTL'], rows);
}
