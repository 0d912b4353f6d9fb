import { AsyncLocalStorage } from 'node:async_hooks';
import type { Exchange } from '../../src/dns/wire/dns-exchange.ts';

/** Checks whose time is over while they wait for a server. */
export interface CutShort {
  /** the same exchange, whose queries are seen */
  readonly exchange: Exchange;
  /** Does the work, and aborts it with its last query; for how many turns of the event loop it goes on then. Null where it has fewer queries. */
  turnsOf(work: (signal: AbortSignal) => Promise<unknown>): Promise<number | null>;
}

interface Seen {
  readonly over: AbortController;
  queries: number;
  turns: number | null;
  isDone: boolean;
}

/** Turns are as many on a slow machine, while whoever waits for a silent server goes through thousands. */
export function createCutShort(exchange: Exchange, lastQuery: number): CutShort {
  const works = new AsyncLocalStorage<Seen>();
  const countTurns = (seen: Seen, turns: number) => {
    if (seen.isDone) return;
    seen.turns = turns;
    setImmediate(() => countTurns(seen, turns + 1));
  };
  return {
    exchange(...query) {
      const [answer, seen] = [exchange(...query), works.getStore()];
      if (!seen) return answer;
      seen.queries += 1;
      if (seen.queries === lastQuery) {
        seen.over.abort();
        countTurns(seen, 0);
      }
      return answer;
    },
    async turnsOf(work) {
      const seen: Seen = { over: new AbortController(), queries: 0, turns: null, isDone: false };
      await works.run(seen, () => work(seen.over.signal)).finally(() => (seen.isDone = true));
      return seen.turns;
    },
  };
}
