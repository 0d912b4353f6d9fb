import { isRegistrySuffix, registrableDomain } from '../../rules/hostname.ts';
import type { DifferingDelegations } from '../dns-facts.ts';
import type { DnsCode } from '../../rules/verdict-codes.ts';
import { isProxyCode } from '../../rules/verdict-codes.ts';
import { recordsAt } from '../observed-records.ts';
import { issue } from './dns-issue.ts';
import type { DnsIssue, DnsVerdict, Verdict } from './dns-verdict.ts';
import type { IssueSubject } from './issue-subject.ts';
import { placeOf, recordRef } from './issue-subject.ts';
import { ownershipVerdict } from './ownership-verdict.ts';
import { proxyIssue } from './proxy-issues.ts';
import { desiredRouting, ownershipChanges, routingChanges } from './record-changes.ts';
import { routingVerdict } from './routing-verdict.ts';
import { serverIssues } from './server-issues.ts';

/** What is wrong with the routing records, with what to delete and what to create. */
export function routingIssues(subject: IssueSubject, routing: DnsVerdict['routing']): readonly DnsIssue[] {
  if (routing.verdict === 'yes') return [];
  const { wanted } = subject;
  const special = unregistered(subject, routing) ?? doubledZone(subject) ?? differingDelegations(subject, routing);
  if (special) return [special];
  const place = placeOf(subject, wanted.hostname);
  if (isProxyCode(routing.code)) return [proxyIssue(subject, routing.code)];
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

/** A registry said that the domain does not exist: nobody can create a record in it. */
function unregistered(subject: IssueSubject, { code }: Verdict): DnsIssue | null {
  const { zone, wanted } = subject;
  if (code !== 'RecordMissing' || zone === null || !isRegistrySuffix(zone)) return null;
  return issue(code, placeOf(subject, wanted.hostname), { act: 'CheckRegistration' });
}

/** Unknown, but nothing is wrong with servers: aliases without end, or an address that a proxy may be at. */
const isAboutRecords = (code: DnsCode): boolean =>
  code === 'TooManyAliases' || code === 'StrayAddress' || code === 'WrongTarget';

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
  const { facts, wanted, zone } = subject;
  if (zone === null) return null;
  const record = recordsAt(facts, `${wanted.hostname}.${zone}`, ['A']).find(
    ({ type, value }) => type === 'CNAME' && value === wanted.target,
  );
  if (!record) return null;
  const changes = routingChanges(subject);
  return issue('DoubledZone', placeOf(subject, wanted.hostname), {
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
  if (ownership.verdict === 'yes' || !txt || (ownership.code === routing.code && routing.verdict !== 'yes')) return [];
  const place = placeOf(subject, txt.name);
  const changes = () => ownershipChanges(subject, txt);
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
