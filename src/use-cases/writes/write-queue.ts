import type { FairQueue, QueueBounds, Refusals } from '../fair-queue.ts';
import { createFairQueue } from '../fair-queue.ts';
import { Problem } from '../problem.ts';

/** Changes to the cluster wait here for their turn. */
export type WriteQueue = FairQueue;
export type WriteQueueBounds = QueueBounds;

export const createWriteQueue = (bounds: WriteQueueBounds): WriteQueue => createFairQueue(bounds, refusals);

const headers = { 'retry-after': '5' };

const refusals: Refusals = {
  tooMany: (waiting) =>
    new Problem(
      'too-many-writes',
      `${waiting} changes of the account are already waiting; try again when some of them have finished`,
      { headers },
    ),
  overloaded: () =>
    new Problem(
      'overloaded',
      'too many changes are waiting right now; nothing was changed, try again in a few seconds',
      { headers },
    ),
  gone: () => new Problem('starting', 'the request ended before its turn came; nothing was changed'),
};
