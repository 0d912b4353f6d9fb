import type { IssueParams } from '../../rules/issue-params.ts';
import { formZone } from '../../rules/desired-records.ts';
import { isRegistrySuffix, isWithin, registrableDomain, relativeName } from '../../rules/hostname.ts';
import type { DnsFacts } from '../dns-facts.ts';
import type { DesiredDns, DnsRecordRef } from './dns-verdict.ts';

/** What issues are made from: everything found, and what should be there. */
export interface IssueSubject {
  readonly facts: DnsFacts;
  readonly wanted: DesiredDns;
  /** apex of the zone that contains the hostname, null while unknown */
  readonly zone: string | null;
}

/** What an issue about a name can mention. */
export function placeOf({ wanted, zone, facts }: IssueSubject, name: string): IssueParams {
  const above = zone !== null && isWithin(name, zone) ? zone : null;
  const found = name === wanted.hostname ? zone : (facts.names[name]?.zone ?? above);
  return {
    name,
    zone: found === null || isRegistrySuffix(found) ? registrableDomain(name) : found,
    cnameDomain: wanted.cnameDomain,
    authority: wanted.ca?.domains[0] ?? '',
    addresses: shownAddresses(wanted).join(', '),
  };
}

/** What to enter at a host without ALIAS. */
const shownAddresses = ({ toldAddresses = [], platformAddresses }: DesiredDns): readonly string[] => [
  ...new Set(toldAddresses.length > 0 ? toldAddresses : platformAddresses),
];

/** A record as the form of its zone shows it. */
export function recordRef(
  { facts, zone }: IssueSubject,
  { name: fqdn, type, value }: Pick<DnsRecordRef, 'name' | 'type' | 'value'>,
): DnsRecordRef {
  const below = facts.names[fqdn]?.zone ?? (zone !== null && isWithin(fqdn, zone) ? zone : null);
  return Object.freeze({ name: relativeName(fqdn, formZone(fqdn, below)), fqdn, type, value });
}

/** Is the name the customer's: at or below the domain that a registry delegates to them? */
export const isOwners = ({ wanted }: IssueSubject, name: string): boolean =>
  isWithin(name, registrableDomain(wanted.hostname));
