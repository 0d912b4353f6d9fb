import type { Clock } from '../lib/clock.ts';
import { backoff, withJitter } from '../lib/backoff.ts';
import { createHeap } from '../lib/heap.ts';
import { sharedString } from '../lib/shared-strings.ts';
import type { Entry, Lane, LaneLimits } from './fair-lanes.ts';
import { createLanes } from './fair-lanes.ts';
import type { RecheckLoad } from './recheck-load.ts';
import { createRecheckLoad } from './recheck-load.ts';

/** `high` for work people wait for; `low` for sweeps: initial lists, resyncs, scheduled checks. */
type Priority = 'high' | 'low';

interface AddOptions {
  readonly priority?: Priority;
  /** its turn has come, after it has waited elsewhere: before the other keys of its share that are added at high priority */
  readonly isAhead?: boolean;
  /** milliseconds from now before the key may run */
  readonly delayMs?: number;
}

export interface QueueOptions {
  /** the share that a key's reconciles count against */
  readonly shareOf: (key: string) => string;
  /** how many reconciles run at a time; the limits of one share are derived from it (limitsFor) */
  readonly workers: number;
}

/**
 * A set of keys to reconcile. A key is never processed by two workers at once; if added while it runs, it runs again
 * afterwards. Of several adds, the earliest time and the highest priority win. Due keys are handed out round robin over
 * shares, high priority before sweeps, and of one share those whose turn has come first; the number of concurrent
 * reconciles of a share is limited. No operation is slower than O(log n).
 */
export interface WorkQueue {
  add(key: string, options?: AddOptions): void;
  /** Once at low priority after `afterMs`, though nothing happened. */
  visit(key: string, afterMs: number): void;
  /**
   * After success: again at low priority after `afterMs`, or after a multiple of it while the key's share wants more
   * rechecks than its fair part of the workers can bear, up to an hour.
   */
  recheck(key: string, afterMs: number): void;
  /**
   * The same for a key whose next look somebody waits for: not stretched, and before the other keys of its share, unless its reconcile
   * (`tookMs`) took long.
   */
  recheckAhead(key: string, afterMs: number, tookMs: number): void;
  /** After a fault: requeues with a back-off that doubles with each fault in a row, 1 s to 5 min, with jitter. */
  retry(key: string): void;
  /** The next key that is due; null once the signal has aborted. The caller must call done() afterwards. */
  take(signal: AbortSignal): Promise<string | null>;
  /** Of a key that was taken: true when it is a recheck, and nothing was added for the key since its last reconcile. */
  isScheduled(key: string): boolean;
  /** A key whose reconcile took long (`tookMs`) is swept in the slow lane from then on. */
  done(key: string, tookMs?: number): void;
  /** After success: the next fault starts with the shortest back-off. */
  forget(key: string): void;
  /** Number of keys that are due and wait for a worker, without the slow lane. */
  depth(): number;
  /** Number of keys that are due and wait in the slow lane, because their last reconcile took long. */
  slow(): number;
  /** For how many milliseconds the key that is due longest has waited for a worker, by lane; 0 where none waits. */
  ages(): Readonly<Record<Lane, number>>;
  /** By what factor rechecks are stretched: the largest factor of a share, and the mean over rechecks. */
  stretch(): ReturnType<RecheckLoad['stretch']>;
}

const retryBounds = { first: 1_000, longest: 300_000 };
/** Reached only by reconciles that waited for servers that do not answer; a normal one takes a fraction of it. */
const slowReconcileMs = 3_000;
/** A recheck that would come sooner is not stretched beyond this. */
const stretchedAtMostMs = 3_600_000;
/** Part of the workers open to sweeps that rechecks are to occupy on average, so that those due find one free. */
const recheckPart = 3 / 4;
/** Node.js timers overflow beyond 24 days. */
const sleepAtMostMs = 3_600_000;

