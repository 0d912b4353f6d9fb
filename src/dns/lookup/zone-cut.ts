import type { DifferingDelegations, CutAgreement } from '../dns-facts.ts';
import { isWithin } from '../../rules/hostname.ts';
import type { Endpoint } from '../wire/dns-endpoint.ts';

/** A name server of a zone. */
export interface ZoneServer {
  readonly name: string;
  /** queried in this order until one answers, IPv4 first; empty when the name could not be resolved to an address */
  readonly endpoints: readonly Endpoint[];
  /** the parent zone names it; false when only the zone itself does */
  readonly delegated: boolean;
  /** its address was given by two servers, or by the only one that could be queried */
  readonly certain: boolean;
}

/** The deepest zone that contains a name, with every server that the parent zone or the zone itself names for it. */
export interface ZoneCut {
  readonly apex: string;
  readonly servers: readonly ZoneServer[];
  /** how many servers agreed on each zone cut from the root to here */
  readonly cuts: readonly CutAgreement[];
}

/** The zone could not be determined: the servers on the way gave no usable answer, or differing delegations. */
export interface NoZoneCut {
  readonly differing: DifferingDelegations | null;
}

/**
 * Finds the zone cut above a name. At depth 0 (a customer's name) every server of every zone on the way is queried; at
 * greater depths (a name server's name, whose zone may belong to anybody) only two of each.
 */
export type CutOf = (name: string, depth: number) => Promise<ZoneCut | NoZoneCut>;

export const isCut = (found: ZoneCut | NoZoneCut): found is ZoneCut => 'servers' in found;

/** Number of distinct addresses of the servers that the parent names; a server without known address counts as one. */
export function countOf(servers: readonly ZoneServer[]): number {
  return new Set(servers.filter(({ delegated }) => delegated).map(addressOrName)).size;
}

/**
 * How many servers stand behind answers: distinct addresses of servers that the parent names, and no more than their
 * distinct names, so that a name with two addresses (its zone's servers may disagree about it) counts once.
 */
export function confirmingServers(
  answers: readonly { readonly server: ZoneServer; readonly endpoint: Endpoint }[],
): number {
  const confirming = answers.filter(({ server }) => server.delegated);
  const addresses = new Set(confirming.map(({ endpoint }) => endpoint.address));
  const names = new Set(confirming.map(({ server, endpoint }) => server.name || endpoint.address));
  return Math.min(addresses.size, names.size);
}

const addressOrName = ({ name, endpoints }: ZoneServer): string => endpoints[0]?.address ?? `${name} without address`;

/** Confirmed by two servers at different addresses, or by the only one. */
export const isCertain = ({ servers, agreeing }: Omit<CutAgreement, 'zone'>): boolean =>
  agreeing >= Math.min(2, Math.max(1, servers));

/** Removes servers whose addresses were all listed before. */
export function unique(servers: readonly ZoneServer[]): readonly ZoneServer[] {
  const seen = new Set<string>();
  return servers.filter((server) => {
    const addresses =
      server.endpoints.length > 0 ? server.endpoints.map(({ address }) => address) : [addressOrName(server)];
    const isNew = addresses.some((address) => !seen.has(address));
    for (const address of addresses) seen.add(address);
    return isNew;
  });
}

/** True for the zone's apex and every name below it; the root contains every name. */
export const isInZone = (name: string, zone: string): boolean => zone === '' || isWithin(name, zone);

/** The name without its first label; the root for a single label. */
export const parentName = (name: string): string => (name.includes('.') ? name.slice(name.indexOf('.') + 1) : '');
