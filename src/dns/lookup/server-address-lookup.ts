import { checkLimits } from './check-budget.ts';
import { isReferral, isUsableAbout } from './delegation.ts';
import type { DnsClient } from './dns-client.ts';
import type { Infrastructure } from './infrastructure-cache.ts';
import type { ServerAnswer } from './query-servers.ts';
import { querySome } from './query-servers.ts';
import type { CutOf, ZoneCut, ZoneServer } from './zone-cut.ts';
import { confirmingServers, countOf, isCertain, isCut, parentName } from './zone-cut.ts';

const maxDepth = 4;

export interface ServerLookupOptions {
  readonly client: DnsClient;
  readonly cutOf: CutOf;
  readonly infrastructure: Infrastructure;
  readonly port: number;
}

/** Whose delegation names the server: a customer's counts against the check's budget of lookups. */
interface LookUpReason {
  readonly depth: number;
  readonly isCustomers: boolean;
}

export type LookUpServer = (name: string, reason: LookUpReason) => Promise<readonly ZoneServer[]>;

/**
 * Looks up the addresses of a name server whose delegation came without glue. Only two servers of its zone are queried,
 * because anybody may have named that zone and the packets go there (NXNSAttack, RFC 9520). If they return different
 * addresses, both are used and neither is certain. A name that certainly has no address is left out. Certain addresses
 * are shared by all checks until their TTL expires.
 */
export function createServerLookup({ client, cutOf, infrastructure, port }: ServerLookupOptions): LookUpServer {
  const unknownServer = (name: string): ZoneServer => ({ name, endpoints: [], delegated: true, certain: false });

  const serverAt = (name: string, addresses: readonly string[], certain: boolean): ZoneServer => ({
    name,
    endpoints: addresses.slice(0, checkLimits.addressesPerServer).map((address) => ({ address, port })),
    delegated: true,
    certain,
  });

  const ask = (cut: ZoneCut, name: string, type: AddressType): Promise<readonly ServerAnswer[]> =>
    querySome(client, cut.servers, { question: { name, type, recursive: false }, usable: isUsableAbout(name) });

  /** IPv6 only for a name without IPv4 addresses. */
  const askBoth = async (cut: ZoneCut, name: string): Promise<Asked> => {
    const v4 = await ask(cut, name, 'A');
    const isEmpty = v4.length > 0 && v4.every(({ response }) => addressesIn(response, name, 'A').length === 0);
    if (!isEmpty || v4.some(({ response }) => isReferral(response, name))) return { type: 'A', answers: v4 };
    return { type: 'AAAA', answers: await ask(cut, name, 'AAAA') };
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
    const views = answers.map(({ response }) => addressesIn(response, name, type));
    const certain = isAgreed(views) && isConfirmed(zone, answers);
    if (views.every((view) => view.length === 0)) return certain ? [] : [unknownServer(name)];
    if (!certain) return uncertain(views).map((address) => serverAt(name, [address], false));
    const found = [serverAt(name, views[0] ?? [], true)];
    infrastructure.keepServer(name, found, Math.min(...answers.map(({ response }) => leastTtl(response, name))));
    return found;
  };

  return async (name, { depth, isCustomers }) => {
    const kept = infrastructure.recallServer(name);
    if (kept) return kept;
    if (depth >= maxDepth || (isCustomers && !client.mayLookUpServer(name))) return [unknownServer(name)];
    return find(name, depth);
  };
}

type AddressType = 'A' | 'AAAA';

interface Asked {
  readonly type: AddressType;
  readonly answers: readonly ServerAnswer[];
}

const isAgreed = (views: readonly (readonly string[])[]): boolean =>
  new Set(views.map((view) => view.toSorted().join(' '))).size === 1;

const isConfirmed = (zone: ZoneCut, answers: readonly ServerAnswer[]): boolean =>
  isCertain({ servers: countOf(zone.servers), agreeing: confirmingServers(answers) }) && zone.cuts.every(isCertain);

const uncertain = (views: readonly (readonly string[])[]): readonly string[] => [
  ...new Set(views.flatMap(([address]) => address ?? [])),
];

const recordsIn = (response: ServerAnswer['response'], name: string, type: AddressType) =>
  response.answers.filter((record) => record.name === name && record.type === type);

const addressesIn = (response: ServerAnswer['response'], name: string, type: AddressType): readonly string[] =>
  recordsIn(response, name, type).map(({ value }) => value);

/** seconds */
const leastTtl = (response: ServerAnswer['response'], name: string): number =>
  Math.min(...response.answers.filter((record) => record.name === name).map(({ ttl }) => ttl));
