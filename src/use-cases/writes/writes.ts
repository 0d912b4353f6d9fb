import type { FairQueue, QueueBounds, Refusals } from '../fair-queue.ts';
import { createFairQueue } from '../fair-queue.ts';
import { Problem } from '../problem.ts';
import type { Reservations } from './cap-reservations.ts';
import { createReservations } from './cap-reservations.ts';
import type { SharedWork } from './shared-work.ts';
import { createSharedWork } from './shared-work.ts';

/** Shared by all requests of the process that change something. */
export interface Writes {
  readonly queue: WriteQueue;
  readonly reservations: Reservations;
  readonly shared: SharedWork;
}

/**
 * Fewer at a time than the API server has connections (40), so that a write's deadline only starts once it is sent; and so many, as the kube-apiserver
 * counts creations that come together once for all of them in the namespace's ResourceQuota: with twelve it took two fifths more of its processor for each. The
 * wait ends before the one-minute timeout that is usual in proxies.
 */
const usual: WriteQueueBounds = Object.freeze({
  atATime: 32,
  atATimePerAccount: 8,
  waiting: 2_000,
  waitingPerAccount: 500,
  waitMs: 50_000,
});

export const createWrites = (bounds: WriteQueueBounds = usual): Writes =>
  Object.freeze({ queue: createWriteQueue(bounds), reservations: createReservations(), shared: createSharedWork() });

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
