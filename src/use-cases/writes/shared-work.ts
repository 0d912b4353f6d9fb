import { Problem } from '../problem.ts';

/** The work that concurrent identical requests share. */
interface Shared<T> {
  /** true for the request that started it */
  readonly first: boolean;
  readonly result: Promise<T>;
}

/** Work in progress, deduplicated by key (single flight). */
export interface SharedWork {
  /**
   * Joins the work of this key, or starts it. The work's signal aborts when all of its waiters have gone, and nobody joins
   * it then; a waiter that leaves earlier is rejected alone.
   */
  join<T>(key: string, signal: AbortSignal, begin: (signal: AbortSignal) => Promise<T>): Shared<T>;
}

interface Flight {
  readonly work: Promise<unknown>;
  readonly ended: AbortController;
  waiters: number;
}

export function createSharedWork(): SharedWork {
  const flights = new Map<string, Flight>();
  return {
    join<T>(key: string, signal: AbortSignal, begin: (signal: AbortSignal) => Promise<T>) {
      const last = flights.get(key);
      const known = last?.ended.signal.aborted ? undefined : last;
      const flight = known ?? start(begin);
      if (!known) {
        flights.set(key, flight);
        const forget = () => {
          if (flights.get(key) === flight) flights.delete(key);
        };
        flight.work.then(forget, forget);
      }
      flight.waiters += 1;
      return { first: !known, result: waitFor(flight, signal) as Promise<T> };
    },
  };
}

function start(begin: (signal: AbortSignal) => Promise<unknown>): Flight {
  const ended = new AbortController();
  return { work: begin(ended.signal), ended, waiters: 0 };
}

function waitFor(flight: Flight, signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      flight.waiters -= 1;
      if (flight.waiters === 0) flight.ended.abort();
      reject(new Problem('starting', 'the request ended before it was answered'));
    };
    flight.work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
  });
}
