import { fixedMaximum } from '../rules/plan-limits.ts';
import { Problem } from './problem.ts';

/** A stream that has nothing to tell says so this often, lest somebody on the way takes it for dead. */
const heartbeatMs = 15_000;

/**
 * How many event streams each account has open at this process, by REST and dashboard together. Where streams come to is
 * up to a load balancer: a share for each of several processes would refuse the second stream of an account that has
 * hardly any.
 */
export interface StreamSlots {
  /** Takes one for an account; returns what gives it back. Throws too-many-streams. */
  take(account: string): () => void;
}

export function createStreamSlots(): StreamSlots {
  const counts = new Map<string, number>();
  return {
    take(account) {
      const count = counts.get(account) ?? 0;
      const { eventStreams } = fixedMaximum;
      if (count >= eventStreams) {
        throw new Problem(
          'too-many-streams',
          `${eventStreams} event streams of the account are open; close one first`,
          {
            headers: { 'retry-after': '15' },
          },
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

/** Until what is watched changes, a heartbeat is due or the stream ends. `expose` is given what tells of a change. */
export function pause(signal: AbortSignal, expose: (resolve: () => void) => void): Promise<void> {
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
