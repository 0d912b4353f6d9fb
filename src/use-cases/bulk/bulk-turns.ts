import type { QueueBounds, Refusals } from '../fair-queue.ts';
import { createFairQueue } from '../fair-queue.ts';
import { Problem, tryLater } from '../problem.ts';

/** Calls with many items, one of an account at a time at this server. */
export interface BulkTurns {
  /**
   * Does the work when the account's turn comes. `over` aborts when no further item may be begun. Rejects with too-many-writes while another
   * such call of the account goes on, and with overloaded while too many of others do.
   */
  run<T>(turn: BulkTurn, work: (over: AbortSignal) => Promise<T>): Promise<T>;
}

interface BulkTurn {
  readonly account: string;
  /** aborts when the client is gone */
  readonly signal: AbortSignal;
}

/**
 * As many as have a quarter of a megabyte to read and one to answer within a tenth of the process' memory. Whoever waits has not sent its body yet, and has
 * five seconds for that.
 */
const usual: QueueBounds = Object.freeze({
  atATime: 16,
  atATimePerAccount: 1,
  waiting: 64,
  waitingPerAccount: 1,
  waitMs: 2_000,
});

const refusals: Refusals = {
  tooMany: () =>
    tryLater('too-many-writes', 'another call with many items of the account is under way; send one after the other'),
  overloaded: () =>
    tryLater('overloaded', 'too many calls with many items are under way right now; nothing was changed'),
  gone: () => new Problem('starting', 'the request ended before its turn came; nothing was changed'),
};

/** With a write that began last, which has ten seconds, the answer comes within the minute that is usual in proxies. */
const beginWithinMs = 30_000;

export function createBulkTurns(bounds: QueueBounds = usual): BulkTurns {
  const queue = createFairQueue(bounds, refusals);
  return {
    run: ({ account, signal }, work) =>
      queue.run({ account, object: null, signal }, () => work(AbortSignal.timeout(beginWithinMs))),
  };
}
