import { registrableDomain } from '../../rules/hostname.ts';
import type { AddressRule } from './address-safety.ts';
import { addressRule, permittedRule } from './address-safety.ts';
import { createDelegationMemory } from './delegation-memory.ts';
import type { DnsClient } from './dns-client.ts';
import { createDnsClient } from './dns-client.ts';
import type { Endpoint } from '../wire/dns-endpoint.ts';
import { parseEndpoint, rootServers } from '../wire/dns-endpoint.ts';
import type { Exchange } from '../wire/dns-exchange.ts';
import { exchange as realExchange } from '../wire/dns-exchange.ts';
import { lookUpDnssec } from './dnssec-lookup.ts';
import { createObservations } from './observations.ts';
import { createInfrastructure } from './infrastructure-cache.ts';
import type { Check } from './lookup-chain.ts';
import { observeChain, observeName } from './lookup-chain.ts';
import type { DnsFacts, CheckRequest, Dns, DnsOutcome } from '../dns-facts.ts';
import { chainNames, outcomesAt } from '../observed-records.ts';
import { createServerMemory } from './server-memory.ts';
import type { ServerKind, ServerKinds } from './server-kinds.ts';
import { createServerKinds } from './server-kinds.ts';
import { createServerRates } from './server-rate.ts';
import { createSharedAnswers } from './shared-answers.ts';
import { createSilence } from './silent-servers.ts';
import { observeHttps, observeOtherNames, observeOtherTexts } from './other-names.ts';
import { validationMs } from './validating-resolvers.ts';
import { baseOf } from '../../rules/wildcard.ts';
import { createWalk } from './delegation-walk.ts';

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
  const given = [...options.roots, ...options.resolvers].map(({ address }) => address);
  const configured = [...options.permitted, ...given];
  const allowed: AddressRule = addressRule(configured);
  const unbounded = permittedRule(configured);
  const [rates, silence, shared, memory] = [
    createServerRates(),
    createSilence(),
    createSharedAnswers(),
    createServerMemory(),
  ];
  const delegations = createDelegationMemory();
  const now = () => performance.now();
  const collectFacts = async (clients: CheckClients, kinds: ServerKinds, request: CheckRequest): Promise<DnsFacts> => {
    const { hostname, target, isConfirmation = false } = request;
    const client = clients.begin();
    const infrastructure = createInfrastructure({ shared, hostname, target, now });
    const walk = createWalk({
      client,
      roots: options.roots,
      infrastructure,
      delegations,
      mayReuseDelegation: isConfirmation,
      domain: registrableDomain(hostname),
      entered: (cut) => kinds.learn(cut),
      now,
    });
    const check: Check = {
      client,
      walk,
      infrastructure,
      observations: createObservations(),
      resolvers: isConfirmation ? [] : options.resolvers,
    };
    await (isConfirmation ? confirm(check, request) : observe(check, request));
    const validators = { resolvers: options.resolvers, client: () => clients.begin(validationMs) };
    const dnssec = isConfirmation ? undefined : await lookUpDnssec(check, validators, request);
    const names = check.observations.names();
    return Object.freeze({ hostname, names, asked: clients.asked(), ...(dnssec ? { dnssec } : {}) });
  };
  return {
    async check(request, signal) {
      const startedAt = now();
      const shared = { exchange, allowed, unbounded, rates, silence, memory, signal, now };
      const clients = checkClients((ms) => createDnsClient({ ...shared, ...(ms === undefined ? {} : { ms }) }));
      const kinds = createServerKinds(options);
      try {
        return await collectFacts(clients, kinds, request);
      } finally {
        const { hostname } = request;
        const packetsTo = kinds.sum(clients.packetsTo());
        options.observe?.({ hostname, packets: clients.packets(), packetsTo, ms: now() - startedAt });
      }
    },
  };
}

/** The clients of one check, each with its own time and packets. */
interface CheckClients {
  begin(ms?: number): DnsClient;
  asked(): DnsFacts['asked'];
  packets(): number;
  packetsTo(): ReadonlyMap<string, number>;
}

function checkClients(begin: CheckClients['begin']): CheckClients {
  const clients: DnsClient[] = [];
  return {
    begin(ms) {
      const client = begin(ms);
      clients.push(client);
      return client;
    },
    asked: () => clients.flatMap(({ asked }) => asked),
    packets: () => clients.reduce((sum, client) => sum + client.packets(), 0),
    packetsTo() {
      const sum = new Map<string, number>();
      for (const [address, count] of clients.flatMap((client) => [...client.packetsTo()]))
        sum.set(address, (sum.get(address) ?? 0) + count);
      return sum;
    },
  };
}

/** The ownership record, and the target's own addresses unless they are needed, are queried only where the exact target does not decide. */
async function observe(check: Check, request: CheckRequest): Promise<void> {
  const { hostname, target, txtName, txtRequired, delegationName, caa } = request;
  const observeTxt = () => txtName !== null && observeChain(check, { start: txtName, types: ['TXT'] });
  await Promise.all([
    observeChain(check, { start: hostname, types: ['A', 'AAAA'], end: target }),
    txtRequired && observeTxt(),
    delegationName !== undefined && observeName(check, delegationName, ['TXT']),
    caa && walkCaaTree(check, hostname),
  ]);
  if (leadsToTarget(check.observations.names(), request)) {
    await Promise.all([observeNeededTarget(check, request), txtRequired && observeOtherTexts(check, request)]);
    return;
  }
  await Promise.all([
    observeTarget(check, target),
    !txtRequired && observeTxt(),
    observeOtherNames(check, request),
    observeHttps(check, request),
  ]);
  await observeOtherTexts(check, request);
}

/**
 * Asks for CAA at the name, of a wildcard at its base, and at each of its parents up to the top-level domain, following aliases (RFC 8659 section 3):
 * all at once, as most names have none anywhere.
 */
async function walkCaaTree(check: Check, hostname: string): Promise<void> {
  const labels = baseOf(hostname).split('.');
  const names = labels.map((_, index) => labels.slice(index).join('.'));
  await Promise.all(names.map((start) => observeChain(check, { start, types: ['CAA'] })));
}

/** What shows that the hostname still leads here: IPv6 addresses only where IPv4 ones are, as a CNAME is one for both. */
async function confirm(check: Check, request: CheckRequest): Promise<void> {
  const { hostname, target } = request;
  await observeChain(check, { start: hostname, types: ['A'], end: target });
  if (leadsToTarget(check.observations.names(), request)) return observeNeededTarget(check, request);
  await observeChain(check, { start: hostname, types: ['AAAA'], end: target });
}

const observeTarget = (check: Check, target: string): Promise<void> =>
  observeChain(check, { start: target, types: ['A', 'AAAA'] });

async function observeNeededTarget(
  check: Check,
  { target, needsTargetAddresses = false }: CheckRequest,
): Promise<void> {
  if (needsTargetAddresses) await observeTarget(check, target);
}

/** True when an alias leads to the exact target and no source shows an address on the way. */
function leadsToTarget(
  names: DnsFacts['names'],
  { hostname, target }: Pick<CheckRequest, 'hostname' | 'target'>,
): boolean {
  const chain = chainNames({ names }, hostname, ['A', 'AAAA']);
  const onTheWay = chain.filter((name) => name !== target);
  const hasAddress = onTheWay.some((name) =>
    outcomesAt({ names }, name, ['A', 'AAAA']).some((one) => one.kind === 'records' || hasBeside(one)),
  );
  return chain.includes(target) && !hasAddress;
}

const hasBeside = (outcome: DnsOutcome): boolean => outcome.kind === 'alias' && outcome.beside !== undefined;
