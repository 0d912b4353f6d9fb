import { registrableDomain } from '../../rules/hostname.ts';
import type { IssueParams } from '../../rules/issue-params.ts';
import type { DifferingDelegations } from '../dns-facts.ts';
import type { DnsCode } from '../../rules/verdict-codes.ts';
import { isProxyCode } from '../../rules/verdict-codes.ts';
import { chainNames, maxAliases, recordsAt } from '../observed-records.ts';
import { issue } from './dns-issue.ts';
import type { DnsIssue, DnsVerdict, Verdict } from './dns-verdict.ts';
import type { IssueSubject } from './issue-subject.ts';
import { placeOf, recordRef } from './issue-subject.ts';
import { ownershipVerdict } from './ownership-verdict.ts';
import { proxyIssue } from './proxy-issues.ts';
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
  const place = placeOf(subject, wanted.hostname);
  if (isProxyCode(routing.code)) return [proxyIssue(subject, routing.code)];
  if (isSlip(routing.code)) {
    const act = routing.code === 'ZoneInValue' ? 'EnterFinalDot' : 'ChangeRecords';
    return [issue(routing.code, { ...place, ...slipPlace(subject) }, { ...routingChanges(subject), act })];
  }
  if (routing.verdict === 'no' || isAboutRecords(routing.code))
    return [issue(routing.code, place, routingChanges(subject))];
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
  const place = placeOf(subject, subject.wanted.hostname);
  switch (code) {
    case 'NotRegistered':
      return issue(code, place, { act: 'CheckRegistration' });
    case 'DoubledZone':
      return doubledZone(subject);
    case 'RecordAtOtherName': {
      const { create } = routingChanges(subject);
      return issue(code, { ...place, elsewhere: recordElsewhere(subject)?.name ?? '' }, { create });
    }
    default:
      return null;
  }
}

/** Unknown, but nothing is wrong with servers: aliases without end, an address that a proxy may be at, or a value that was meant to be the target. */
const isAboutRecords = (code: DnsCode): boolean =>
  code === 'TooManyAliases' || code === 'StrayAddress' || code === 'WrongTarget' || isSlip(code);

const isSlip = (code: DnsCode): boolean => targetSlips.some((slip) => slip === code);

/** What was entered instead of the target, as its owner typed it. */
function slipPlace({ facts, wanted }: IssueSubject): IssueParams {
  const chain = chainNames(facts, wanted.hostname, ['A', 'AAAA'], maxAliases + 1);
  const value = chain.find((name) => name !== wanted.hostname && targetSlip(name, wanted) !== null) ?? '';
  return { value: typedText(value), target: wanted.target };
}

/** Whoever controls one of the parent's name servers can delegate a name to themselves: the owner has to check. */
function differingDelegations({ facts, ...subject }: IssueSubject, { code }: Verdict): DnsIssue | null {
  const differing = Object.values(facts.names).find((name) => name.differing)?.differing;
  if (code !== 'DelegationsDiffer' || !differing) return null;
  const { zone } = differing;
  const isRegistered = zone === registrableDomain(zone);
  return issue(
    code,
    { ...placeOf({ facts, ...subject }, zone), zone },
    { act: isRegistered ? 'AlignRegistration' : 'AlignDelegations', servers: delegatedBy(differing) },
  );
}

const delegatedBy = ({ views }: DifferingDelegations): DnsIssue['servers'] =>
  views.map(({ by, names }) => ({
    server: by.join(', '),
    address: '',
    answer: names.length === 0 ? 'no delegation' : names.join(', '),
  }));

/** A set of more addresses than a check reads, at the hostname or at a name that an alias of it leads to. */
function unreadable(subject: IssueSubject, name: string): Pick<DnsIssue, 'delete' | 'create'> {
  const { hostname } = subject.wanted;
  if (name !== hostname) return routingChanges(subject);
  const all = (['A', 'AAAA'] as const).map((type) => recordRef(subject, { name, type, value: '*' }));
  return { delete: all, create: [desiredRouting(subject)] };
}

/** The record exists, but one zone too deep: a form appended the zone to a name that already ended in it. */
function doubledZone(subject: IssueSubject): DnsIssue | null {
  const record = doubledRecord(subject);
  if (record === null) return null;
  const changes = routingChanges(subject);
  return issue('DoubledZone', placeOf(subject, subject.wanted.hostname), {
    delete: [recordRef(subject, record), ...changes.delete],
    create: changes.create,
    act: 'EnterShortName',
  });
}

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
  const place = placeOf(subject, txt.name);
  const changes = () => ownershipChanges(subject, txt);
  const elsewhere = textAtOtherName(subject, ownership, changes);
  if (elsewhere !== null) return [elsewhere];
  if (ownership.code === routing.code && routing.verdict !== 'yes') return [];
  const instead = cnameInstead(subject, ownership, routing);
  if (instead !== null) return [instead];
  if (ownership.verdict === 'no' || ownership.code === 'TooManyAliases')
    return [issue(ownership.code, place, changes())];
  return [
    serverIssues(subject, ownership.code, {
      start: txt.name,
      types: ['TXT'],
      evaluate: (seen) => ownershipVerdict(seen, { ...wanted, txtRequired: true }, routingVerdict(seen, wanted)),
      tooLarge: (name) =>
        name === txt.name
          ? {
              delete: [recordRef(subject, { name, type: 'TXT', value: '*' })],
              create: [recordRef(subject, { ...txt, type: 'TXT' })],
            }
          : changes(),
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
  return issue('NotByCname', placeOf(subject, wanted.hostname), {
    delete: deletions(subject, found),
    create: [create],
  });
}

/** The ownership record is at another name; one that is there on purpose, as it may be, is not told to be deleted. */
function textAtOtherName(
  subject: IssueSubject,
  { code }: Verdict,
  changes: () => Pick<DnsIssue, 'delete' | 'create'>,
): DnsIssue | null {
  const place = placeOf(subject, subject.wanted.txt?.name ?? '');
  if (code === 'TxtAtOtherName')
    return issue(code, { ...place, elsewhere: textElsewhere(subject)?.name ?? '' }, changes());
  const doubled = code === 'DoubledZone' ? doubledText(subject) : null;
  if (doubled === null) return null;
  const { create, ...rest } = changes();
  return issue(code, place, { delete: [recordRef(subject, doubled), ...rest.delete], create, act: 'EnterShortName' });
}

/** Only its CNAME can prove such a name: instead of addresses, and not where a TXT record is required. */
function tooLong(subject: IssueSubject, routing: DnsVerdict['routing']): DnsIssue {
  const { facts, wanted } = subject;
  const place = placeOf(subject, wanted.hostname);
  const create = desiredRouting(subject);
  if (wanted.txtRequired || create.type === 'ALIAS')
    return issue('HostnameTooLongForTxt', place, { act: 'UseShorterName' });
  if (routing.verdict !== 'yes') return issue('HostnameTooLongForTxt', place, { create: [create] });
  const instead = recordsAt(facts, wanted.hostname, ['A', 'AAAA']).map((record) => recordRef(subject, record));
  return issue('HostnameTooLongForTxt', place, { delete: instead, create: [create] });
}
