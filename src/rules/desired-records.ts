import type { Delegation } from './challenge-delegation.ts';
import { isRegistrySuffix, isWithin, registrableDomain, relativeName, nameBelow } from './hostname.ts';
import { isProxyCode } from './verdict-codes.ts';
import { baseOf, isWildcard } from './wildcard.ts';

/** A record to create, as a registrar's form expects it (docs/concepts/proof.md). */
export interface DesiredRecord {
  readonly purpose: 'Routing' | 'Ownership' | 'Certificate';
  readonly type: 'CNAME' | 'ALIAS' | 'TXT';
  /** relative to the zone cut: `www`, `shop.eu`, `@` */
  readonly name: string;
  readonly fqdn: string;
  readonly value: string;
  /** seconds */
  readonly ttl: number;
}

/**
 * What the last check found of a desired record. Stale: some servers of the zone have it and others do not.
 * Conflicting: it is there, beside another that must not be. Unknown: nothing could be read.
 */
export const recordStatuses = ['Found', 'Missing', 'Wrong', 'Stale', 'Conflicting', 'Unknown'] as const;
export type RecordStatus = (typeof recordStatuses)[number];

const ttl = 3600;
const challengeLabel = '_projectdomain-challenge';

/**
 * Owner name of a hostname's ownership record. Null for a hostname so long that no name fits below it (RFC 1035 section
 * 2.3.4); it can only be proved by its CNAME. A wildcard's is at its base's name, with a
 * value of its own.
 */
export const challengeName = (hostname: string): string | null => nameBelow(baseOf(hostname), challengeLabel);

/** What decides whether the ownership TXT is required in addition to the CNAME. */
export interface TxtNeedInput {
  readonly hostname: string;
  /** apex of the zone; null until a walk has found it */
  readonly zone: string | null;
  /** an administrator always requires it */
  readonly required: boolean;
  /** another account has proved the hostname */
  readonly contested: boolean;
  /** routing shows by something that many customers share (sharesProof), not by the target */
  readonly byShared: boolean;
  /** routing shows by the target */
  readonly byTarget?: boolean;
}

/** What the last check found. */
interface FoundProof {
  /** what proved routing last */
  readonly routedBy: string | null | undefined;
  /** of routing */
  readonly code: string | undefined;
  readonly issues: readonly { readonly code: string }[];
}

/**
 * True where routing is proven by the platform's addresses or by a token, or a proxy in front hides the target; not where a CNAME is to take the
 * place of the addresses, as it proves more than they do.
 */
export const sharesProof = ({ routedBy, code, issues }: FoundProof): boolean =>
  (routedBy === 'addresses' && !issues.some((issue) => issue.code === 'NotByCname')) ||
  routedBy === 'token' ||
  isProxyCode(code ?? '');

/**
 * The CNAME alone is not enough for contested names, for an apex, and where routing does not show by the target. A wildcard is proven by
 * its delegation, and shows by the target alone.
 */
export function needsTxt({ hostname, zone, required, contested, byShared, byTarget }: TxtNeedInput): boolean {
  if (isWildcard(hostname)) return required || contested;
  return required || contested || byShared || (byTarget !== true && hostname === formZone(hostname, zone));
}

/**
 * Does an alias at the hostname hide a domain's name servers and mail (RFC 1034 section 3.6.2)? At the apex of what a registry delegates it does. A
 * name further down that has been delegated, as to a load balancer, has no more of its own than any subdomain with a CNAME.
 */
export const hidesDomain = (hostname: string, zone: string | null): boolean =>
  hostname === zone && registrableDomain(hostname) === hostname;

/**
 * The zone whose form the customer fills in: the zone that the walk found, or the registrable domain while it is
 * unknown or when the walk ended at a registry, as for a domain that is not registered or delegated. A public suffix of somebody who is no registry
 * (`js.org`) is a zone as any other, whose owner enters `demo` in it.
 */
export function formZone(hostname: string, zone: string | null): string {
  const isForm = zone !== null && isWithin(hostname, zone) && !isRegistrySuffix(zone);
  return isForm ? zone : registrableDomain(hostname);
}

export interface RecordsInput {
  readonly hostname: string;
  /** apex of the zone that contains the hostname; null until a walk has found it */
  readonly zone: string | null;
  readonly target: string;
  /** the exact TXT value; null when the CNAME alone proves ownership */
  readonly txt: string | null;
  /** the delegation of its challenge name; null where it is not prepared before it is switched */
  readonly delegation?: Pick<Delegation, 'name' | 'value'> | null;
}

/**
 * The records that the customer must create: a CNAME to the project's target (an ALIAS at the zone's apex, where a
 * CNAME cannot coexist with SOA and NS, RFC 1034 section 3.6.2), the ownership TXT where one is required, and before them the
 * delegation of the challenge name where the hostname is prepared: that comes first.
 */
export function desiredRecords({
  hostname,
  zone,
  target,
  txt,
  delegation = null,
}: RecordsInput): readonly DesiredRecord[] {
  const cut = formZone(hostname, zone);
  const apex = hostname === cut;
  const routing: DesiredRecord = {
    purpose: 'Routing',
    type: apex ? 'ALIAS' : 'CNAME',
    name: relativeName(hostname, cut),
    fqdn: hostname,
    value: target,
    ttl,
  };
  const below = (
    purpose: DesiredRecord['purpose'],
    fqdn: string | null,
    data: Pick<DesiredRecord, 'type' | 'value'>,
  ) => (fqdn === null ? [] : [{ purpose, ...data, name: relativeName(fqdn, cut), fqdn, ttl }]);
  return [
    ...(delegation === null ? [] : below('Certificate', delegation.name, { type: 'CNAME', value: delegation.value })),
    routing,
    ...(txt === null ? [] : below('Ownership', challengeName(hostname), { type: 'TXT', value: txt })),
  ];
}

/** A record with what the last check found of it, as a status keeps it. */
interface KnownRecord extends Pick<DesiredRecord, 'type' | 'fqdn' | 'value'> {
  readonly status?: RecordStatus;
  readonly found?: readonly string[];
}

/** What an earlier check found of exactly this record; Unknown where none has looked. */
export function earlierFinding(record: DesiredRecord, known: readonly KnownRecord[]) {
  const same = known.find((one) => keyOf(one) === keyOf(record));
  return { status: same?.status ?? ('Unknown' as const), found: same?.found ?? [] };
}

const keyOf = ({ type, fqdn, value }: Pick<DesiredRecord, 'type' | 'fqdn' | 'value'>): string =>
  `${type} ${fqdn} ${value}`;
