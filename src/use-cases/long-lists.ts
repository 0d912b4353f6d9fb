import type { FairQueue, QueueBounds, Refusals } from './fair-queue.ts';
import { createFairQueue } from './fair-queue.ts';
import { Problem } from './problem.ts';

/** Lists of more domains than are remembered wait here for their account's turn. */
export type LongLists = Pick<FairQueue, 'run'>;

/**
 * One of ten thousand domains takes a second of the processor, in slices between which all others have their turn: so many slices come between two
 * turns of theirs as lists are made at a time.
 */
const usual: QueueBounds = Object.freeze({
  atATime: 2,
  atATimePerAccount: 1,
  waiting: 64,
  waitingPerAccount: 8,
  waitMs: 10_000,
});

const headers = { 'retry-after': '5' };

const refusals: Refusals = {
  tooMany: () =>
    new Problem('overloaded', 'other long lists of the account are being made; try again when they are there', {
      headers,
    }),
  overloaded: () =>
    new Problem('overloaded', 'too many long lists are being made right now; try again in a few seconds', { headers }),
  gone: () => new Problem('starting', 'the request ended before its list was made'),
};

export const createLongLists = (bounds: QueueBounds = usual): LongLists => createFairQueue(bounds, refusals);
