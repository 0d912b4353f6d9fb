import { formZone } from '../../rules/desired-records.ts';
import { isRegistrySuffix, isWithin, registrableDomain, relativeName } from '../../rules/hostname.ts';
import type { IssueAct } from '../../rules/issue-acts.ts';
import { actSentence, issueActs, recordText } from '../../rules/issue-acts.ts';
import type { IssueParams } from '../../rules/issue-params.ts';
import { issueParams, issueSentence } from '../../rules/issue-params.ts';
import type { DnsCode } from '../../rules/verdict-codes.ts';
import type { DnsFacts } from '../dns-facts.ts';
import type { DesiredDns, DnsIssue, DnsRecordRef } from './dns-verdict.ts';

/** What an issue has besides its code and place. */
interface IssueParts extends Partial<Pick<DnsIssue, 'severity' | 'delete' | 'create' | 'servers'>> {
  /** default: ChangeRecords, by the owner */
  readonly act?: IssueAct;
  /** what was found, where it is not what to delete */
  readonly found?: DnsIssue['delete'];
}

/** how many servers an issue names */
const mostServers = 6;
/** When many records are wrong, as many as a person would delete one by one. */
export const mostRecords = 16;

/** Builds an issue: an error that the owner fixes by changing records, unless the parts say otherwise. */
export function issue(code: DnsCode, place: IssueParams, parts: IssueParts = {}): DnsIssue {
  const { act = 'ChangeRecords', severity = 'Error' } = parts;
  const [deletions = [], create = []] = [parts.delete, parts.create].map((list) => list?.slice(0, mostRecords));
  const servers = (parts.servers ?? []).slice(0, mostServers);
  const { actor, params: ofAct } = issueActs[act];
  const params = issueParams(place, { code, ofAct });
  const told = servers.map(({ server, address, answer }) => `${server}${address && ` (${address})`}: ${answer}`);
  const subject = { params, delete: deletions, create };
  return Object.freeze({
    code,
    severity,
    act,
    actor,
    ...subject,
    servers,
    message: `${issueSentence(code, params)}${told.length === 0 ? '' : ` (${told.join('; ')})`}`,
    record: (parts.found ?? subject.delete).slice(0, mostRecords).map(recordText).join('; '),
    fix: actSentence(act, subject),
  });
}

/** What issues are made from: everything found, and what should be there. */
export interface IssueSubject {
  readonly facts: DnsFacts;
  readonly wanted: DesiredDns;
  /** apex of the zone that contains the hostname, null while unknown */
  readonly zone: string | null;
}

/** A record by its full name; `*` as its value stands for all of its type. */
export type NamedRecord = Pick<DnsRecordRef, 'name' | 'type' | 'value'>;

/** What to delete and what to create. */
export interface RecordChanges {
  readonly delete: readonly NamedRecord[];
  readonly create: readonly NamedRecord[];
}

interface IssueAtName extends Pick<IssueParts, 'severity' | 'servers' | 'act'>, Partial<RecordChanges> {
  /** what the issue is about; default: the hostname */
  readonly name?: string;
  /** what else it mentions */
  readonly params?: IssueParams;
  readonly found?: readonly NamedRecord[];
}

/** Builds an issue about a name, with its records as the form of their zone shows them. */
export function issueAt(subject: IssueSubject, code: DnsCode, about: IssueAtName = {}): DnsIssue {
  const { name = subject.wanted.hostname, params, found, delete: deletions = [], create = [], ...parts } = about;
  const refs = (records: readonly NamedRecord[]) => records.map((record) => recordRef(subject, record));
  return issue(
    code,
    { ...placeOf(subject, name), ...params },
    { ...parts, delete: refs(deletions), create: refs(create), ...(found ? { found: refs(found) } : {}) },
  );
}

/** What an issue about a name can mention. */
function placeOf(subject: IssueSubject, name: string): IssueParams {
  const { toldAddresses = [], ...wanted } = subject.wanted;
  const zone = zoneOf(subject, name);
  // What to enter at a host without ALIAS.
  const addresses = new Set(toldAddresses.length > 0 ? toldAddresses : wanted.platformAddresses);
  return {
    name,
    zone: zone === null || isRegistrySuffix(zone) ? registrableDomain(name) : zone,
    cnameDomain: wanted.cnameDomain,
    authority: wanted.ca?.domains[0] ?? '',
    addresses: [...addresses].join(', '),
  };
}

const recordRef = (subject: IssueSubject, { name: fqdn, type, value }: NamedRecord): DnsRecordRef =>
  Object.freeze({ name: relativeName(fqdn, formZone(fqdn, zoneOf(subject, fqdn))), fqdn, type, value });

/** The zone that a name is in, as far as it was found or follows from the hostname's. */
const zoneOf = ({ facts, zone }: IssueSubject, name: string): string | null =>
  facts.names[name]?.zone ?? (zone !== null && isWithin(name, zone) ? zone : null);

/** Is the name the customer's: at or below the domain that a registry delegates to them? */
export const isOwners = ({ wanted }: IssueSubject, name: string): boolean =>
  isWithin(name, registrableDomain(wanted.hostname));
