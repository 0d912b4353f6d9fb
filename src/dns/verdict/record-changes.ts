import { desiredRecords, hidesDomain } from '../../rules/desired-records.ts';
import { isWithin } from '../../rules/hostname.ts';
import { isWildcard } from '../../rules/wildcard.ts';
import type { DnsRecord } from '../dns-facts.ts';
import { eachOnce, hasSeveralAliases, outcomesAt, recordsAt } from '../observed-records.ts';
import type { IssueSubject, NamedRecord, RecordChanges } from './dns-issue.ts';
import { mostRecords } from './dns-issue.ts';
import type { ChainLink } from './cached-chain.ts';
import { cachedChain } from './cached-chain.ts';
import type { DesiredDns, Verdict } from './dns-verdict.ts';
import { ourAddresses } from './platform-addresses.ts';
import { ownershipSlip, isOwnershipText } from './ownership-verdict.ts';
import { routingVerdict } from './routing-verdict.ts';

/** The record that leads the hostname here. */
export function desiredRouting({ wanted: { hostname, target }, zone }: IssueSubject): NamedRecord {
  const [record] = desiredRecords({ hostname, zone, target, txt: null });
  return { name: hostname, type: record?.type ?? 'CNAME', value: target };
}

/**
 * What leads the hostname here: everything at it that does not is deleted, and the desired record is created unless
 * something right remains. Nothing may stay beside a CNAME (RFC 1034 section 3.6.2), so CAA at the hostname goes too.
 */
export function routingChanges(subject: IssueSubject): RecordChanges {
  const { facts, wanted } = subject;
  const found = recordsAt(facts, wanted.hostname, ['A', 'AAAA']);
  const wrong = wrongRecords(subject);
  const isReplaced = wrong.length === found.length || wrong.length === 0 || wrong.length > mostRecords;
  if (!isReplaced) return { delete: wrong, create: [] };
  const create = desiredRouting(subject);
  const beside = create.type === 'CNAME' ? recordsAt(facts, wanted.hostname, ['CAA']) : [];
  return { delete: deletions([...found, ...beside]), create: [create] };
}

/** Each record of one name on its own, or all of a type where they are too many to be listed. */
export function deletions(records: readonly DnsRecord[]): readonly DnsRecord[] {
  const each = eachOnce(records, ({ type, value }) => `${type} ${value}`);
  const all = each.map((record) => ({ ...record, value: '*' }));
  return each.length <= mostRecords ? each : eachOnce(all, ({ type }) => type);
}

/** The records at the hostname that do not lead here; of several aliases all but the target, as one alone may stay. */
function wrongRecords(subject: IssueSubject): readonly DnsRecord[] {
  const { facts, wanted } = subject;
  const isRight = rightRecord(subject);
  const isSeveral = outcomesAt(facts, wanted.hostname, ['A', 'AAAA']).some(hasSeveralAliases);
  const isOther = ({ type, value }: DnsRecord) => isSeveral && type === 'CNAME' && value !== wanted.target;
  return recordsAt(facts, wanted.hostname, ['A', 'AAAA']).filter((record) => isOther(record) || !isRight(record));
}

/** What caches keep on the way from the hostname; of what is wrong at the hostname itself where anything is. */
export const chainOf = (subject: IssueSubject, { verdict }: Verdict): readonly ChainLink[] =>
  cachedChain(subject.facts, {
    hostname: subject.wanted.hostname,
    wrong: wrongRecords(subject),
    isRight: verdict === 'yes',
  });

/** What leads to the ownership record: of the records at its name, an alias and ownership texts that are older or mistaken are deleted. */
export function ownershipChanges(subject: IssueSubject, txt: NonNullable<DesiredDns['txt']>): RecordChanges {
  const create = { ...txt, type: 'TXT' } as const;
  const found = recordsAt(subject.facts, txt.name, ['TXT']);
  const isOurs = (value: string) => isOwnershipText(value) || ownershipSlip(value, txt.value) !== null;
  const wrong = found.filter(({ type, value }) => type === 'CNAME' || isOurs(value));
  return { delete: deletions(wrong), create: [create, ...besideWildcard(subject, txt.name)] };
}

/**
 * A wildcard that serves the hostname ends where a name below the hostname is created (RFC 4592 section 2.2.2): then the
 * hostname needs records of its own. It shows at a name that nobody uses, which has the hostname's alias, or exists.
 */
function besideWildcard(subject: IssueSubject, txtName: string): readonly NamedRecord[] {
  const { facts, wanted, zone } = subject;
  if (wanted.hostname === zone || isWildcard(wanted.hostname)) return [];
  const [alias] = recordsAt(facts, txtName, ['TXT']).filter(({ type }) => type === 'CNAME');
  const served = recordsAt(facts, wanted.hostname, ['A', 'AAAA']);
  if (served.some(({ type, value }) => type === 'CNAME' && value === alias?.value)) return [desiredRouting(subject)];
  const exists = outcomesAt(facts, txtName, ['TXT']).some(({ kind }) => kind === 'nodata');
  const isRight = rightRecord(subject);
  return served.filter((record) => exists && record.type !== 'CNAME' && isRight(record));
}

/** Would a record at the hostname be right on its own? Behind a proxy few addresses are asked: the others may be right. */
function rightRecord({ facts, wanted, zone }: IssueSubject): (record: DnsRecord) => boolean {
  const ours = ourAddresses(facts, wanted);
  const answers = wanted.token?.answers ?? {};
  const isBehindProxy = Object.values(answers).includes('token');
  const isThrough = (address: string) =>
    answers[address] === 'token' || (isBehindProxy && answers[address] === undefined);
  const isOther = (name: string) => wanted.platformDomains.some((domain) => isWithin(name, domain));
  return ({ type, value }) => {
    if (type !== 'CNAME') return ours.has(value) || isThrough(value);
    if (hidesDomain(wanted.hostname, zone)) return false;
    if (value === wanted.target) return true;
    return !isOther(value) && routingVerdict(facts, { ...wanted, hostname: value }).verdict === 'yes';
  };
}
