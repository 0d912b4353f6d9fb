import type { Clock } from '../../lib/clock.ts';
import type { Silence, VantagePoint } from './vantage-point.ts';

const failuresToOpen = 3;
const openForMs = 10_000;

/** Only what no customer can cause: an answer that is too large, or a full house, says nothing about the next check. */
const failures: readonly (Silence | null)[] = ['unreachable', 'timeout', 'untrusted', 'unauthorized'];

/**
 * A vantage point that is not waited for while it is down: after three failures in a row it is silent at once for ten
 * seconds, then one check tries it again.
 */
export function withBreaker(point: VantagePoint, clock: Pick<Clock, 'elapsed'>): VantagePoint {
  let [failed, askAgainAt] = [0, 0];
  let last: Silence = 'unreachable';
  return {
    name: point.name,
    async ask(request, signal) {
      const isOpen = failed >= failuresToOpen;
      if (isOpen && clock.elapsed() < askAgainAt) return { facts: null, silence: last };
      if (isOpen) askAgainAt = clock.elapsed() + openForMs;
      const answer = await point.ask(request, signal);
      if (signal.aborted && answer.facts === null) return answer;
      if (answer.silence === null || !failures.includes(answer.silence)) failed = 0;
      else {
        failed += 1;
        last = answer.silence;
        if (failed >= failuresToOpen) askAgainAt = clock.elapsed() + openForMs;
      }
      return answer;
    },
  };
}
