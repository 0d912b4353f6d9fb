import type { Exchange } from '../../src/dns/wire/dns-exchange.ts';

/** An exchange that answers in rounds: what is sent together is answered together. */
export interface ExchangeInRounds {
  readonly exchange: Exchange;
  /** round trips one after the other so far */
  readonly rounds: () => number;
}

/** Turns of the event loop after which nothing more is sent in a round. */
const quietTurns = 10;

/** Counts how many round trips in a row a check takes, without a clock: a round ends when nothing more is being sent. */
export function inRounds(exchange: Exchange): ExchangeInRounds {
  let rounds = 0;
  let waiting: (() => void)[] = [];
  let quiet = 0;
  const turn = () => {
    quiet += 1;
    if (quiet < quietTurns) return void setImmediate(turn);
    rounds += 1;
    const answered = waiting;
    waiting = [];
    for (const answer of answered) answer();
  };
  return {
    rounds: () => rounds,
    async exchange(server, question, options) {
      quiet = 0;
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 1) setImmediate(turn);
      });
      return exchange(server, question, options);
    },
  };
}
