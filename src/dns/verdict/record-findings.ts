import type { RecordStatus } from '../../rules/desired-records.ts';
import type { DnsRecord } from '../dns-facts.ts';
import { outcomesAt, recordsAt } from '../observed-records.ts';
import type { DnsIssue, RecordFinding, Verdict } from './dns-verdict.ts';
import type { IssueSubject } from './issue-subject.ts';
import { ownershipVerdict } from './ownership-verdict.ts';
import { desiredRouting, routingChanges } from './record-changes.ts';
import type { RoutingVerdict } from './proofs/routing-proof.ts';

/** How many records at one name are shown. */
const mostFound = 8;

/**
 * What was found for each record that may have to be created. One that an issue creates is not there, even if something
 * else leads here: an address where only a CNAME proves the hostname, or a wildcard that a record below would end.
 */
export function recordFindings(
  subject: IssueSubject,
  routing: RoutingVerdict,
  issues: readonly Pick<DnsIssue, 'create'>[],
): readonly RecordFinding[] {
  const { facts, wanted } = subject;
  const { txt } = wanted;
  const atHostname = recordsAt(facts, wanted.hostname, ['A', 'AAAA']);
  const { type, fqdn } = desiredRouting(subject);
  const isCreated = issues.some(({ create }) => create.some((one) => one.type === type && one.fqdn === fqdn));
  const isElsewise = routing.verdict === 'yes' && isCreated;
  const ofRouting: RecordFinding = {
    purpose: 'Routing',
    status: isElsewise ? 'Wrong' : routingStatus(subject, routing, atHostname),
    found: printed(atHostname),
  };
  if (!txt) return [ofRouting];
  const isAsked = outcomesAt(facts, txt.name, ['TXT']).length > 0;
  const found = recordsAt(facts, txt.name, ['TXT']);
  const ownership = () => ownershipVerdict(facts, { ...wanted, txtRequired: true }, routing);
  const status = isAsked ? ownershipStatus(ownership(), found) : 'Unknown';
  return [ofRouting, { purpose: 'Ownership', status, found: printed(found) }];
}

const printed = (records: readonly DnsRecord[]): readonly string[] =>
  records.slice(0, mostFound).map(({ type, value }) => `${type} ${value}`);

function routingStatus(subject: IssueSubject, { verdict, code }: Verdict, found: readonly DnsRecord[]): RecordStatus {
  if (verdict === 'yes') return 'Found';
  if (verdict === 'unknown') return code === 'ServersDisagree' ? 'Stale' : 'Unknown';
  if (found.length === 0) return 'Missing';
  return routingChanges(subject).create.length === 0 ? 'Conflicting' : 'Wrong';
}

/** Other texts at the name are no conflict. */
function ownershipStatus({ verdict, code }: Verdict, found: readonly DnsRecord[]): RecordStatus {
  if (verdict === 'yes') return 'Found';
  if (verdict === 'unknown') return code === 'ServersDisagree' ? 'Stale' : 'Unknown';
  return code === 'TxtWrong' || found.some(({ type }) => type === 'CNAME') ? 'Wrong' : 'Missing';
}
