import type { Clock } from '../../lib/clock.ts';
import type { CheckRequest, Dns, FactsElsewhere } from '../dns-facts.ts';
import type { Silence, VantagePoint } from './vantage-point.ts';

export interface VantageDnsOptions {
  /** the look from here */
  readonly local: Dns;
  readonly points: readonly VantagePoint[];
  /** called with what became of each remote check; null when it gave facts */
  readonly observe?: (answer: { readonly vantagePoint: string; readonly silence: Silence | null }) => void;
}

/**
 * The Dns port from several places at once. DNSSEC is validated by the local one's resolvers, for all. A confirmation is local: it only keeps a route whose last full check said
 * yes from all of them, and happens a hundred times as often.
 */
export function createVantageDns({ local, points, observe }: VantageDnsOptions): Dns {
  const askOne = async (point: VantagePoint, request: CheckRequest, signal: AbortSignal): Promise<FactsElsewhere> => {
    const { dnssec: _, ...remote } = request;
    const { facts, silence } = await point.ask(remote, signal);
    if (!signal.aborted) observe?.({ vantagePoint: point.name, silence });
    return Object.freeze({ vantagePoint: point.name, facts });
  };
  return {
    async check(request, signal) {
      if (request.isConfirmation || points.length === 0) return local.check(request, signal);
      const ended = new AbortController();
      const both = AbortSignal.any([signal, ended.signal]);
      const elsewhere = Promise.all(points.map((point) => askOne(point, request, both)));
      try {
        return Object.freeze({ ...(await local.check(request, signal)), elsewhere: await elsewhere });
      } finally {
        ended.abort();
      }
    },
  };
}

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
