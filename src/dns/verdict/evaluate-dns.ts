import type { Delegation } from '../../rules/challenge-delegation.ts';
import { isWildcard } from '../../rules/wildcard.ts';
import type { DnsFacts, DnsRecord } from '../dns-facts.ts';
import { addressRecords, chainRecords, eachOnce, recordsAt, targetAddresses } from '../observed-records.ts';
import { caaIssues } from './caa-issues.ts';
import { caaVerdict } from './caa-verdict.ts';
import type { VantagePointView } from './combine-vantage-points.ts';
import { combineVantagePoints } from './combine-vantage-points.ts';
import { delegationIssues } from './delegation-issues.ts';
import type { IssueSubject } from './dns-issue.ts';
import { issueAt } from './dns-issue.ts';
import { ownershipIssues, routingIssues } from './dns-issues.ts';
import type { CaIdentity, DnsIssue, DnsVerdict, DesiredDns, Verdict } from './dns-verdict.ts';
import { withDnssec } from './dnssec-verdict.ts';
import { httpsHintIssues } from './https-hint-issues.ts';
import { ownershipVerdict } from './ownership-verdict.ts';
import { tokenAddresses } from './platform-addresses.ts';
import { routingByDelegation } from './proofs/routing-by-delegation.ts';
import type { RoutingVerdict } from './proofs/routing-proof.ts';
import { chainOf, desiredRouting } from './record-changes.ts';
import { recordFindings } from './record-findings.ts';
import { ownershipCause, routingCause } from './records-elsewhere.ts';
import { routingVerdict } from './routing-verdict.ts';
import { silentServers } from './server-issues.ts';
import type { TypedQuestion } from './server-answers.ts';
import { codeOfUnknown } from './server-answers.ts';

/** Evaluates what a check found, at each vantage point that was asked: three verdicts, and what to change. Pure. */
export function evaluateDns(facts: DnsFacts, wanted: DesiredDns): DnsVerdict {
  const here = evaluateHere(facts, wanted);
  const elsewhere = (facts.elsewhere ?? []).map(({ vantagePoint: name, facts: found }) => ({
    name,
    view: found && evaluateHere(found, wanted),
  }));
  const verdict = elsewhere.length === 0 ? here.verdict : combineVantagePoints(wanted, here, elsewhere);
  return Object.freeze(withDnssec(verdict, facts));
}

/** An ACME account that certificates may be ordered with, and who CAA records have to permit for it. */
export interface AccountIdentity {
  /** null where the issuer has one account alone, without a name */
  readonly name: string | null;
  readonly ca: CaIdentity;
}

/**
 * Evaluates what a check found where any of some accounts may order: CAA says yes where it permits one of them, and no where it
 * permits none. What has to be changed is said for the first of them, as one record is enough. Pure.
 */
export function evaluateForAccounts(
  facts: DnsFacts,
  wanted: DesiredDns,
  [preferred, ...others]: readonly AccountIdentity[],
): DnsVerdict {
  if (!preferred || wanted.ca === null) return evaluateDns(facts, wanted);
  const of = ({ name, ca }: AccountIdentity) => ({ name, verdict: evaluateDns(facts, { ...wanted, ca }) });
  const first = of(preferred);
  if (others.length === 0) return first.verdict;
  const all = [first, ...others.map(of)];
  const permitted = all.filter(({ verdict }) => verdict.caa.verdict === 'yes');
  const unknown = all.find(({ verdict }) => verdict.caa.verdict === 'unknown');
  const { verdict } = permitted[0] ?? unknown ?? first;
  if (permitted.length === 0 || permitted.length === all.length) return verdict;
  return Object.freeze({ ...verdict, permittedAccounts: permitted.flatMap(({ name }) => name ?? []) });
}

/** The verdict by what one vantage point found, with the issues of each question. */
function evaluateHere(facts: DnsFacts, wanted: DesiredDns): VantagePointView {
  const zone = facts.names[wanted.hostname]?.zone ?? null;
  const subject = { facts, wanted, zone };
  const verdicts = verdictsOn(subject);
  const { byDns, delegation, routing, ownership, caa } = verdicts;
  const issues = {
    routing: delegation ? delegationIssues(subject, routing, delegation) : routingIssues(subject, routing),
    ownership: issuesOfOwnership(subject, verdicts),
    caa: caaIssues(subject, caa),
    warnings: [
      ...([routing, ownership, caa].some(({ verdict }) => verdict !== 'unknown') ? silentServers(subject) : []),
      ...formerEdge(subject, routing),
      ...httpsHintIssues(subject, routing),
    ],
  };
  const all = eachOnce([...issues.routing, ...issues.ownership, ...issues.caa, ...issues.warnings], remedyOf);
  const verdict: DnsVerdict = {
    routing: { verdict: routing.verdict, code: routing.code, by: routing.by },
    ownership: { verdict: ownership.verdict, code: ownership.code },
    caa: { verdict: caa.verdict, code: caa.code },
    corroborated: [routing, ownership].every(({ verdict, corroborated }) => verdict === 'yes' && corroborated),
    issues: all,
    records: recordFindings(subject, { byDns, routing }, all),
    chain: chainOf(subject, routing),
    zone,
    nameServers: facts.names[wanted.hostname]?.nameServers ?? [],
    discovered: discovered(facts, wanted),
    targetAddresses: targetAddresses(facts, wanted.target),
    needsToken: tokenAddresses(facts, wanted).length > 0,
  };
  return { verdict: Object.freeze(verdict), issues };
}

