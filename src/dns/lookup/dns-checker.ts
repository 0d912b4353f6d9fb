import { isRegistrySuffix, registrableDomain } from '../../rules/hostname.ts';
import type { DnsFacts, CheckRequest, Dns } from '../dns-facts.ts';
import type { Endpoint } from '../wire/dns-endpoint.ts';
import { parseEndpoint, rootServers } from '../wire/dns-endpoint.ts';
import type { Exchange } from '../wire/dns-exchange.ts';
import { exchange as realExchange } from '../wire/dns-exchange.ts';
import { addressRule, permittedRule } from './address-safety.ts';
import { createDelegationMemory } from './delegation-memory.ts';
import { createWalk } from './delegation-walk.ts';
import type { DnsClient } from './dns-client.ts';
import { createDnsClient } from './dns-client.ts';
import { lookUpDnssec } from './dnssec-lookup.ts';
import { createInfrastructure, createSharedAnswers } from './infrastructure-cache.ts';
import type { Check } from './lookup-chain.ts';
import { createObservations } from './observations.ts';
import { confirmHostname, observeHostname } from './observe-hostname.ts';
import { createServerMemory } from './server-memory.ts';
import { createServerRates } from './server-rate.ts';
import { createSilence } from './silent-servers.ts';
import { validationMs } from './validating-resolvers.ts';
import type { ZoneCut } from './zone-cut.ts';

/** Whose server a packet went to: the root's, a registry's, another zone's (mostly those of DNS hosts), or a resolver. */
type ServerKind = 'root' | 'registry' | 'dns-host' | 'resolver';

/** The cost of a check. */
export interface CheckCost {
  readonly hostname: string;
  /** sent over UDP and TCP */
  readonly packets: number;
  /** the same by kind of server */
  readonly packetsTo: Readonly<Record<ServerKind, number>>;
  readonly ms: number;
}

export interface DnsCheckerOptions {
  readonly roots: readonly Endpoint[];
  readonly resolvers: readonly Endpoint[];
  /** addresses and ranges that may be queried although they are not public; exempt from the rate per server */
  readonly permitted: readonly string[];
  /** called once a check has ended, whatever its result */
  readonly observe?: (cost: CheckCost) => void;
}

/** Where an installation's configuration says that lookups start; no roots stand for the Internet's. Throws on a fault. */
export const checkerOptions = (config: {
  readonly roots: readonly string[];
  readonly resolvers: readonly string[];
  readonly permittedRanges: readonly string[];
}): DnsCheckerOptions => ({
  roots: (config.roots.length > 0 ? config.roots : rootServers).map(parseEndpoint),
  resolvers: config.resolvers.map(parseEndpoint),
  permitted: config.permittedRanges,
});

/** The Dns port over real sockets. The exchange is a parameter so that tests can script faults. */
export function createDnsChecker(options: DnsCheckerOptions, exchange: Exchange = realExchange): Dns {
  const { roots, resolvers } = options;
  const given = [...roots, ...resolvers].map(({ address }) => address);
  const configured = [...options.permitted, ...given];
  const now = () => performance.now();
  const ofProcess = {
    exchange,
    allowed: addressRule(configured),
    unbounded: permittedRule(configured),
    rates: createServerRates(),
    silence: createSilence(),
    memory: createServerMemory(),
    now,
  };
  const [shared, delegations] = [createSharedAnswers(), createDelegationMemory()];

  /** `begin` makes a client with time and packets of its own. */
  const collectFacts = async (
    request: CheckRequest,
    begin: (ms?: number) => DnsClient,
    entered: (cut: ZoneCut) => void,
  ): Promise<Omit<DnsFacts, 'asked'>> => {
    const { hostname, target, isConfirmation = false } = request;
    const client = begin();
    const infrastructure = createInfrastructure({ shared, hostname, target, now });
    const walk = createWalk({
      client,
      roots,
      infrastructure,
      delegations,
      mayReuseDelegation: isConfirmation,
      domain: registrableDomain(hostname),
      entered,
      now,
    });
    const observations = createObservations();
    const check: Check = { client, walk, infrastructure, observations, resolvers: isConfirmation ? [] : resolvers };
    await (isConfirmation ? confirmHostname(check, request) : observeHostname(check, request));
    const validators = { resolvers, client: () => begin(validationMs) };
    const dnssec = isConfirmation ? undefined : await lookUpDnssec(check, validators, request);
    return { hostname, names: observations.names(), ...(dnssec ? { dnssec } : {}) };
  };

  return {
    async check(request, signal) {
      const startedAt = now();
      const clients: DnsClient[] = [];
      const begin = (ms?: number) => {
        const client = createDnsClient({ ...ofProcess, signal, ...(ms === undefined ? {} : { ms }) });
        clients.push(client);
        return client;
      };
      const registries = new Set<string>();
      const entered = ({ apex, servers }: ZoneCut) => {
        if (!isRegistrySuffix(apex)) return;
        for (const { address } of servers.flatMap(({ endpoints }) => endpoints)) registries.add(address);
      };
      try {
        const facts = await collectFacts(request, begin, entered);
        return Object.freeze({ ...facts, asked: clients.flatMap(({ asked }) => asked) });
      } finally {
        const packetsTo = byKind(options, registries, clients);
        const packets = Object.values(packetsTo).reduce((sum, count) => sum + count, 0);
        options.observe?.({ hostname: request.hostname, packets, packetsTo, ms: now() - startedAt });
      }
    },
  };
}

/**
 * The packets that clients sent; `registries`: addresses of their servers. An address that is a root's and a registry's at once, as in small set-ups,
 * counts as the first.
 */
function byKind(
  { roots, resolvers }: DnsCheckerOptions,
  registries: ReadonlySet<string>,
  clients: readonly DnsClient[],
): CheckCost['packetsTo'] {
  const isOneOf = (endpoints: readonly Endpoint[], wanted: string) =>
    endpoints.some(({ address }) => address === wanted);
  const kindOf = (address: string): ServerKind => {
    if (isOneOf(roots, address)) return 'root';
    if (isOneOf(resolvers, address)) return 'resolver';
    return registries.has(address) ? 'registry' : 'dns-host';
  };
  const packets = { root: 0, registry: 0, 'dns-host': 0, resolver: 0 };
  for (const [address, count] of clients.flatMap(({ packetsTo }) => [...packetsTo])) packets[kindOf(address)] += count;
  return packets;
}
