import type { Delegation } from '../../rules/challenge-delegation.ts';
import { isWildcard } from '../../rules/wildcard.ts';
import { recordsAt } from '../observed-records.ts';
import type { IssueSubject, NamedRecord } from './dns-issue.ts';
import { issueAt } from './dns-issue.ts';
import type { DnsIssue, DnsVerdict } from './dns-verdict.ts';
import { aliasAt, routingByDelegation } from './proofs/routing-by-delegation.ts';
import { serverIssues } from './server-issues.ts';

/** What is wrong with the delegation of the challenge name, for a hostname that is prepared before it is switched. */
export function delegationIssues(
  subject: IssueSubject,
  routing: DnsVerdict['routing'],
  delegation: Delegation,
): readonly DnsIssue[] {
  if (routing.verdict === 'yes') return [];
  const { facts, wanted } = subject;
  const { name, value } = delegation;
  const create: readonly NamedRecord[] = [{ name, type: 'CNAME', value }, ...besideWildcard(subject, name)];
  if (routing.code === 'ChallengeNameInUse')
    return [issueAt(subject, routing.code, { name, act: 'SwitchWithoutPreparing' })];
  if (routing.verdict === 'no') {
    const isTold = routing.code === 'DelegationWrong' || routing.code === 'SeveralCnames';
    const found = isTold ? recordsAt(facts, name, ['TXT']) : [];
    const wrong = found.filter((record) => record.value !== value);
    const missing = wrong.length === found.length ? create : [];
    return [issueAt(subject, routing.code, { name, delete: wrong, create: missing })];
  }
  return [
    serverIssues(subject, routing.code, {
      start: name,
      types: ['TXT'],
      evaluate: (seen) => routingByDelegation(seen, wanted, delegation),
      tooLarge: () => ({ delete: [], create }),
    }),
  ];
}

/**
 * A wildcard that serves the hostname ends where a name below the hostname is created (RFC 4592, section 2.2.2), and the site with it: then the
 * hostname needs the wildcard's alias as a record of its own. A wildcard itself ends nowhere else.
 */
function besideWildcard({ facts, wanted }: IssueSubject, name: string): readonly NamedRecord[] {
  if (isWildcard(wanted.hostname)) return [];
  const former = aliasAt(facts, wanted.hostname);
  const isOfWildcard = recordsAt(facts, name, ['TXT']).some(({ type, value }) => type === 'CNAME' && value === former);
  if (former === null || !isOfWildcard) return [];
  return [{ name: wanted.hostname, type: 'CNAME', value: former }];
}