/** The three verdicts, each with the most specific code. */
function verdictsOn(subject: IssueSubject) {
  const { facts, wanted } = subject;
  const byDns = routingVerdict(facts, wanted);
  const delegation = standingDelegation(byDns, wanted);
  const found = delegation ? routingByDelegation(facts, wanted, delegation) : routingCause(subject, byDns);
  const routing = specific(facts, found, {
    start: delegation?.name ?? wanted.hostname,
    types: delegation ? ['TXT'] : ['A', 'AAAA'],
  });
  const ca = authorityFor(wanted, routing);
  const txtName = wanted.txt?.name ?? wanted.hostname;
  const byOwner = ownershipCause(subject, ownershipVerdict(facts, wanted, routing));
  const ownership = specific(facts, byOwner, { start: txtName, types: ['TXT'] });
  const foundCaa = caaVerdict(facts, wanted.hostname, ca);
  const caa = specific(facts, foundCaa, { start: foundCaa.at ?? wanted.hostname, types: ['CAA'] });
  return { byDns, delegation, routing, ownership, caa };
}

/** The verdict with a more exact code where it is unknown. */
const specific = <V extends Verdict>(facts: DnsFacts, verdict: V, question: TypedQuestion): V =>
  verdict.verdict === 'unknown' ? { ...verdict, code: codeOfUnknown(facts, verdict.code, question) } : verdict;

/** The delegation that stands for routing while the hostname has not led here. */
const standingDelegation = (byDns: RoutingVerdict, { delegation }: DesiredDns): Delegation | null =>
  byDns.verdict !== 'yes' && delegation?.isAhead ? delegation : null;

/** The authority, with the method by which it validates this hostname. */
function authorityFor({ ca, hostname }: DesiredDns, { by }: RoutingVerdict): DesiredDns['ca'] {
  const isByDns01 = by === 'delegation' || isWildcard(hostname);
  return ca && isByDns01 ? { ...ca, method: 'dns-01' } : ca;
}

/** A wildcard is owned by its delegation first: where that stands for routing too, the issues of routing say it already. */
function issuesOfOwnership(
  subject: IssueSubject,
  { ownership, routing, delegation: standsForRouting }: ReturnType<typeof verdictsOn>,
): readonly DnsIssue[] {
  const { facts, wanted } = subject;
  const { delegation = null, hostname } = wanted;
  if (!isWildcard(hostname) || delegation === null) return ownershipIssues(subject, ownership, routing);
  const delegated = routingByDelegation(facts, wanted, delegation);
  if (delegated.verdict === 'yes') return ownershipIssues(subject, ownership, routing);
  return standsForRouting === null ? delegationIssues(subject, delegated, delegation) : [];
}

/** Two questions that fail for the same reason need the same act: whoever reads it reads it once. */
const remedyOf = ({ code, params, fix }: DnsIssue): string => JSON.stringify([code, params, fix]);

/** The records at the hostname, at the end of its aliases, and at the challenge name. */
function discovered(facts: DnsFacts, wanted: DesiredDns): readonly DnsRecord[] {
  const hostname = recordsAt(facts, wanted.hostname, ['A', 'AAAA']);
  const end = chainRecords(facts, wanted.hostname, ['A', 'AAAA']);
  const txt = wanted.txt ? recordsAt(facts, wanted.txt.name, ['TXT']) : [];
  const found = eachOnce([...hostname, ...end, ...txt], ({ name, type, value }) => `${name} ${type} ${value}`);
  return found.slice(0, shownRecords);
}

/** More than people read; a status also has a limit of its own. */
const shownRecords = 128;

/** A hostname that leads here, but not to the edge that its project has: by records of its own, or by its target, which is the platform's. */
function formerEdge(subject: IssueSubject, { verdict, by }: RoutingVerdict): readonly DnsIssue[] {
  const { facts, wanted } = subject;
  const { hostname, target, toldAddresses = [] } = wanted;
  if (verdict !== 'yes' || toldAddresses.length === 0) return [];
  const warning = { params: { target }, severity: 'Warning' } as const;
  const formerAt = (name: string) => addressRecords(facts, name).filter(({ value }) => !toldAddresses.includes(value));
  const found = formerAt(target);
  if (by === 'target' && found.length > 0)
    return [issueAt(subject, 'FormerEdge', { ...warning, act: 'MoveTarget', found })];
  const wrong = by === 'addresses' ? formerAt(hostname) : [];
  if (wrong.length === 0) return [];
  return [issueAt(subject, 'FormerEdge', { ...warning, delete: wrong, create: [desiredRouting(subject)] })];
}
