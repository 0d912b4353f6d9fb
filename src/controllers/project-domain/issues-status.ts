import type { DnsRecordRef } from '../../dns/verdict/dns-verdict.ts';
import type { ProjectDomain } from '../../generated/project-domain.ts';
import { schemaBounds, clip } from '../../resources/object-limits.ts';
import { timestamp } from '../../rules/conditions.ts';
import type { DomainState } from '../../rules/domain-state.ts';
import { isWarning } from '../../rules/issue-acts.ts';
import { isRefusalCode } from '../../rules/codes/refusal-codes.ts';
import { isRouteCode } from '../../rules/codes/route-codes.ts';
import type { FoundIssue } from './issues-without-record.ts';
import type { EvaluatedProjectDomain } from './project-domain-snapshot.ts';
import { refusalIssues, routeIssues } from './issues-without-record.ts';

type IssueFields = NonNullable<NonNullable<ProjectDomain['status']>['issues']>[number];

/** Why the domain is not Live, or may not stay so, errors before warnings; none while the domain is Pending. */
export function issuesStatus(snapshot: EvaluatedProjectDomain, state: DomainState): readonly IssueFields[] {
  if (state === 'Pending') return [];
  const { domain, now } = snapshot;
  const before = domain.status?.issues ?? [];
  const others = [...routeIssues(snapshot), ...refusalIssues(snapshot, state)].map((issue) =>
    fieldsOf(issue, before, now),
  );
  const all = [...dnsIssues(snapshot, before), ...others];
  return [...all.filter((one) => !isWarning(one)), ...all.filter(isWarning)].slice(0, schemaBounds.issues);
}

/**
 * The issues of this reconcile's check, or the previous ones where DNS was not checked. A confirmation looks at routing alone, so the
 * warnings of the last full check stay.
 */
function dnsIssues({ verdict, now }: EvaluatedProjectDomain, before: readonly IssueFields[]): readonly IssueFields[] {
  if (verdict && !verdict.isConfirmation) return verdict.issues.map((issue) => fieldsOf(issue, before, now));
  const ofDns = before.filter(({ code }) => !isRouteCode(code) && !isRefusalCode(code));
  return verdict ? ofDns.filter(isWarning) : ofDns;
}

function fieldsOf(issue: FoundIssue, before: readonly IssueFields[], now: number): IssueFields {
  const { code, severity, act, actor } = issue;
  const [message, record, fix] = [issue.message, issue.record, issue.fix].map(text);
  const same = before.find((earlier) => earlier.code === code && earlier.record === record);
  const params = Object.entries(issue.params).map(([name, value]) => [name, text(value)] as const);
  return {
    code,
    message: message ?? '',
    record: record ?? '',
    fix: fix ?? '',
    severity,
    act,
    actor,
    params: Object.fromEntries(params),
    delete: issue.delete.slice(0, schemaBounds.issueRecords).map(reference),
    create: issue.create.slice(0, schemaBounds.issueRecords).map(reference),
    servers: issue.servers.slice(0, schemaBounds.issueServers).map(({ server, address, answer }) => ({
      server: clip(server, schemaBounds.recordValue),
      address: clip(address, schemaBounds.serverAddress),
      answer: clip(answer, schemaBounds.recordValue),
    })),
    since: same?.since ?? timestamp(now),
  };
}

const text = (long: string): string => clip(long, schemaBounds.issueText);

const reference = ({ name, fqdn, type, value }: DnsRecordRef) => ({
  name: clip(name, schemaBounds.recordName),
  fqdn: clip(fqdn, schemaBounds.recordName),
  type,
  value: clip(value, schemaBounds.recordValue),
});
