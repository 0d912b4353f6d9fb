import { isRegistrySuffix, isWithin } from '../../rules/hostname.ts';
import { doubledName, mistakenNames, mistakenTxtNames, nobodyBelow } from '../../rules/mistaken-names.ts';
import { isProxyCode } from '../../rules/verdict-codes.ts';
import { baseOf } from '../../rules/wildcard.ts';
import type { DnsFacts, DnsRecord } from '../dns-facts.ts';
import { recordsAt, withNamesAbove } from '../observed-records.ts';
import type { CombinableVerdict } from './combine-views.ts';
import type { IssueSubject } from './dns-issue.ts';
import { ownershipSlip } from './ownership-verdict.ts';
import type { RoutingVerdict } from './proofs/routing-proof.ts';
import { targetSlip } from './target-slip.ts';

/** Why the hostname does not lead here, more exactly: its domain does not exist, or its record is at another name. */
export function routingCause(subject: IssueSubject, routing: RoutingVerdict): RoutingVerdict {
  if (routing.verdict === 'yes') return routing;
  if (isUnregistered(subject, routing)) return { ...routing, verdict: 'no', code: 'NotRegistered' };
  if (routing.code !== 'RecordMissing') return routing;
  if (doubledRecord(subject) !== null) return { ...routing, code: 'DoubledZone' };
  return recordElsewhere(subject) === null ? routing : { ...routing, code: 'RecordAtOtherName' };
}

/** Why there is no ownership record, more exactly: it is at another name. */
export function ownershipCause(subject: IssueSubject, ownership: CombinableVerdict): CombinableVerdict {
  if (ownership.code !== 'TxtMissing') return ownership;
  if (doubledText(subject) !== null) return { ...ownership, code: 'DoubledZone' };
  return textElsewhere(subject) === null ? ownership : { ...ownership, code: 'TxtAtOtherName' };
}

/**
 * A registry itself answers for the hostname: that there is no such name, or, by a wildcard, what it answers for all of them: it shows at a name that
 * nobody has.
 */
function isUnregistered({ facts, wanted, zone }: IssueSubject, { verdict, code }: RoutingVerdict): boolean {
  if (zone === null || !isRegistrySuffix(zone)) return false;
  if (code === 'RecordMissing') return true;
  const witness = nobodyBelow(wanted.hostname);
  if (witness === null || (verdict === 'unknown' && !isProxyCode(code))) return false;
  const [own, others] = [wanted.hostname, witness].map((name) =>
    recordsAt(facts, name, ['A']).map(({ value }) => value),
  );
  return (own ?? []).length > 0 && (own ?? []).toSorted().join(' ') === (others ?? []).toSorted().join(' ');
}

/** The routing record one zone too deep: a form appended the zone to a name that already ended in it. */
export function doubledRecord(subject: IssueSubject): DnsRecord | null {
  const { facts, wanted, zone } = subject;
  const name = zone === null || zone === '' ? null : doubledName(wanted.hostname, zone);
  const found = name === null ? [] : recordsAt(facts, name, ['A']);
  return found.find((record) => isMeant(subject, record) && !isOfWildcard(facts, zone, record)) ?? null;
}

/** Does a name that nobody has show the same? A record at the zone itself is never a wildcard's. */
function isOfWildcard(facts: DnsFacts, zone: string | null, { name, type, value }: DnsRecord): boolean {
  const nobody = zone === null || name === zone ? null : nobodyBelow(zone);
  if (zone === null || nobody === null) return false;
  const witness = name.endsWith(`.${zone}.${zone}`) || name === `${zone}.${zone}` ? doubledName(nobody, zone) : nobody;
  const shown = witness === null ? [] : recordsAt(facts, witness, [type === 'TXT' ? 'TXT' : 'A']);
  return shown.some((record) => record.type === type && record.value === value);
}

/** A record with the target at another name of the zone. It may be there on purpose, so nothing is said of deleting it. */
export function recordElsewhere({ facts, wanted, zone }: IssueSubject): DnsRecord | null {
  if (zone === null) return null;
  const { hostname } = wanted;
  const above = withNamesAbove(baseOf(hostname)).filter((name) => name !== hostname && isWithin(name, zone));
  const names = [...mistakenNames(hostname, zone), ...above];
  const found = names.flatMap((name) => recordsAt(facts, name, ['A', 'CAA']));
  const isRight = ({ type, value }: DnsRecord) => type === 'CNAME' && value === wanted.target;
  return found.find((record) => isRight(record) && !isOfWildcard(facts, zone, record)) ?? null;
}

const isMeant = ({ wanted }: IssueSubject, { type, value }: DnsRecord): boolean =>
  type === 'CNAME' && (value === wanted.target || targetSlip(value, wanted) !== null);

/** The ownership record one zone too deep. */
export function doubledText(subject: IssueSubject): DnsRecord | null {
  const { wanted, zone } = subject;
  const name = zone === null || !wanted.txt ? null : doubledName(wanted.txt.name, zone);
  return name === null ? null : textAt(subject, [name]);
}

/** The ownership record at another name. */
export function textElsewhere(subject: IssueSubject): DnsRecord | null {
  const { wanted, zone } = subject;
  return zone === null ? null : textAt(subject, mistakenTxtNames(wanted.hostname, zone));
}

function textAt({ facts, zone, wanted: { txt } }: IssueSubject, names: readonly string[]): DnsRecord | null {
  const isMeantText = ({ type, value }: DnsRecord) => {
    const slip = type === 'TXT' && txt ? ownershipSlip(value, txt.value) : null;
    return type === 'TXT' && (value === txt?.value || (slip !== null && slip !== 'TxtWrong'));
  };
  const found = names.flatMap((name) => recordsAt(facts, name, ['TXT']));
  return found.find((record) => isMeantText(record) && !isOfWildcard(facts, zone, record)) ?? null;
}
