import { cdnOf } from '../../rules/cdn-ranges.ts';
import type { TokenAnswer } from '../../rules/domain-token.ts';
import { registrableDomain } from '../../rules/hostname.ts';
import type { IssueAct } from '../../rules/issue-acts.ts';
import type { IssueParams } from '../../rules/issue-params.ts';
import type { DnsCode, ProxyCode } from '../../rules/verdict-codes.ts';
import { isProxyCode } from '../../rules/verdict-codes.ts';
import type { DifferingDelegations, DnsRecord } from '../dns-facts.ts';
import { chainNames, maxAliases, recordsAt } from '../observed-records.ts';
import type { IssueSubject, RecordChanges } from './dns-issue.ts';
import { issueAt } from './dns-issue.ts';
import type { DnsIssue, DnsVerdict, Verdict } from './dns-verdict.ts';
import { ownershipVerdict } from './ownership-verdict.ts';
import { tokenAddresses } from './platform-addresses.ts';
import { deletions, desiredRouting, ownershipChanges, routingChanges } from './record-changes.ts';
import { doubledRecord, doubledText, recordElsewhere, textElsewhere } from './records-elsewhere.ts';
import { routingVerdict } from './routing-verdict.ts';
import { serverIssues } from './server-issues.ts';
import { targetSlip, targetSlips } from './target-slip.ts';
import { typedText } from './typed-text.ts';

/** What is wrong with the routing records, with what to delete and what to create. */
export function routingIssues(subject: IssueSubject, routing: DnsVerdict['routing']): readonly DnsIssue[] {
  if (routing.verdict === 'yes') return [];
  const { wanted } = subject;
  const special = ofDomain(subject, routing) ?? differingDelegations(subject, routing);
  if (special) return [special];
  if (isProxyCode(routing.code)) return [proxyIssue(subject, routing.code)];
  if (isSlip(routing.code)) {
    const act = routing.code === 'ZoneInValue' ? 'EnterFinalDot' : 'ChangeRecords';
    return [issueAt(subject, routing.code, { params: slipParams(subject), ...routingChanges(subject), act })];
  }
  if (routing.verdict === 'no' || isAboutRecords(routing.code))
    return [issueAt(subject, routing.code, routingChanges(subject))];
  return [
    serverIssues(subject, routing.code, {
      start: wanted.hostname,
      types: ['A', 'AAAA'],
      evaluate: (seen) => routingVerdict(seen, wanted),
      tooLarge: (name) => unreadable(subject, name),
    }),
  ];
}

/** The record cannot be where it should, or is somewhere else. */
function ofDomain(subject: IssueSubject, { code }: Verdict): DnsIssue | null {
  if (code === 'NotRegistered') return issueAt(subject, code, { act: 'CheckRegistration' });
  if (code !== 'RecordAtOtherName' && code !== 'DoubledZone') return null;
  const changes = routingChanges(subject);
  if (code === 'DoubledZone') return oneZoneTooDeep(subject, doubledRecord(subject), changes);
  return issueAt(subject, code, {
    params: { elsewhere: recordElsewhere(subject)?.name ?? '' },
    create: changes.create,
  });
}

/** The record exists, but one zone too deep: a form appended the zone to a name that already ended in it. */
function oneZoneTooDeep(
  subject: IssueSubject,
  found: DnsRecord | null,
  changes: RecordChanges & { readonly name?: string },
): DnsIssue | null {
  if (found === null) return null;
  return issueAt(subject, 'DoubledZone', { ...changes, delete: [found, ...changes.delete], act: 'EnterShortName' });
}

/** Unknown, but nothing is wrong with servers: aliases without end, an address that a proxy may be at. */
const isAboutRecords = (code: DnsCode): boolean =>
  code === 'TooManyAliases' || code === 'StrayAddress' || code === 'WrongTarget';

const isSlip = (code: DnsCode): boolean => targetSlips.some((slip) => slip === code);

/** What was entered instead of the target, as its owner typed it. */
function slipParams({ facts, wanted }: IssueSubject): IssueParams {
  const chain = chainNames(facts, wanted.hostname, ['A', 'AAAA'], maxAliases + 1);
  const value = chain.find((name) => name !== wanted.hostname && targetSlip(name, wanted) !== null) ?? '';
  return { value: typedText(value), target: wanted.target };
}

/** Whoever controls one of the parent's name servers can delegate a name to themselves: the owner has to check. */
function differingDelegations(subject: IssueSubject, { code }: Verdict): DnsIssue | null {
  const differing = Object.values(subject.facts.names).find((name) => name.differing)?.differing;
  if (code !== 'DelegationsDiffer' || !differing) return null;
  const { zone } = differing;
  const act = zone === registrableDomain(zone) ? 'AlignRegistration' : 'AlignDelegations';
  return issueAt(subject, code, { name: zone, params: { zone }, act, servers: delegatedBy(differing) });
}

const delegatedBy = ({ views }: DifferingDelegations): DnsIssue['servers'] =>
  views.map(({ by, names }) => ({
    server: by.join(', '),
    address: '',
    answer: names.length === 0 ? 'no delegation' : names.join(', '),
  }));

