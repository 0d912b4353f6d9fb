import { AsyncLocalStorage } from 'node:async_hooks';
import type { Exchange } from '../../src/dns/wire/dns-exchange.ts';

/** Checks that are done again where their time was over. No server of the corpus makes one last so long: a machine that is busy does. */
export interface InTime {
  /** the same exchange, whose queries are seen */
  readonly exchange: Exchange;
  /** The first result of the work in which no query was cut off; where there is none in some tries, the last one. */
  result<T>(work: () => Promise<T>): Promise<T>;
}

const triesAtMost = 5;

export function createInTime(exchange: Exchange): InTime {
  const works = new AsyncLocalStorage<Set<AbortSignal>>();
  return {
    exchange(server, question, options) {
      works.getStore()?.add(options.signal);
      return exchange(server, question, options);
    },
    async result(work) {
      for (let tries = 1; ; tries += 1) {
        const signals = new Set<AbortSignal>();
        const result = await works.run(signals, work);
        if (tries === triesAtMost || [...signals].every(({ aborted }) => !aborted)) return result;
      }
    },
  };
}
