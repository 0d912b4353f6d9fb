import type { FairQueue, QueueBounds, Refusals } from '../fair-queue.ts';
import { createFairQueue } from '../fair-queue.ts';
import { Problem, tryLater } from '../problem.ts';
import type { SharedWork } from './shared-work.ts';
import { createSharedWork } from './shared-work.ts';

/** Shared by all requests of the process that change something. */
export interface Writes {
  /** changes to the cluster wait here for their turn */
  readonly queue: FairQueue;
  readonly reservations: Reservations;
  readonly shared: SharedWork;
}

/**
 * Fewer at a time than the API server has connections (40), so that a write's deadline only starts once it is sent; and so many, as the kube-apiserver
 * counts creations that come together once for all of them in the namespace's ResourceQuota: with twelve it took two fifths more of its processor for each. The
 * wait ends before the one-minute timeout that is usual in proxies.
 */
const usual: QueueBounds = Object.freeze({
  atATime: 32,
  atATimePerAccount: 8,
  waiting: 2_000,
  waitingPerAccount: 500,
  waitMs: 50_000,
});

export const createWrites = (): Writes =>
  Object.freeze({ queue: createWriteQueue(usual), reservations: createReservations(), shared: createSharedWork() });

export const createWriteQueue = (bounds: QueueBounds): FairQueue => createFairQueue(bounds, refusals);

const refusals: Refusals = {
  tooMany: (waiting) =>
    tryLater(
      'too-many-writes',
      `${waiting} changes of the account are already waiting; try again when some of them have finished`,
    ),
  overloaded: () =>
    tryLater('overloaded', 'too many changes are waiting right now; nothing was changed, try again in a few seconds'),
  gone: () => new Problem('starting', 'the request ended before its turn came; nothing was changed'),
};

/** One counted limit that a new object must fit into. */
export interface Place {
  /** names what is counted together, such as the projects of a namespace */
  readonly scope: string;
  readonly used: number;
  readonly maximum: number;
  /** makes the error to throw when no place is left */
  readonly refusal: () => Error;
}

/**
 * Places reserved for objects that are being created and are not counted yet, so that racing requests cannot exceed a
 * cap.
 */
export interface Reservations {
  /** Reserves a place in each of the scopes, or throws. Returns an idempotent function that releases them. */
  reserve(places: readonly Place[]): () => void;
}

function createReservations(): Reservations {
  const held = new Map<string, number>();
  const change = (scope: string, by: 1 | -1) => {
    const count = (held.get(scope) ?? 0) + by;
    if (count > 0) held.set(scope, count);
    else held.delete(scope);
  };
  return {
    reserve(places) {
      const full = places.find(({ scope, used, maximum }) => used + (held.get(scope) ?? 0) >= maximum);
      if (full) throw full.refusal();
      for (const { scope } of places) change(scope, 1);
      let released = false;
      return () => {
        if (released) return;
        released = true;
        for (const { scope } of places) change(scope, -1);
      };
    },
  };
}
