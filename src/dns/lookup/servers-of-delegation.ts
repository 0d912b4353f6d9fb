import type { Endpoint } from '../wire/dns-endpoint.ts';
import type { Response } from '../wire/dns-message.ts';
import { checkLimits } from './check-budget.ts';
import type { Delegation } from './delegation.ts';
import { isReferral, isUsableAbout } from './delegation.ts';
import type { DnsClient } from './dns-client.ts';
import type { Infrastructure } from './infrastructure-cache.ts';
import type { ServerAnswer } from './query-servers.ts';
import { queryFirst, querySome } from './query-servers.ts';
import type { CutOf, ZoneCut, ZoneServer } from './zone-cut.ts';
import { confirmingServers, countOf, isCertain, isCut, isInZone, parentName, unique } from './zone-cut.ts';

const maxDepth = 4;

interface ServersOptions {
  readonly client: DnsClient;
  readonly cutOf: CutOf;
  readonly infrastructure: Infrastructure;
  readonly port: number;
}

/** Where a delegation was found. */
interface DelegationPlace {
  readonly apex: string;
  readonly parent: ZoneCut;
  /** 0 for the zone of a customer's name; more for zones of servers' names, of which only the parent's word is taken */
  readonly depth: number;
}

/** Whose delegation names the server: a customer's counts against the check's budget of lookups. */
interface LookUpReason {
  readonly depth: number;
  readonly isCustomers: boolean;
}

type FoundDelegation = Delegation & { readonly kind: 'cut' };
type AddressType = 'A' | 'AAAA';

