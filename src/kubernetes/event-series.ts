import { createBoundedMap } from '../lib/bounded-map.ts';

/** How often an event has occurred (events.k8s.io/v1, EventSeries). */
interface Series {
  /** at least 2 */
  readonly count: number;
  /** RFC 3339 with microseconds */
  readonly lastObservedTime: string;
}

/** An Event (events.k8s.io/v1) as it is written. */
export interface EventObject {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly eventTime: string;
  readonly type: string;
  readonly action: string;
  readonly reason: string;
  readonly note: string;
  readonly regarding: object;
  readonly series?: Series;
  readonly [field: string]: unknown;
}

/**
 * Series of events that say the same, by client-go's rules (tools/events, eventBroadcasterImpl): the first is created, the second
 * begins a series and is written at once, further ones are counted, and the count is written every half hour and at the
 * end, six minutes after the last.
 */
export interface EventSeries {
  /** The event to write now, with its series if it has one; null when it was only counted. */
  occurred(event: EventObject): EventObject | null;
  /** Series whose count was not written yet, now written; for every half hour. */
  refresh(): readonly EventObject[];
  /** Ends what has not occurred for six minutes; gives those of which the last count was not written yet. */
  finish(): readonly EventObject[];
}

/** client-go, tools/events: finishTime */
export const finishMs = 6 * 60_000;
/** As many as client-go's event caches hold (tools/record, maxLruCacheEntries); what occurred least recently is forgotten. */
const remembered = 4_096;

interface Occurrences {
  readonly event: EventObject;
  readonly count: number;
  readonly written: number;
  readonly lastAt: number;
}

/** `now`: milliseconds since the Unix epoch. */
export function createEventSeries(now: () => number): EventSeries {
  const known = createBoundedMap<Occurrences>(remembered);
  const unwritten = () => [...known.values()].filter(({ count, written }) => count > written);
  const write = (occurrences: Occurrences): EventObject => {
    known.set(identityOf(occurrences.event), { ...occurrences, written: occurrences.count });
    return withSeries(occurrences);
  };
  return {
    occurred(event) {
      const key = identityOf(event);
      const before = known.get(key);
      if (!before) {
        known.set(key, { event, count: 1, written: 1, lastAt: now() });
        return event;
      }
      const counted = { ...before, count: before.count + 1, lastAt: now() };
      known.set(key, counted);
      return before.count === 1 ? write(counted) : null;
    },
    refresh: () => unwritten().map(write),
    finish() {
      const over = [...known.values()].filter(({ lastAt }) => now() - lastAt > finishMs);
      for (const { event } of over) known.delete(identityOf(event));
      return over.filter(({ count, written }) => count > written).map(withSeries);
    },
  };
}

/**
 * What isomorphic events have in common: all but times (client-go, tools/events, getKey, without the words as well; but the words of an Event
 * cannot be changed, so that the first ones would stand for whatever is so later).
 */
const identityOf = ({ type, action, reason, regarding, note }: EventObject): string =>
  JSON.stringify([type, action, reason, regarding, note]);

const withSeries = ({ event, count, lastAt }: Occurrences): EventObject => ({
  ...event,
  series: { count, lastObservedTime: microTime(lastAt) },
});

/** A time as Kubernetes' MicroTime; `ms` since the Unix epoch. */
export const microTime = (ms: number): string => new Date(ms).toISOString().replace('Z', '000Z');
