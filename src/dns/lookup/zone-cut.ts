import type { DifferingDelegations, CutAgreement } from '../dns-facts.ts';
import { isWithin } from '../../rules/hostname.ts';
import type { Endpoint } from './dns-endpoint.ts';

/** A server of a zone; without an endpoint its name could not be resolved to an address. */
export interface ZoneServer {
  readonly name: string;
  readonly endpoint: Endpoint | null;
  /** the parent zone names it; others are named by the zone itself only */
  readonly delegated: boolean;
  /** its address was said by two servers, or by the only one there is to ask */
  readonly certain: boolean;
}

/** The deepest zone that holds a name, with every server that parent and child name for it. */
export interface ZoneCut {
  readonly apex: string;
  readonly servers: readonly ZoneServer[];
  /** who stood behind each cut from the root to here */
  readonly cuts: readonly CutAgreement[];
}

/** No zone can be told: the servers on the way say nothing usable, or different things. */
export interface NoZoneCut {
  readonly differing: DifferingDelegations | null;
}

/**
 * How a walk asks: for a customer's name every server of every zone on the way; for the name of a server, which costs
 * somebody else's packets, two.
 */
export type CutOf = (name: string, depth: number) => Promise<ZoneCut | NoZoneCut>;

export const isCut = (found: ZoneCut | NoZoneCut): found is ZoneCut => 'servers' in found;

/** Addresses of servers that the parent names: one that is not known counts as one. */
export function countOf(servers: readonly ZoneServer[]): number {
  return new Set(servers.filter(({ delegated }) => delegated).map(addressOrName)).size;
}

const addressOrName = ({ name, endpoint }: ZoneServer): string => endpoint?.address ?? `${name} without address`;

/** Said by two servers at different addresses, or by the only one. */
export const isCertain = ({ servers, agreeing }: Omit<CutAgreement, 'zone'>): boolean =>
  agreeing >= Math.min(2, Math.max(1, servers));

/** One entry an address; the first one stays. */
export function unique(servers: readonly ZoneServer[]): readonly ZoneServer[] {
  const seen = new Map(servers.map((server) => [addressOrName(server), server] as const).reverse());
  return servers.filter((server) => seen.get(addressOrName(server)) === server);
}

/** Is the name in the zone, or the zone itself? The root holds every name. */
export const lies = (name: string, zone: string): boolean => zone === '' || isWithin(name, zone);
