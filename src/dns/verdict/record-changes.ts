import { desiredRecords } from '../../rules/desired-records.ts';
import { isWithin } from '../../rules/hostname.ts';
import type { DnsRecord } from '../dns-facts.ts';
import { recordsAt, targetAddresses } from '../observed-records.ts';
import type { DnsIssue, DnsRecordRef } from './dns-verdict.ts';
import type { IssueSubject } from './issue-subject.ts';
import { recordRef } from './issue-subject.ts';
import { isOwnershipText } from './ownership-verdict.ts';
import { routingVerdict } from './routing-verdict.ts';

type Changes = Pick<DnsIssue, 'delete' | 'create'>;

/** The record that leads the hostname here. */
export function desiredRouting(subject: IssueSubject): DnsRecordRef {
  const { hostname, target } = subject.wanted;
  const [record] = desiredRecords({ hostname, zone: subject.zone, target, txt: null });
  return recordRef(subject, { name: hostname, type: record?.type ?? 'CNAME', value: target });
}

/**
 * What leads the hostname here: everything at it that does not is deleted, and the desired record is created unless
 * something right remains. Nothing may stay beside a CNAME (RFC 1034 section 3.6.2), so CAA at the hostname goes too.
 */
export function routingChanges(subject: IssueSubject): Changes {
  const { facts, wanted } = subject;
  const found = recordsAt(facts, wanted.hostname, ['A', 'AAAA']);
  const wrong = wrongRecords(subject);
  const isReplaced = wrong.length === found.length || wrong.length === 0;
  if (!isReplaced) return { delete: wrong.map((record) => recordRef(subject, record)), create: [] };
  const create = desiredRouting(subject);
  const beside = create.type === 'CNAME' ? recordsAt(facts, wanted.hostname, ['CAA']) : [];
  return { delete: distinct([...found, ...beside]).map((record) => recordRef(subject, record)), create: [create] };
}

/** The records at the hostname that do not lead here. */
export function wrongRecords(subject: IssueSubject): readonly DnsRecord[] {
  const isRight = rightRecord(subject);
  return recordsAt(subject.facts, subject.wanted.hostname, ['A', 'AAAA']).filter((record) => !isRight(record));
}

/** What leads to the ownership record: of the records at its name, an alias and older ownership texts are deleted. */
export function ownershipChanges(
  subject: IssueSubject,
  txt: { readonly name: string; readonly value: string },
): Changes {
  const create = recordRef(subject, { ...txt, type: 'TXT' });
  const found = recordsAt(subject.facts, txt.name, ['TXT']);
  const wrong = found.filter(({ type, value }) => type === 'CNAME' || isOwnershipText(value));
  const deletions = wrong.map((record) => recordRef(subject, record));
  return { delete: deletions, create: [create, ...besideWildcard(subject, deletions)] };
}

/**
 * A wildcard that serves the hostname ends where a name below the hostname is created (RFC 4592 section 2.2.2): then the
 * hostname needs a record of its own. The same alias at a name that nobody uses shows it.
 */
function besideWildcard(subject: IssueSubject, deletions: readonly DnsRecordRef[]): readonly DnsRecordRef[] {
  const alias = recordsAt(subject.facts, subject.wanted.hostname, ['A', 'AAAA']).find(({ type }) => type === 'CNAME');
  const isWildcard = alias && deletions.some(({ type, value }) => type === 'CNAME' && value === alias.value);
  return isWildcard ? [desiredRouting(subject)] : [];
}

/** Would a record at the hostname be right on its own? */
function rightRecord({ facts, wanted, zone }: IssueSubject): (record: DnsRecord) => boolean {
  const ours = new Set([...wanted.platformAddresses, ...targetAddresses(facts, wanted.target)]);
  const isOther = (name: string) => wanted.platformDomains.some((domain) => isWithin(name, domain));
  return ({ type, value }) => {
    if (type !== 'CNAME') return ours.has(value);
    if (wanted.hostname === zone) return false;
    if (value === wanted.target) return true;
    return !isOther(value) && routingVerdict(facts, { ...wanted, hostname: value }).verdict === 'yes';
  };
}

const distinct = (records: readonly DnsRecord[]): readonly DnsRecord[] => [
  ...new Map(records.map((record) => [`${record.type} ${record.value}`, record])).values(),
];
