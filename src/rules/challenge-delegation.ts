import type { ProjectDomain } from '../generated/project-domain.ts';
import { dnsChallengeName } from './dns-challenge-name.ts';
import type { RecordValues } from './dns-target.ts';

/** The alias that a hostname's challenge name has to be (RFC 8555, section 8.4), so that its challenges are answered here. */
export interface Delegation {
  /** the challenge name */
  readonly name: string;
  /** what it is an alias of: a label of the challenge zone */
  readonly value: string;
  readonly label: string;
  readonly zone: string;
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
}

/**
 * The delegation by which a hostname is prepared before it is switched; null for one that is not. Once the hostname has led here it counts no more:
 * a hostname that leaves has left, whatever it still delegates.
 */
export function delegationOf(
  { records, challengeZone: zone }: DelegationSources,
  { spec, metadata, accountId, epoch, routedBy = null }: Delegating,
): Delegation | null {
  const { hostname, prepare = false, nonce = metadata.uid } = spec;
  const name = dnsChallengeName(hostname);
  const isAhead = routedBy === null || routedBy === 'delegation';
  if (!prepare || !isAhead || zone === null || name === null) return null;
  if (accountId === undefined || nonce === undefined) return null;
  const label = records.delegation({ accountId, hostname, epoch, nonce });
  return Object.freeze({ name, value: `${label}.${zone}`, label, zone });
}
