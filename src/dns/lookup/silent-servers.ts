import { backoff } from '../../lib/backoff.ts';
import { createBoundedMap } from '../../lib/bounded-map.ts';

/**
 * Remembers servers that do not answer, per registrable domain: the next question about the same domain waits for a
 * pause that doubles, so that a thousand domains on silent servers cost little. Per domain, because a server may ignore
 * a domain that merely names it and still answer for another. Times are milliseconds of one clock.
 */
export interface Silence {
  /** True while questions to the server about the domain are not sent. */
  holds(server: string, domain: string, now: number): boolean;
  note(server: string, domain: string, heard: { readonly answered: boolean; readonly at: number }): void;
}

export const silenceLimits = Object.freeze({ questions: 2, firstMs: 2_000, longestMs: 30_000, entries: 20_000 });

interface Quiet {
  readonly questions: number;
  readonly until: number;
}

export function createSilence(): Silence {
  const quiet = createBoundedMap<Quiet>(silenceLimits.entries);
  const keyOf = (server: string, domain: string) => `${server} ${domain}`;
  return {
    holds: (server, domain, now) => (quiet.get(keyOf(server, domain))?.until ?? 0) > now,
    note(server, domain, { answered, at }) {
      const key = keyOf(server, domain);
      const before = quiet.get(key);
      if (answered) quiet.delete(key);
      else quiet.set(key, after(before, at));
    },
  };
}

/** Once a pause has begun, unanswered questions that were already under way do not lengthen it. */
function after(before: Quiet | undefined, at: number): Quiet {
  if (before && before.until > at) return before;
  const questions = (before?.questions ?? 0) + 1;
  const doublings = questions - silenceLimits.questions;
  if (doublings < 0) return { questions, until: 0 };
  return {
    questions,
    until: at + backoff(doublings + 1, { first: silenceLimits.firstMs, longest: silenceLimits.longestMs }),
  };
}