/** Finds the servers of a delegated zone: those that the parent names and, for a customer's zone, that it names itself. */
export function createServersOfDelegation({ client, cutOf, infrastructure, port }: ServersOptions) {
  const endpointsAt = (addresses: readonly string[]): readonly Endpoint[] =>
    addresses.slice(0, checkLimits.addressesPerServer).map((address) => ({ address, port }));

  const unknownServer = (name: string): ZoneServer => ({ name, endpoints: [], delegated: true, certain: false });

  /** By the word of its own zone, or of the zone above it. */
  const givenServer = (name: string, addresses: readonly string[], delegated: boolean): ZoneServer => ({
    name,
    endpoints: endpointsAt(addresses),
    delegated,
    certain: delegated && addresses.length > 0,
  });

  const ask = (cut: ZoneCut, name: string, type: AddressType): Promise<readonly ServerAnswer[]> =>
    querySome(client, cut.servers, { question: { name, type, recursive: false }, usable: isUsableAbout(name) });

  /** IPv6 only for a name without IPv4 addresses. */
  const askBoth = async (cut: ZoneCut, name: string) => {
    const v4 = await ask(cut, name, 'A');
    const isEmpty = v4.length > 0 && v4.every(({ response }) => valuesIn(response, name, 'A').length === 0);
    if (!isEmpty || v4.some(({ response }) => isReferral(response, name))) return { type: 'A', answers: v4 } as const;
    return { type: 'AAAA', answers: await ask(cut, name, 'AAAA') } as const;
  };

  const find = async (name: string, depth: number): Promise<readonly ZoneServer[]> => {
    const above = await cutOf(parentName(name), depth + 1);
    if (!isCut(above)) return [unknownServer(name)];
    const first = await askBoth(above, name);
    const isBelow = first.answers.some(({ response }) => isReferral(response, name));
    const zone = isBelow ? await cutOf(name, depth + 1) : above;
    if (!isCut(zone)) return [unknownServer(name)];
    const { type, answers } = isBelow ? await askBoth(zone, name) : first;
    if (answers.length === 0) return [unknownServer(name)];
    const views = answers.map(({ response }) => valuesIn(response, name, type));
    const certain = isAgreed(views) && isConfirmed(zone, answers);
    if (views.every((view) => view.length === 0)) return certain ? [] : [unknownServer(name)];
    if (!certain) {
      const addresses = new Set(views.flatMap(([address]) => address ?? []));
      return [...addresses].map((address) => ({ ...unknownServer(name), endpoints: endpointsAt([address]) }));
    }
    const found = [givenServer(name, views[0] ?? [], true)];
    infrastructure.keepServer(name, found, Math.min(...answers.map(({ response }) => leastTtl(response, name))));
    return found;
  };

  /**
   * Looks up the addresses of a name server whose delegation came without glue. Only two servers of its zone are queried,
   * because anybody may have named that zone and the packets go there (NXNSAttack, RFC 9520). If they return different
   * addresses, both are used and neither is certain. A name that certainly has no address is left out. Certain addresses
   * are shared by all checks until their TTL expires.
   */
  const lookUp = async (name: string, { depth, isCustomers }: LookUpReason): Promise<readonly ZoneServer[]> => {
    const kept = infrastructure.recallServer(name);
    if (kept) return kept;
    if (depth >= maxDepth || (isCustomers && !client.mayLookUpServer(name))) return [unknownServer(name)];
    return find(name, depth);
  };

  /** Addresses of delegated servers: from the parent's own servers, from glue, or by a walk to the server's name. */
  const locate = async (
    { names, glue, own }: FoundDelegation,
    { apex, parent, depth }: DelegationPlace,
  ): Promise<readonly ZoneServer[]> => {
    const given = (name: string): ZoneServer | null => {
      const ofParent = parent.servers.find((server) => server.name === name && server.endpoints.length > 0);
      if (ofParent) return { ...ofParent, delegated: true };
      const addresses = glue.get(name);
      return addresses ? givenServer(name, addresses, true) : null;
    };
    const search = async (name: string): Promise<readonly ZoneServer[]> => {
      if (!isInZone(name, apex)) return lookUp(name, { depth, isCustomers: !infrastructure.holds(apex) });
      return [givenServer(name, own.length > 0 ? await addressesFrom(own, name) : [], true)];
    };
    const wanted = names.slice(0, checkLimits.serversPerZone).map((name) => ({ name, server: given(name) }));
    const missing = wanted.filter(({ server }) => server === null);
    const found = new Map(await Promise.all(missing.map(async ({ name }) => [name, await search(name)] as const)));
    return wanted.flatMap(({ name, server }) => server ?? found.get(name) ?? []);
  };

  /** Servers named only by the child zone; addresses of those inside it are asked of the servers the parent names. */
  const childServers = async (delegated: readonly ZoneServer[], apex: string): Promise<readonly ZoneServer[]> => {
    const response = await firstAuthoritative(delegated, apex, 'NS');
    const extra = valuesIn(response, apex, 'NS')
      .filter((name) => !delegated.some((server) => server.name === name))
      .slice(0, checkLimits.serversPerZone);
    const located = extra.map(async (name): Promise<readonly ZoneServer[]> => {
      if (!isInZone(name, apex)) return lookUp(name, { depth: 0, isCustomers: true });
      return [givenServer(name, await addressesFrom(delegated, name), false)];
    });
    return (await Promise.all(located)).flat().map((server) => ({ ...server, delegated: false }));
  };

  const firstAuthoritative = async (
    servers: readonly ZoneServer[],
    name: string,
    type: AddressType | 'NS',
  ): Promise<Response | undefined> => {
    const usable = ({ authoritative, rcode }: Response) => authoritative && rcode === 'NOERROR';
    const query = { question: { name, type, recursive: false }, usable, isOptional: type === 'NS' };
    return (await queryFirst(client, servers, query))?.response;
  };

  /** IPv6 addresses only where there is no IPv4 one: each family costs a packet. */
  const addressesFrom = async (servers: readonly ZoneServer[], name: string): Promise<readonly string[]> => {
    const v4 = valuesIn(await firstAuthoritative(servers, name, 'A'), name, 'A');
    return v4.length > 0 ? v4 : valuesIn(await firstAuthoritative(servers, name, 'AAAA'), name, 'AAAA');
  };

  return async (delegation: FoundDelegation, place: DelegationPlace): Promise<readonly ZoneServer[]> => {
    const located = await locate(delegation, place);
    const delegated = unique([...located, ...delegation.own]).slice(0, checkLimits.serversPerZone);
    if (place.depth > 0 || infrastructure.holds(place.apex)) return delegated;
    return unique([...delegated, ...(await childServers(delegated, place.apex))]);
  };
}

const isAgreed = (views: readonly (readonly string[])[]): boolean =>
  new Set(views.map((view) => view.toSorted().join(' '))).size === 1;

const isConfirmed = (zone: ZoneCut, answers: readonly ServerAnswer[]): boolean =>
  isCertain({ servers: countOf(zone.servers), agreeing: confirmingServers(answers) }) && zone.cuts.every(isCertain);

/** The values of the records that answer a question; none without a response. */
const valuesIn = (response: Response | undefined, name: string, type: AddressType | 'NS'): readonly string[] =>
  (response?.answers ?? []).filter((record) => record.name === name && record.type === type).map(({ value }) => value);

/** seconds */
const leastTtl = (response: Response, name: string): number =>
  Math.min(...response.answers.filter((record) => record.name === name).map(({ ttl }) => ttl));
