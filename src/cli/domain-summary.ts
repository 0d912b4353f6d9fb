import type { ProjectDomain } from '../generated/project-domain.ts';
import { findCondition } from '../rules/conditions.ts';
import type { DomainState } from '../rules/domain-state.ts';
import type { DomainFields } from '../use-cases/domain-fields.ts';
import { domainFields } from '../use-cases/domain-fields.ts';
import { table } from './terminal-output.ts';

type Status = NonNullable<ProjectDomain['status']>;

/** A domain as the commands show it; what `--json` prints of one. Its fields are called and worded as REST has them. */
export interface DomainSummary extends Omit<DomainFields, 'redirect'> {
  readonly namespace: string;
  readonly name: string;
  /** null until the operator has looked at it for the first time */
  readonly state: DomainState | null;
  readonly reason: string;
  readonly message: string;
  readonly records: NonNullable<Status['records']>;
}

const unseen = Object.freeze({ reason: 'Waiting', message: 'the operator has not looked at it yet; see that it runs' });

export function domainSummary(domain: ProjectDomain): DomainSummary {
  const { metadata, status = {} } = domain;
  const { hostname, project, role, issues, certificate } = domainFields(domain);
  const { reason, message } = findCondition(status.conditions, 'Ready') ?? unseen;
  const { state = null, records = [] } = status;
  return {
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    hostname,
    project,
    role,
    state,
    reason,
    message,
    records,
    issues,
    certificate,
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
