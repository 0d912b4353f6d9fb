import { fixedMaximum } from '../rules/plan-limits.ts';
import { tryLater } from './problem.ts';

/** An idle stream sends a heartbeat this often, so that no proxy closes it as dead. */
const heartbeatMs = 15_000;

/**
 * Counts the event streams that each account has open in this process, REST and dashboard together. The limit is not
 * divided by the number of processes: the load balancer chooses the process, so a divided limit could refuse an
 * account's second stream.
 */
export interface StreamSlots {
  /** Takes a slot for an account; returns the function that releases it. Throws too-many-streams. */
  take(account: string): () => void;
}

export function createStreamSlots(): StreamSlots {
  const counts = new Map<string, number>();
  return {
    take(account) {
      const count = counts.get(account) ?? 0;
      const { eventStreams } = fixedMaximum;
      if (count >= eventStreams) {
        throw tryLater(
          'too-many-streams',
          `${eventStreams} event streams of the account are open; close one first`,
          15,
        );
      }
      counts.set(account, count + 1);
      return () => {
        const left = (counts.get(account) ?? 1) - 1;
        if (left > 0) counts.set(account, left);
        else counts.delete(account);
      };
    },
  };
}

/**
 * Resolves when a change is signalled, a heartbeat is due or the stream ends. `expose` receives the function that
 * signals a change.
 */
export function pause(signal: AbortSignal, expose: (resolve: () => void) => void): Promise<void> {
  // Of one that has aborted before no listener is called.
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, heartbeatMs);
    signal.addEventListener('abort', end, { once: true });
    expose(end);
  });
}
