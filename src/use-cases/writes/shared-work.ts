import { Problem } from '../problem.ts';

/** What identical requests that come at the same time have in common. */
interface Shared<T> {
  /** true for the one that began it */
  readonly first: boolean;
  readonly result: Promise<T>;
}

/** Work under way, by what it does. */
export interface SharedWork {
  /**
   * Joins the work of this key, or begins it. The work's signal aborts when everybody who waits for it has gone; whoever
   * goes earlier is rejected alone.
   */
  join<T>(key: string, signal: AbortSignal, begin: (signal: AbortSignal) => Promise<T>): Shared<T>;
}

interface Flight {
  readonly work: Promise<unknown>;
  readonly ended: AbortController;
  passengers: number;
}

export function createSharedWork(): SharedWork {
  const flights = new Map<string, Flight>();
  return {
    join<T>(key: string, signal: AbortSignal, begin: (signal: AbortSignal) => Promise<T>) {
      const known = flights.get(key);
      const flight = known ?? start(begin);
      if (!known) {
        flights.set(key, flight);
        const forget = () => {
          if (flights.get(key) === flight) flights.delete(key);
        };
        flight.work.then(forget, forget);
      }
      flight.passengers += 1;
      return { first: !known, result: ride(flight, signal) as Promise<T> };
    },
  };
}

function start(begin: (signal: AbortSignal) => Promise<unknown>): Flight {
  const ended = new AbortController();
  return { work: begin(ended.signal), ended, passengers: 0 };
}

function ride(flight: Flight, signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      flight.passengers -= 1;
      if (flight.passengers === 0) flight.ended.abort();
      reject(new Problem('starting', 'the request ended before it was answered'));
    };
    flight.work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
  });
}