/** A set of more addresses than a check reads, at the hostname or at a name that an alias of it leads to. */
function unreadable(subject: IssueSubject, name: string): RecordChanges {
  if (name !== subject.wanted.hostname) return routingChanges(subject);
  const all = (['A', 'AAAA'] as const).map((type) => ({ name, type, value: '*' }));
  return { delete: all, create: [desiredRouting(subject)] };
}

/** What stands in front of a hostname and does not lead here, with what to change there. */
function proxyIssue(subject: IssueSubject, code: ProxyCode): DnsIssue {
  const { facts, wanted } = subject;
  const addresses = tokenAddresses(facts, wanted);
  const names = new Map(addresses.map((address) => [address, cdnOf(address, wanted.cdnRanges)]));
  const cdn = [...names.values()].find((name) => name !== null) ?? '';
  const servers = addresses.map((address) => ({
    server: names.get(address) ?? 'server',
    address,
    answer: answers[wanted.token?.answers[address] ?? 'busy'],
  }));
  return issueAt(subject, code, { params: { cdn, target: wanted.target }, act: acts[code], servers });
}

const acts: Readonly<Record<ProxyCode, IssueAct>> = {
  BehindCdn: 'RouteThroughCdn',
  CdnForbids: 'AllowRequests',
  CdnRedirectLoop: 'UseHttpsToOrigin',
  CdnNeedsOriginCertificate: 'SkipOriginVerification',
};

const answers: Readonly<Record<TokenAnswer, string>> = {
  token: 'leads here',
  other: 'another server answered',
  forbidden: 'refused our request',
  redirectLoop: 'redirected in a circle',
  originCertificate: "refused the platform's certificate",
  failing: 'answered with an error',
  silent: 'did not answer',
  busy: 'not asked yet',
  notAllowed: 'has an address that is not public',
};

/** What is wrong with the ownership record, if one is needed. */
export function ownershipIssues(
  subject: IssueSubject,
  ownership: Verdict,
  routing: DnsVerdict['routing'],
): readonly DnsIssue[] {
  const { wanted } = subject;
  const { txt } = wanted;
  if (ownership.code === 'HostnameTooLongForTxt') return [tooLong(subject, routing)];
  if (ownership.verdict === 'yes' || !txt) return [];
  const changes = { name: txt.name, ...ownershipChanges(subject, txt) };
  const elsewhere = textAtOtherName(subject, ownership, changes);
  if (elsewhere !== null) return [elsewhere];
  if (ownership.code === routing.code && routing.verdict !== 'yes') return [];
  const instead = cnameInstead(subject, ownership, routing);
  if (instead !== null) return [instead];
  if (ownership.verdict === 'no' || ownership.code === 'TooManyAliases')
    return [issueAt(subject, ownership.code, changes)];
  return [
    serverIssues(subject, ownership.code, {
      start: txt.name,
      types: ['TXT'],
      evaluate: (seen) => ownershipVerdict(seen, { ...wanted, txtRequired: true }, routingVerdict(seen, wanted)),
      tooLarge: (name) =>
        name === txt.name
          ? { delete: [{ name, type: 'TXT', value: '*' }], create: [{ ...txt, type: 'TXT' }] }
          : changes,
    }),
  ];
}

/**
 * A subdomain that leads here by the platform's addresses, and has no ownership record: one CNAME in their place leads here and proves it. Null at an
 * apex, which cannot have one, and where the TXT record is required beside it.
 */
function cnameInstead(subject: IssueSubject, { code }: Verdict, routing: DnsVerdict['routing']): DnsIssue | null {
  const { facts, wanted } = subject;
  const create = desiredRouting(subject);
  if (code !== 'TxtMissing' || routing.by !== 'addresses' || wanted.txtRequired || create.type !== 'CNAME') return null;
  // Where the servers differ, one of them may have the CNAME already.
  const found = recordsAt(facts, wanted.hostname, ['A', 'AAAA']).filter(({ type }) => type !== 'CNAME');
  return issueAt(subject, 'NotByCname', { delete: deletions(found), create: [create] });
}

/** The ownership record is at another name; one that is there on purpose, as it may be, is not told to be deleted. */
function textAtOtherName(
  subject: IssueSubject,
  { code }: Verdict,
  changes: RecordChanges & { readonly name: string },
): DnsIssue | null {
  if (code === 'DoubledZone') return oneZoneTooDeep(subject, doubledText(subject), changes);
  if (code !== 'TxtAtOtherName') return null;
  return issueAt(subject, code, { params: { elsewhere: textElsewhere(subject)?.name ?? '' }, ...changes });
}

/** Only its CNAME can prove such a name: instead of addresses, and not where a TXT record is required. */
function tooLong(subject: IssueSubject, routing: DnsVerdict['routing']): DnsIssue {
  const { facts, wanted } = subject;
  const create = desiredRouting(subject);
  if (wanted.txtRequired || create.type === 'ALIAS')
    return issueAt(subject, 'HostnameTooLongForTxt', { act: 'UseShorterName' });
  const instead = routing.verdict === 'yes' ? recordsAt(facts, wanted.hostname, ['A', 'AAAA']) : [];
  return issueAt(subject, 'HostnameTooLongForTxt', { delete: instead, create: [create] });
}
