import { evict } from './evict-oldest.ts';
import type { ServerAnswer } from './ask-servers.ts';

/**
 * Answers about infrastructure, shared by all checks: where the root delegates a top-level domain, a registry its
 * suffixes, and what CAA stands there; and the way to the platform's own zone. Never what a customer controls: where a
 * registry delegates a customer's domain is asked anew each time. Kept by time to live and number.
 */
export interface SharedAnswers {
  /** Answers kept for a key, none of them older than its time to live. */
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

/** The shortest time to live among the records; a minute for an answer without any. */
function lifetime(answers: readonly ServerAnswer[]): number {
  const lifetimes = answers.map(({ response }) => {
    const records = [...response.answers, ...response.authorities, ...response.additionals];
    return records.length === 0 ? sharedLimits.negativeMs : Math.min(...records.map(({ ttl }) => ttl)) * 1_000;
  });
  return Math.min(sharedLimits.longestMs, ...lifetimes);
}
