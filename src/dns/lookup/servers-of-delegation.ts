import { checkLimits } from './check-budget.ts';
import type { Delegation } from './delegation.ts';
import type { DnsClient } from './dns-client.ts';
import type { Response } from '../wire/dns-message.ts';
import type { Infrastructure } from './infrastructure-cache.ts';
import { queryFirst } from './query-servers.ts';
import type { LookUpServer } from './server-address-lookup.ts';
import type { ZoneCut, ZoneServer } from './zone-cut.ts';
import { isInZone, unique } from './zone-cut.ts';

export interface ServersOfDelegationOptions {
  readonly client: DnsClient;
  readonly lookUp: LookUpServer;
  readonly infrastructure: Infrastructure;
  readonly port: number;
}

/** Where a delegation was found. */
export interface DelegationPlace {
  readonly apex: string;
  readonly parent: ZoneCut;
  /** 0 for the zone of a customer's name; more for zones of servers' names, of which only the parent's word is taken */
  readonly depth: number;
}

type FoundDelegation = Delegation & { readonly kind: 'cut' };

/** Finds the servers of a delegated zone: those that the parent names and, for a customer's zone, that it names itself. */
export function createServersOfDelegation({ client, lookUp, infrastructure, port }: ServersOfDelegationOptions) {
  const serverAt = (name: string, addresses: readonly string[], delegated: boolean): ZoneServer => ({
    name,
    endpoints: addresses.slice(0, checkLimits.addressesPerServer).map((address) => ({ address, port })),
    delegated,
    certain: delegated && addresses.length > 0,
  });

  /** Addresses of delegated servers: from the parent's own servers, from glue, or by a walk to the server's name. */
  const locate = async (
    { names, glue, own }: FoundDelegation,
    { apex, parent, depth }: DelegationPlace,
  ): Promise<readonly ZoneServer[]> => {
    const given = (name: string): ZoneServer | null => {
      const ofParent = parent.servers.find((server) => server.name === name && server.endpoints.length > 0);
      if (ofParent) return { ...ofParent, delegated: true };
      const addresses = glue.get(name);
      return addresses ? serverAt(name, addresses, true) : null;
    };
    const find = async (name: string): Promise<readonly ZoneServer[]> => {
      if (!isInZone(name, apex)) return lookUp(name, { depth, isCustomers: !infrastructure.holds(apex) });
      return [serverAt(name, own.length > 0 ? await addressesFrom(own, name) : [], true)];
    };
    const wanted = names.slice(0, checkLimits.serversPerZone).map((name) => ({ name, server: given(name) }));
    const missing = wanted.filter(({ server }) => server === null);
    const found = new Map(await Promise.all(missing.map(async ({ name }) => [name, await find(name)] as const)));
    return wanted.flatMap(({ name, server }) => server ?? found.get(name) ?? []);
  };

  /** Servers named only by the child zone; addresses of those inside it are asked of the servers the parent names. */
  const childServers = async (delegated: readonly ZoneServer[], apex: string): Promise<readonly ZoneServer[]> => {
    const response = await firstAuthoritative(delegated, apex, 'NS');
    const names = (response?.answers ?? []).filter(({ type, name }) => type === 'NS' && name === apex);
    const extra = names
      .map(({ value }) => value)
      .filter((name) => !delegated.some((server) => server.name === name))
      .slice(0, checkLimits.serversPerZone);
    const located = extra.map(async (name): Promise<readonly ZoneServer[]> => {
      if (!isInZone(name, apex)) return lookUp(name, { depth: 0, isCustomers: true });
      return [serverAt(name, await addressesFrom(delegated, name), false)];
    });
    return (await Promise.all(located)).flat().map((server) => ({ ...server, delegated: false }));
  };

  const firstAuthoritative = async (
    servers: readonly ZoneServer[],
    name: string,
    type: 'NS' | 'A' | 'AAAA',
  ): Promise<Response | null> => {
    const usable = ({ authoritative, rcode }: Response) => authoritative && rcode === 'NOERROR';
    const query = { question: { name, type, recursive: false }, usable, isOptional: type === 'NS' };
    return (await queryFirst(client, servers, query))?.response ?? null;
  };

  /** IPv6 addresses only where there is no IPv4 one: each family costs a packet. */
  const addressesFrom = async (servers: readonly ZoneServer[], name: string): Promise<readonly string[]> => {
    for (const type of ['A', 'AAAA'] as const) {
      const response = await firstAuthoritative(servers, name, type);
      const addresses = (response?.answers ?? []).filter((record) => record.name === name && record.type === type);
      if (addresses.length > 0) return addresses.map(({ value }) => value);
    }
    return [];
  };

  return async (delegation: FoundDelegation, place: DelegationPlace): Promise<readonly ZoneServer[]> => {
    const located = await locate(delegation, place);
    const delegated = unique([...located, ...delegation.own]).slice(0, checkLimits.serversPerZone);
    if (place.depth > 0 || infrastructure.holds(place.apex)) return delegated;
    return unique([...delegated, ...(await childServers(delegated, place.apex))]);
  };
}
