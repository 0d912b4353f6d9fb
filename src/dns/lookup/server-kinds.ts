import { isRegistrySuffix } from '../../rules/hostname.ts';
import type { Endpoint } from '../wire/dns-endpoint.ts';
import type { ZoneCut } from './zone-cut.ts';

/** Whose server a packet went to: the root's, a registry's, another zone's (mostly those of DNS hosts), or a resolver. */
export type ServerKind = 'root' | 'registry' | 'dns-host' | 'resolver';

/** The kinds of the servers that one check queries. */
export interface ServerKinds {
  /** Learns the servers of a zone that the check has entered. */
  learn(cut: Pick<ZoneCut, 'apex' | 'servers'>): void;
  /** Adds up packets by kind; `sent`: packets by address. */
  sum(sent: ReadonlyMap<string, number>): Readonly<Record<ServerKind, number>>;
}

/** An address that is a root's and a registry's at once, as in small set-ups, counts as the first. */
export function createServerKinds(options: {
  readonly roots: readonly Endpoint[];
  readonly resolvers: readonly Endpoint[];
}): ServerKinds {
  const addressesOf = (endpoints: readonly Endpoint[]) => new Set(endpoints.map(({ address }) => address));
  const [roots, resolvers] = [addressesOf(options.roots), addressesOf(options.resolvers)];
  const registries = new Set<string>();
  const kindOf = (address: string): ServerKind => {
    if (roots.has(address)) return 'root';
    if (resolvers.has(address)) return 'resolver';
    return registries.has(address) ? 'registry' : 'dns-host';
  };
  return {
    learn({ apex, servers }) {
      if (!isRegistrySuffix(apex)) return;
      for (const { address } of servers.flatMap(({ endpoints }) => endpoints)) registries.add(address);
    },
    sum(sent) {
      const packets = { root: 0, registry: 0, 'dns-host': 0, resolver: 0 };
      for (const [address, count] of sent) packets[kindOf(address)] += count;
      return packets;
    },
  };
}
