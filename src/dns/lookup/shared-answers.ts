import { evict } from './evict-oldest.ts';
import type { ServerAnswer } from './ask-servers.ts';

/**
 * A cache of answers about infrastructure, shared by all checks: the root's delegations of top-level domains,
 * registries' delegations of their suffixes, the CAA records there, and the delegations down to the platform's zone. It
 * never holds what a customer controls: a registry's delegation of a customer's domain is queried every time. Bounded
 * by TTL and by number of entries.
 */
export interface SharedAnswers {
  /** The answers cached for a key; undefined without any, or when the TTL of one has expired. */
  recall(key: string, now: number): readonly ServerAnswer[] | undefined;
  keep(key: string, answers: readonly ServerAnswer[], now: number): void;
}

export const sharedLimits = Object.freeze({ entries: 2_000, longestMs: 3_600_000, negativeMs: 60_000 });

export function createSharedAnswers(): SharedAnswers {
  const kept = new Map<string, { readonly answers: readonly ServerAnswer[]; readonly until: number }>();
  return {
    recall(key, now) {
      const entry = kept.get(key);
      return entry && entry.until > now ? entry.answers : undefined;
    },
    keep(key, answers, now) {
      kept.delete(key);
      kept.set(key, { answers, until: now + lifetime(answers) });
      evict(kept, sharedLimits.entries);
    },
  };
}

/** The shortest TTL among the records; a minute for an answer without records. */
function lifetime(answers: readonly ServerAnswer[]): number {
  const lifetimes = answers.map(({ response }) => {
    const records = [...response.answers, ...response.authorities, ...response.additionals];
    return records.length === 0 ? sharedLimits.negativeMs : Math.min(...records.map(({ ttl }) => ttl)) * 1_000;
  });
  return Math.min(sharedLimits.longestMs, ...lifetimes);
}
