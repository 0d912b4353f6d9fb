import type { AddressRule } from './address-safety.ts';
import { addressRule, permittedRule } from './address-safety.ts';
import type { Asking } from './check-budget.ts';
import { beginAsking } from './check-budget.ts';
import { walkCaaTree } from './caa-tree-walk.ts';
import type { Endpoint } from './dns-endpoint.ts';
import type { Exchange } from './dns-exchange.ts';
import { exchange as realExchange } from './dns-exchange.ts';
import { createObservations } from './observations.ts';
import { createInfrastructure } from './infrastructure-cache.ts';
import type { Check } from './lookup-chain.ts';
import { observeChain, observeName } from './lookup-chain.ts';
import type { DnsFacts, CheckRequest, Dns } from '../dns-facts.ts';
import { createServerRates } from './server-rate.ts';
import { createSharedAnswers } from './shared-answers.ts';
import { createSilence } from './silent-servers.ts';
import { createWalk } from './delegation-walk.ts';

/** The cost of a check. */
export interface CheckCost {
  readonly hostname: string;
  /** sent over UDP and TCP */
  readonly packets: number;
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

/** The Dns port over real sockets. The exchange is a parameter so that tests can script faults. */
export function createDnsChecker(options: DnsCheckerOptions, exchange: Exchange = realExchange): Dns {
  const given = [...options.roots, ...options.resolvers].map(({ address }) => address);
  const configured = [...options.permitted, ...given];
  const allowed: AddressRule = addressRule(configured);
  const unbounded = permittedRule(configured);
  const [rates, silence, shared] = [createServerRates(), createSilence(), createSharedAnswers()];
  const now = () => performance.now();
  const collectFacts = async (asking: Asking, request: CheckRequest): Promise<DnsFacts> => {
    const { hostname, target } = request;
    const infrastructure = createInfrastructure({ shared, hostname, target, now });
    const walk = createWalk(asking, options.roots, infrastructure);
    const check: Check = {
      asking,
      walk,
      infrastructure,
      observations: createObservations(),
      resolvers: options.resolvers,
    };
    await Promise.all([
      observeChain(check, hostname, ['A', 'AAAA']),
      observeChain(check, target, ['A', 'AAAA']),
      request.txtName === null ? null : observeChain(check, request.txtName, ['TXT']),
      request.caa ? walkCaaTree(check, hostname) : null,
    ]);
    await observeDoubledZone(check, request);
    return Object.freeze({ hostname, names: check.observations.names(), asked: asking.asked });
  };
  return {
    async check(request, signal) {
      const startedAt = now();
      const asking = beginAsking({ exchange, allowed, unbounded, rates, silence, signal, now });
      try {
        return await collectFacts(asking, request);
      } finally {
        options.observe?.({ hostname: request.hostname, packets: asking.packets(), ms: now() - startedAt });
      }
    },
  };
}

/** Forms that append the zone turn a full name into `www.example.com.example.com`: queried when there is no record. */
async function observeDoubledZone(check: Check, { hostname }: CheckRequest): Promise<void> {
  const facts = check.observations.names()[hostname];
  const absent = facts?.authorities.some(
    ({ outcomes }) => outcomes.A?.kind === 'nxdomain' || outcomes.A?.kind === 'nodata',
  );
  if (!facts?.zone || !absent) return;
  await observeName(check, `${hostname}.${facts.zone}`, ['A']);
}
