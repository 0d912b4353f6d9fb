import { createBoundedMap } from '../../lib/bounded-map.ts';
import { isRegistrySuffix, isWithin, registrableDomain } from '../../rules/hostname.ts';
import type { Delegation } from './delegation.ts';
import type { DnsClient } from './dns-client.ts';
import type { ServerAnswer, ZoneQuery } from './query-servers.ts';
import { querySome } from './query-servers.ts';
import type { ZoneCut, ZoneServer } from './zone-cut.ts';
import { confirmingServers, countOf, isCertain } from './zone-cut.ts';

export interface SharedQuery extends ZoneQuery {
  /** the zone whose servers are queried */
  readonly parent: ZoneCut;
  /** may the answers be cached for other checks? */
  readonly cacheable: (answers: readonly ServerAnswer[]) => boolean;
}

/** Names whose answers no customer controls: registry suffixes, and the zones above the platform's targets. */
export interface Infrastructure {
  holds(name: string): boolean;
  /** The answers of two servers, shared by all checks until their TTL expires; also while they are on their way. */
  ask(client: DnsClient, query: SharedQuery): Promise<readonly ServerAnswer[]>;
  /** What such answers say about a delegation, combined once for all checks that share them. */
  delegationIn(answers: readonly ServerAnswer[], combine: () => Delegation): Delegation;
  /** The addresses of a name server, as another check found them for certain; never of one in the hostname's own domain. */
  recallServer(name: string): readonly ZoneServer[] | undefined;
  keepServer(name: string, servers: readonly ZoneServer[], ttlSeconds: number): void;
}

export interface InfrastructureOptions {
  readonly shared: SharedAnswers;
  readonly hostname: string;
  readonly target: string;
  readonly now: () => number;
}

/** A zone above the target that also contains the checked hostname does not count as the platform's. */
export function createInfrastructure({ shared, hostname, target, now }: InfrastructureOptions): Infrastructure {
  const own = registrableDomain(hostname);
  const { underWay, delegations } = shared;
  return {
    holds: (name) => isRegistrySuffix(name) || (name !== target && isWithin(target, name) && !isWithin(hostname, name)),
    async ask(client, { parent, cacheable, ...query }) {
      const { name, type } = query.question;
      const key = `${parent.apex} ${name} ${type}`;
      const kept = shared.recall(key, now());
      if (kept) return kept;
      const pending = underWay.get(key);
      const others = pending && (await client.beforeDeadline(pending));
      if (others) return others;
      const servers = countOf(parent.servers);
      const asked = querySome(client, parent.servers, query);
      const isWorthKeeping = (answers: readonly ServerAnswer[]): boolean =>
        isCertain({ servers, agreeing: confirmingServers(answers) }) && cacheable(answers);
      const shareable = asked.then((answers) => (isWorthKeeping(answers) ? answers : undefined)).catch(() => undefined);
      underWay.set(key, shareable);
      const found = await shareable;
      if (underWay.get(key) === shareable) underWay.delete(key);
      if (found) shared.keep(key, found, now());
      return found ?? asked;
    },
    delegationIn(answers, combine) {
      const delegation = delegations.get(answers) ?? combine();
      delegations.set(answers, delegation);
      return delegation;
    },
    recallServer: (name) => (isWithin(name, own) ? undefined : shared.recallServer(name, now())),
    keepServer(name, servers, ttlSeconds) {
      const ms = Math.min(ttlSeconds * 1_000, sharedLimits.longestMs);
      if (!isWithin(name, own)) shared.keepServer(name, servers, now() + ms);
    },
  };
}

/**
 * A cache of answers about infrastructure, shared by all checks: the root's delegations of top-level domains,
 * registries' delegations of their suffixes, the CAA records there, the delegations down to the platform's zone, and
 * the addresses of DNS hosts' servers. It never holds what a customer controls: a registry's delegation of a customer's
 * domain is queried every time. Bounded by TTL and by number of entries.
 */
export interface SharedAnswers {
  /** The answers cached for a key; undefined without any, or when the TTL of one has expired. */
  recall(key: string, now: number): readonly ServerAnswer[] | undefined;
  keep(key: string, answers: readonly ServerAnswer[], now: number): void;
  /** What checks that ask right now will get, by key: undefined where that is not worth sharing. None rejects. */
  readonly underWay: Map<string, Promise<readonly ServerAnswer[] | undefined>>;
  /** What answers to one question about a delegation say: kept no longer than they are. */
  readonly delegations: WeakMap<readonly ServerAnswer[], Delegation>;
  /** The cached addresses of a name server. */
  recallServer(name: string, now: number): readonly ZoneServer[] | undefined;
  keepServer(name: string, servers: readonly ZoneServer[], until: number): void;
}

export const sharedLimits = Object.freeze({
  entries: 2_000,
  servers: 20_000,
  longestMs: 3_600_000,
  negativeMs: 60_000,
});

interface Kept<T> {
  readonly value: T;
  readonly until: number;
}

export function createSharedAnswers(): SharedAnswers {
  const answersByKey = createBoundedMap<Kept<readonly ServerAnswer[]>>(sharedLimits.entries);
  const serversByName = createBoundedMap<Kept<readonly ZoneServer[]>>(sharedLimits.servers);
  return {
    recall(key, now) {
      const kept = answersByKey.get(key);
      if (kept === undefined) return undefined;
      answersByKey.set(key, kept);
      return valid(kept, now);
    },
    keep(key, answers, now) {
      answersByKey.set(key, { value: answers, until: now + lifetime(answers) });
    },
    underWay: new Map(),
    delegations: new WeakMap(),
    recallServer: (name, now) => valid(serversByName.get(name), now),
    keepServer: (name, value, until) => serversByName.set(name, { value, until }),
  };
}

const valid = <T>(kept: Kept<T> | undefined, now: number): T | undefined =>
  kept && kept.until > now ? kept.value : undefined;

/** The shortest TTL among the records; a minute for an answer without records. */
function lifetime(answers: readonly ServerAnswer[]): number {
  const lifetimes = answers.map(({ response }) => {
    const records = [...response.answers, ...response.authorities, ...response.additionals];
    return records.length === 0 ? sharedLimits.negativeMs : Math.min(...records.map(({ ttl }) => ttl)) * 1_000;
  });
  return Math.min(sharedLimits.longestMs, ...lifetimes);
}
