import { AsyncLocalStorage } from 'node:async_hooks';
import type { Exchange } from '../../src/dns/lookup/dns-exchange.ts';

/** Watches how far work goes on once the time of its queries is over. */
export interface Overtime {
  /** the same exchange, whose queries are seen */
  readonly exchange: Exchange;
  /** Does the work. `turns`: how many the event loop made from the end of its time to its own; null where it was done before. */
  during<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly turns: number | null }>;
}

interface Seen {
  readonly signals: Set<AbortSignal>;
  turns: number | null;
  isDone: boolean;
}

/** Turns of the event loop are as many on a slow machine, while whoever waits for a silent server goes through thousands. */
export function createOvertime(exchange: Exchange): Overtime {
  const works = new AsyncLocalStorage<Seen>();
  const countTurns = (seen: Seen, turns: number) => {
    if (seen.isDone) return;
    seen.turns = turns;
    setImmediate(() => countTurns(seen, turns + 1));
  };
  return {
    exchange(server, question, options) {
      const [seen, { signal }] = [works.getStore(), options];
      if (seen && !seen.signals.has(signal)) {
        seen.signals.add(signal);
        signal.addEventListener('abort', () => seen.turns ?? countTurns(seen, 0), { once: true });
      }
      return exchange(server, question, options);
    },
    async during(work) {
      const seen: Seen = { signals: new Set(), turns: null, isDone: false };
      const result = await works.run(seen, work).finally(() => (seen.isDone = true));
      return { result, turns: seen.turns };
    },
  };
}