/**
 * One share occupies at most a quarter of the workers, its sweeps a little less, so that its own interactive work finds
 * a free one. Slow sweeps occupy at most a sixteenth per share and a quarter in total. Sweeps leave more workers free
 * than one share can occupy, so that the interactive work of two shares never waits for them.
 */
function limitsFor(workers: number): LaneLimits {
  const part = (of: number) => Math.max(1, Math.floor(workers * of));
  return {
    total: { high: workers, low: part(5 / 8), slow: part(1 / 4) },
    perShare: { high: part(1 / 4), low: part(3 / 16), slow: part(1 / 16), all: part(1 / 4) },
  };
}

type Waiter = (key: string | null) => void;

interface Enqueued {
  readonly share: string;
  readonly priority: Priority;
  readonly isAhead?: boolean;
  readonly delayMs: number;
  readonly everyMs: number;
}

export function createWorkQueue(clock: Clock, { shareOf, workers }: QueueOptions): WorkQueue {
  const limits = limitsFor(workers);
  const due = createLanes(limits);
  const load = createRecheckLoad(
    { total: limits.total.low * recheckPart, perShare: limits.perShare.low * recheckPart },
    clock.elapsed,
  );
  /** keys that are not due yet, the earliest first */
  const later = createHeap<Entry>((a, b) => a.at < b.at);
  /** every key that was added: in `later`, in `due`, or held back while the key runs */
  const waiting = new Map<string, Entry>();
  const running = new Map<string, Entry>();
  const failures = new Map<string, number>();
  const slow = new Set<string>();
  const waiters = new Set<Waiter>();
  let alarm: { readonly at: number; readonly stop: AbortController } | null = null;

  const wait = (entry: Entry) => {
    waiting.set(entry.key, entry);
    if (running.has(entry.key)) return;
    if (isRecheck(entry)) load.begin(entry.share, entry.everyMs);
    if (entry.at > clock.elapsed()) later.add(entry);
    else due.enter(entry);
  };
  const withdraw = (entry: Entry) => {
    if (running.has(entry.key)) return;
    if (isRecheck(entry)) load.end(entry.share, entry.everyMs);
    if (later.has(entry)) later.remove(entry);
    else due.leave(entry);
  };
  /** A change of the share is an event that adds the key, so a recheck need not ask for it. */
  const knownShareOf = (key: string): string => waiting.get(key)?.share ?? running.get(key)?.share ?? shareOf(key);
  const laneOf = (key: string, priority: Priority): Lane =>
    priority === 'high' ? 'high' : slow.has(key) ? 'slow' : 'low';

  const moveDueEntries = () => {
    const now = clock.elapsed();
    for (let first = later.first(); first && first.at <= now; first = later.first()) {
      later.remove(first);
      due.enter(first);
    }
  };
  const next = (): string | undefined => {
    moveDueEntries();
    const entry = due.take();
    if (!entry) return undefined;
    waiting.delete(entry.key);
    if (isRecheck(entry)) load.end(entry.share, entry.everyMs);
    running.set(entry.key, entry);
    return entry.key;
  };
  /** Gives due keys to waiting workers, and sets a timer for the next key that becomes due. */
  const serve = () => {
    while (waiters.size > 0) {
      const key = next();
      if (key === undefined) break;
      const [waiter] = waiters;
      if (!waiter) break;
      waiters.delete(waiter);
      waiter(key);
    }
    setAlarm();
  };
  const setAlarm = () => {
    const at = waiters.size === 0 ? undefined : later.first()?.at;
    if (alarm !== null && at !== undefined && alarm.at === at) return;
    alarm?.stop.abort();
    alarm = null;
    if (at === undefined) return;
    const stop = new AbortController();
    alarm = { at, stop };
    const pause = Math.min(Math.max(0, at - clock.elapsed()), sleepAtMostMs);
    clock.sleep(pause, stop.signal).then(
      () => {
        alarm = null;
        serve();
      },
      () => undefined,
    );
  };
  const enqueue = (key: string, { share, priority, isAhead = false, delayMs, everyMs }: Enqueued) => {
    const before = waiting.get(key);
    const { at, lane, ...known } = before ?? notWaiting;
    const entry: Entry = {
      key: sharedString(key),
      share: sharedString(share),
      lane: lane === 'high' ? 'high' : laneOf(key, priority),
      isAhead: isAhead || known.isAhead,
      at: Math.min(Math.ceil(clock.elapsed() + delayMs), at),
      everyMs,
      isScheduled: everyMs > 0 && known.isScheduled,
      slot: -1,
    };
    if (before && waitsAs(before, entry)) return;
    if (before) withdraw(before);
    wait(entry);
    serve();
  };

  return {
    add: (key, { priority = 'high', isAhead = false, delayMs = 0 }: AddOptions = {}) =>
      enqueue(key, { share: shareOf(key), priority, isAhead, delayMs, everyMs: 0 }),
    visit: (key, afterMs) => enqueue(key, { share: shareOf(key), priority: 'low', delayMs: afterMs, everyMs: 0 }),
    recheck(key, afterMs) {
      const share = knownShareOf(key);
      const stretched = Math.min(afterMs * load.factor(share), stretchedAtMostMs);
      enqueue(key, { share, priority: 'low', delayMs: Math.max(afterMs, stretched), everyMs: afterMs });
    },
    recheckAhead(key, afterMs, tookMs) {
      const isAhead = tookMs < slowReconcileMs;
      const priority = isAhead ? 'high' : 'low';
      enqueue(key, { share: knownShareOf(key), priority, isAhead, delayMs: afterMs, everyMs: 0 });
    },
    retry(key) {
      const count = (failures.get(key) ?? 0) + 1;
      failures.set(key, count);
      const delayMs = withJitter(backoff(count, retryBounds));
      enqueue(key, { share: knownShareOf(key), priority: 'low', delayMs, everyMs: 0 });
    },
    take(signal) {
      if (signal.aborted) return Promise.resolve(null);
      const { promise, resolve } = Promise.withResolvers<string | null>();
      const onAbort = () => {
        waiters.delete(waiter);
        resolve(null);
        setAlarm();
      };
      const waiter: Waiter = (key) => {
        signal.removeEventListener('abort', onAbort);
        resolve(key);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      waiters.add(waiter);
      serve();
      return promise;
    },
    isScheduled: (key) => running.get(key)?.isScheduled ?? false,
    done(key, tookMs = 0) {
      const entry = running.get(key);
      if (!entry) return;
      running.delete(key);
      if (tookMs >= slowReconcileMs) slow.add(key);
      else slow.delete(key);
      due.ended(entry);
      const again = waiting.get(key);
      if (again) wait({ ...again, lane: laneOf(key, again.lane === 'high' ? 'high' : 'low') });
      if (!slow.has(key)) load.took(entry.share, tookMs);
      serve();
    },
    forget: (key) => void failures.delete(key),
    depth() {
      moveDueEntries();
      return due.size('high') + due.size('low');
    },
    slow() {
      moveDueEntries();
      return due.size('slow');
    },
    ages() {
      moveDueEntries();
      const now = clock.elapsed();
      const age = (lane: Lane) => Math.max(0, now - (due.oldest(lane) ?? now));
      return { high: age('high'), low: age('low'), slow: age('slow') };
    },
    stretch: () => load.stretch(),
  };
}

/** Rechecks that the slow lane limits need no other limit, and what was brought forward for a person is no recheck. */
const isRecheck = ({ everyMs, lane }: Entry): boolean => everyMs > 0 && lane === 'low';

type Place = Pick<Entry, 'lane' | 'isAhead' | 'at' | 'isScheduled'>;

/** What a key that does not wait yet adds to one that is enqueued. */
const notWaiting: Place = Object.freeze({
  lane: 'low',
  isAhead: false,
  at: Infinity,
  isScheduled: true,
});

const waitsAs = (entry: Entry, place: Place): boolean =>
  entry.at === place.at &&
  entry.lane === place.lane &&
  entry.isAhead === place.isAhead &&
  entry.isScheduled === place.isScheduled;
