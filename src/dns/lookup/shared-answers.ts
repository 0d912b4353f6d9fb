import { createBoundedMap } from '../../lib/bounded-map.ts';
import type { Delegation } from './delegation.ts';
import type { ServerAnswer } from './query-servers.ts';
import type { ZoneServer } from './zone-cut.ts';

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
  /** What another check that asks right now gets, if that is worth sharing; undefined when none asks. */
  pending(key: string): Promise<readonly ServerAnswer[] | undefined> | undefined;
  begin(key: string, answers: Promise<readonly ServerAnswer[] | undefined>): void;
  /** What answers to one question about a delegation say: combined once, and kept no longer than they are. */
  delegationIn(answers: readonly ServerAnswer[], combine: () => Delegation): Delegation;
  /** The cached addresses of a name server. */
  recallServer(name: string, now: number): readonly ZoneServer[] | undefined;
  keepServer(
    name: string,
    servers: readonly ZoneServer[],
    until: { readonly now: number; readonly ttlMs: number },
  ): void;
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
  const underWay = new Map<string, Promise<readonly ServerAnswer[] | undefined>>();
  const delegations = new WeakMap<readonly ServerAnswer[], Delegation>();
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
    pending: (key) => underWay.get(key)?.catch(() => undefined),
    begin(key, answers) {
      underWay.set(key, answers);
      const end = () => {
        if (underWay.get(key) === answers) underWay.delete(key);
      };
      void answers.then(end, end);
    },
    delegationIn(answers, combine) {
      const delegation = delegations.get(answers) ?? combine();
      delegations.set(answers, delegation);
      return delegation;
    },
    recallServer: (name, now) => valid(serversByName.get(name), now),
    keepServer(name, servers, { now, ttlMs }) {
      serversByName.set(name, { value: servers, until: now + Math.min(ttlMs, sharedLimits.longestMs) });
    },
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
