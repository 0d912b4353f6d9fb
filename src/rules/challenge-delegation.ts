import type { ProjectDomain } from '../generated/project-domain.ts';
import type { RecordValues } from './dns-target.ts';
import { nameBelow } from './hostname.ts';
import { baseOf, isWildcard } from './wildcard.ts';

/**
 * Where an authority looks for the answer to a challenge of DNS-01 (RFC 8555, section 8.4). Null for a hostname so long that no name
 * fits below it. A wildcard's is that of its base (RFC 8555, section 7.1.3).
 */
export const dnsChallengeName = (hostname: string): string | null => nameBelow(baseOf(hostname), '_acme-challenge');

/** The alias that a hostname's challenge name has to be (RFC 8555, section 8.4), so that its challenges are answered here. */
export interface Delegation {
  /** the challenge name */
  readonly name: string;
  /** what it is an alias of: a label of the challenge zone */
  readonly value: string;
  readonly label: string;
  readonly zone: string;
  /** the hostname has not led here yet, so that this stands for routing too */
  readonly isAhead: boolean;
}

interface DelegationSources {
  readonly records: RecordValues;
  /** null where hostnames cannot be prepared */
  readonly challengeZone: string | null;
}

interface Delegating extends Pick<ProjectDomain, 'metadata' | 'spec'> {
  /** undefined while it is unknown */
  readonly accountId: string | undefined;
  /** of the hostname's claim */
  readonly epoch: number;
  /** what proved routing last */
  readonly routedBy: string | null | undefined;
  /** the account's wildcard whose base the hostname is: both have one challenge name, which can be an alias of one label alone */
  readonly wildcard?: DelegatingWildcard | undefined;
}

/** What the delegation of a wildcard is drawn from. */
export interface DelegatingWildcard extends Pick<ProjectDomain, 'spec'> {
  readonly metadata: Pick<ProjectDomain['metadata'], 'uid'>;
  readonly epoch: number;
}

/**
 * The delegation by which a hostname is prepared before it is switched; null for one that is not. Once the hostname has led here it counts no more:
 * a hostname that leaves has left, whatever it still delegates. A wildcard needs it always, as its certificates are ordered by it alone, and its base
 * has the same one.
 */
export function delegationOf(
  { records, challengeZone: zone }: DelegationSources,
  { spec, metadata, accountId, epoch, routedBy = null, wildcard }: Delegating,
): Delegation | null {
  const { hostname, prepare = false } = spec;
  const name = dnsChallengeName(hostname);
  const isAhead = routedBy === null || routedBy === 'delegation';
  const isNeeded = isWildcard(hostname) || (prepare && isAhead);
  if (!isNeeded || zone === null || name === null) return null;
  const label = labelOf(records, accountId, wildcard ?? { spec, metadata, epoch });
  if (label === null) return null;
  return Object.freeze({ name, value: `${label}.${zone}`, label, zone, isAhead });
}

/** Null while the account is unknown, and for an object that does not exist yet. */
function labelOf(
  records: RecordValues,
  accountId: string | undefined,
  { spec, metadata, epoch }: DelegatingWildcard,
): string | null {
  const nonce = spec.nonce ?? metadata.uid;
  if (accountId === undefined || nonce === undefined) return null;
  return records.delegation({ accountId, hostname: spec.hostname, epoch, nonce });
}
