import type { KubernetesObject } from '../kubernetes/kubernetes-port.ts';
import type { Store } from '../kubernetes/store.ts';

/** A moment that counts under a name, such as when an order was placed; `at` in milliseconds since the Unix epoch. */
export interface Moment {
  readonly name: string;
  readonly at: number;
}

/** How many moments lie where on the time line, by name, without the moments themselves. */
interface MomentCounts {
  /** Counts a moment once more (1) or once less (-1). A moment that is no number is ignored. */
  step(moment: Moment, by: 1 | -1): void;
  /** How many lie after `from` and not after `to`. Both ends, and every moment, are rounded down to the accuracy. */
  between(from: number, to: number): ReadonlyMap<string, number>;
  /** The earliest moment, rounded down to the accuracy; null without any. */
  earliest(): number | null;
}

/** `accuracyMs` bounds memory: moments that round down to the same multiple of it share one place. */
export function createMomentCounts(accuracyMs: number): MomentCounts {
  const places = new Map<number, Map<string, number>>();
  const placeOf = (at: number) => Math.floor(at / accuracyMs);

  function* placesBetween(first: number, last: number): Iterable<ReadonlyMap<string, number>> {
    if (last - first < places.size) {
      for (let place = first; place <= last; place += 1) {
        const counts = places.get(place);
        if (counts) yield counts;
      }
      return;
    }
    for (const [place, counts] of places) if (place >= first && place <= last) yield counts;
  }

  return {
    step({ name, at }, by) {
      if (Number.isNaN(at)) return;
      const place = placeOf(at);
      const counts = places.get(place) ?? new Map<string, number>();
      const count = (counts.get(name) ?? 0) + by;
      if (count === 0) counts.delete(name);
      else counts.set(name, count);
      if (counts.size === 0) places.delete(place);
      else places.set(place, counts);
    },
    between(from, to) {
      const sum = new Map<string, number>();
      for (const counts of placesBetween(placeOf(from) + 1, placeOf(to)))
        for (const [name, count] of counts) sum.set(name, (sum.get(name) ?? 0) + count);
      return sum;
    },
    earliest() {
      let first = Number.POSITIVE_INFINITY;
      for (const place of places.keys()) first = Math.min(first, place);
      return places.size === 0 ? null : first * accuracyMs;
    },
  };
}

/** The moments of a store's objects, counted with every change; the store must be empty at first. */
export function maintainMomentCounts<T extends KubernetesObject>(
  store: Pick<Store<T>, 'subscribe'>,
  momentsOf: (object: T) => readonly Moment[],
  accuracyMs: number,
): Pick<MomentCounts, 'between'> {
  const counts = createMomentCounts(accuracyMs);
  const stepAll = (object: T | undefined, by: 1 | -1) => {
    for (const moment of object === undefined ? [] : momentsOf(object)) counts.step(moment, by);
  };
  store.subscribe(({ type, object, previous }) => {
    stepAll(previous, -1);
    stepAll(object, type === 'deleted' ? -1 : 1);
  });
  return counts;
}
