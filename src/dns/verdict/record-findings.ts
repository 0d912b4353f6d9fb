import type { RecordStatus } from '../../rules/desired-records.ts';
import type { DnsRecord } from '../dns-facts.ts';
import { outcomesAt, recordsAt } from '../observed-records.ts';
import type { DnsIssue, RecordFinding, Verdict } from './dns-verdict.ts';
import type { IssueSubject } from './issue-subject.ts';
import type { OwnershipSlip } from './ownership-slip.ts';
import { ownershipVerdict } from './ownership-verdict.ts';
import { isWildcard } from '../../rules/wildcard.ts';
import { ownershipByTxt } from './proofs/ownership-by-txt.ts';
import { routingByDelegation } from './proofs/routing-by-delegation.ts';
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
  { byDns, routing }: RoutingVerdicts,
  issues: readonly Pick<DnsIssue, 'create'>[],
): readonly RecordFinding[] {
  return [
    ...recordsOfRouting(subject, byDns, issues),
    ...ownershipFinding(subject, routing),
    ...delegationFinding(subject),
  ];
}

/** Whether the hostname leads here, and the same where a delegation stands for it. */
interface RoutingVerdicts {
  readonly byDns: RoutingVerdict;
  readonly routing: RoutingVerdict;
}

function recordsOfRouting(
  subject: IssueSubject,
  routing: RoutingVerdict,
  issues: readonly Pick<DnsIssue, 'create'>[],
): readonly RecordFinding[] {
  const { facts, wanted } = subject;
  const atHostname = recordsAt(facts, wanted.hostname, ['A', 'AAAA']);
  const { type, fqdn } = desiredRouting(subject);
  const isCreated = issues.some(({ create }) => create.some((one) => one.type === type && one.fqdn === fqdn));
  const isElsewise = routing.verdict === 'yes' && isCreated;
  const status = isElsewise ? 'Wrong' : routingStatus(subject, routing, atHostname);
  return [{ purpose: 'Routing', status, found: printed(atHostname) }];
}

function ownershipFinding(subject: IssueSubject, routing: RoutingVerdict): readonly RecordFinding[] {
  const { facts, wanted } = subject;
  const { txt } = wanted;
  if (!txt) return [];
  const isAsked = outcomesAt(facts, txt.name, ['TXT']).length > 0;
  const found = recordsAt(facts, txt.name, ['TXT']);
  const ownership = () =>
    isWildcard(wanted.hostname)
      ? ownershipByTxt(facts, txt)
      : ownershipVerdict(facts, { ...wanted, txtRequired: true }, routing);
  const status = isAsked ? ownershipStatus(ownership(), found) : 'Unknown';
  return [{ purpose: 'Ownership', status, found: printed(found) }];
}

/** Of a hostname that is prepared before it is switched. */
function delegationFinding({ facts, wanted }: IssueSubject): readonly RecordFinding[] {
  const { delegation } = wanted;
  if (!delegation) return [];
  const found = recordsAt(facts, delegation.name, ['TXT']);
  const { verdict, code } = routingByDelegation(facts, wanted, delegation);
  return [{ purpose: 'Certificate', status: statusOf(verdict, code), found: printed(found) }];
}

function statusOf(verdict: Verdict['verdict'], code: Verdict['code']): RecordStatus {
  if (verdict === 'yes') return 'Found';
  if (verdict === 'unknown') return code === 'ServersDisagree' ? 'Stale' : 'Unknown';
  return code === 'DelegationMissing' ? 'Missing' : 'Wrong';
}

const printed = (records: readonly DnsRecord[]): readonly string[] =>
  records.slice(0, mostFound).map(({ type, value }) => `${type} ${value}`);

function routingStatus(subject: IssueSubject, { verdict, code }: Verdict, found: readonly DnsRecord[]): RecordStatus {
  if (verdict === 'yes') return 'Found';
  if (verdict === 'unknown') return code === 'ServersDisagree' ? 'Stale' : 'Unknown';
  if (found.length === 0) return 'Missing';
  return routingChanges(subject).create.length === 0 ? 'Conflicting' : 'Wrong';
}

const wrongTexts: ReadonlySet<string> = new Set<OwnershipSlip>([
  'TxtQuoted',
  'TxtBareToken',
  'TxtMistyped',
  'TxtWrong',
]);

/** Other texts at the name are no conflict. */
function ownershipStatus({ verdict, code }: Verdict, found: readonly DnsRecord[]): RecordStatus {
  if (verdict === 'yes') return 'Found';
  if (verdict === 'unknown') return code === 'ServersDisagree' ? 'Stale' : 'Unknown';
  return wrongTexts.has(code) || found.some(({ type }) => type === 'CNAME') ? 'Wrong' : 'Missing';
}
