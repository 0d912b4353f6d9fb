import type { RecordStatus } from '../../rules/desired-records.ts';
import { isWildcard } from '../../rules/wildcard.ts';
import type { DnsRecord } from '../dns-facts.ts';
import { outcomesAt, recordsAt } from '../observed-records.ts';
import type { IssueSubject } from './dns-issue.ts';
import type { DnsIssue, RecordFinding, Verdict } from './dns-verdict.ts';
import { isOwnershipSlip, ownershipVerdict, ownershipByTxt } from './ownership-verdict.ts';
import { routingByDelegation } from './proofs/routing-by-delegation.ts';
import type { RoutingVerdict } from './proofs/routing-proof.ts';
import { desiredRouting, routingChanges } from './record-changes.ts';

/** How many records at one name are shown. */
const mostFound = 8;

/**
 * What was found for each record that may have to be created. One that an issue creates is not there, even if something
 * else leads here: an address where only a CNAME proves the hostname, or a wildcard that a record below would end.
 * `byDns` is whether the hostname leads here, `routing` the same where a delegation stands for it.
 */
export function recordFindings(
  subject: IssueSubject,
  { byDns, routing }: Readonly<Record<'byDns' | 'routing', RoutingVerdict>>,
  issues: readonly Pick<DnsIssue, 'create'>[],
): readonly RecordFinding[] {
  return [routingFinding(subject, byDns, issues), ...ownershipFinding(subject, routing), ...delegationFinding(subject)];
}

function routingFinding(
  subject: IssueSubject,
  routing: RoutingVerdict,
  issues: readonly Pick<DnsIssue, 'create'>[],
): RecordFinding {
  const { facts, wanted } = subject;
  const found = recordsAt(facts, wanted.hostname, ['A', 'AAAA']);
  const { type, name } = desiredRouting(subject);
  const isCreated = issues.some(({ create }) => create.some((one) => one.type === type && one.fqdn === name));
  if (routing.verdict === 'yes' && isCreated) return { purpose: 'Routing', status: 'Wrong', found: printed(found) };
  const misled = () => (routingChanges(subject).create.length === 0 ? 'Conflicting' : 'Wrong');
  const status = statusOf(routing, () => (found.length === 0 ? 'Missing' : misled()));
  return { purpose: 'Routing', status, found: printed(found) };
}

/** Other texts at the name are no conflict. */
function ownershipFinding(subject: IssueSubject, routing: RoutingVerdict): readonly RecordFinding[] {
  const { facts, wanted } = subject;
  const { txt } = wanted;
  if (!txt) return [];
  if (outcomesAt(facts, txt.name, ['TXT']).length === 0)
    return [{ purpose: 'Ownership', status: 'Unknown', found: [] }];
  const found = recordsAt(facts, txt.name, ['TXT']);
  const ownership = isWildcard(wanted.hostname)
    ? ownershipByTxt(facts, txt)
    : ownershipVerdict(facts, { ...wanted, txtRequired: true }, routing);
  const isWrong = isOwnershipSlip(ownership.code) || found.some(({ type }) => type === 'CNAME');
  return [
    { purpose: 'Ownership', status: statusOf(ownership, () => (isWrong ? 'Wrong' : 'Missing')), found: printed(found) },
  ];
}

/** Of a hostname that is prepared before it is switched. */
function delegationFinding({ facts, wanted }: IssueSubject): readonly RecordFinding[] {
  const { delegation } = wanted;
  if (!delegation) return [];
  const found = recordsAt(facts, delegation.name, ['TXT']);
  const verdict = routingByDelegation(facts, wanted, delegation);
  const status = statusOf(verdict, () => (verdict.code === 'DelegationMissing' ? 'Missing' : 'Wrong'));
  return [{ purpose: 'Certificate', status, found: printed(found) }];
}

function statusOf({ verdict, code }: Verdict, otherwise: () => RecordStatus): RecordStatus {
  if (verdict === 'yes') return 'Found';
  if (verdict === 'unknown') return code === 'ServersDisagree' ? 'Stale' : 'Unknown';
  return otherwise();
}

const printed = (records: readonly DnsRecord[]): readonly string[] =>
  records.slice(0, mostFound).map(({ type, value }) => `${type} ${value}`);
