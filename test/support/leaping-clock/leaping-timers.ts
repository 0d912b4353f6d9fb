import { AsyncLocalStorage } from 'node:async_hooks';

/** Timers that go by real time, and how one lets a program do what it has begun. */
export interface RealTimers {
  /** monotonic milliseconds */
  elapsed(): number;
  start(run: () => void, ms: number): NodeJS.Timeout;
  stop(timer: NodeJS.Timeout): void;
  /** Resolves once what timers began has come as far as it does without waiting for time. */
  settled(): Promise<void>;
}

/** What `setTimeout` and `setInterval` give: as much of Node's own as programs use. */
interface LeapingTimer {
  readonly id: number;
  ref(): this;
  unref(): this;
  hasRef(): boolean;
  refresh(): this;
  close(): this;
  [Symbol.toPrimitive](): number;
  [Symbol.dispose](): void;
}

export interface LeapingTimers {
  /** how far they are ahead of real time, milliseconds */
  ahead(): number;
  start(run: () => void, ms: number, repeats?: boolean): LeapingTimer;
  stop(timer: number): void;
  /** Lets so many milliseconds go by: whatever becomes due meanwhile is run in its order. One leap is made after the other. */
  leap(ms: number): Promise<void>;
}

interface Pending {
  dueAt: number;
  fire(): void;
  /** Starts the real timer anew, for what is left. */
  arm(): void;
}

/** Between two of these requests that are under way are answered: deadlines are longer. */
const stepMs = 250;
/** Longer ones fire at once (Node's own rule). */
const longestMs = 2 ** 31 - 1;

const turn = () => new Promise<void>((done) => setImmediate(done));

/** Timers by a clock that leaps when it is told to, and goes with real time otherwise. `ahead` of real time from the start. */
export function createLeapingTimers(real: RealTimers, startsAhead = 0): LeapingTimers {
  let ahead = startsAhead;
  let ids = 0;
  const pending = new Map<number, Pending>();
  const handles = new Map<number, LeapingTimer>();
  const now = () => real.elapsed() + ahead;
  const moveTo = (at: number) => {
    ahead += Math.max(0, at - now());
  };
  const nextUntil = (at: number): Pending | undefined =>
    [...pending.values()].filter(({ dueAt }) => dueAt <= at).toSorted((a, b) => a.dueAt - b.dueAt)[0];

  async function step(until: number): Promise<void> {
    for (let next = nextUntil(until); next; next = nextUntil(until)) {
      moveTo(next.dueAt);
      next.fire();
      await turn();
    }
    moveTo(until);
    await real.settled();
  }

  async function leap(ms: number): Promise<void> {
    const goal = ahead + ms;
    // Real time that goes by meanwhile comes on top, so all processes that leap as far are as far ahead.
    while (goal - ahead >= 1) await step(now() + Math.min(stepMs, goal - ahead));
    ahead = goal;
    for (const timer of pending.values()) timer.arm();
  }

  function start(run: () => void, ms: number, repeats = false): LeapingTimer {
    const forMs = ms >= 1 && ms <= longestMs ? ms : 1;
    const inItsContext = AsyncLocalStorage.bind(run);
    let timer: NodeJS.Timeout | null = null;
    let isRef = true;
    ids += 1;
    const id = ids;
    const end = () => {
      if (timer) real.stop(timer);
      timer = null;
      pending.delete(id);
      handles.delete(id);
    };
    const entry: Pending = {
      dueAt: 0,
      fire() {
        end();
        if (repeats) begin();
        try {
          inItsContext();
        } catch (error) {
          // As from a real timer: it is whoever runs the program that is told, and nobody who leaps.
          setImmediate(() => {
            throw error;
          });
        }
      },
      arm() {
        if (timer) real.stop(timer);
        timer = real.start(() => entry.fire(), Math.max(1, entry.dueAt - now()));
        if (!isRef) timer.unref();
      },
    };
    const begin = () => {
      entry.dueAt = now() + forMs;
      pending.set(id, entry);
      handles.set(id, handle);
      entry.arm();
    };
    const handle: LeapingTimer = {
      id,
      ref() {
        isRef = true;
        timer?.ref();
        return handle;
      },
      unref() {
        isRef = false;
        timer?.unref();
        return handle;
      },
      hasRef: () => isRef,
      refresh() {
        end();
        begin();
        return handle;
      },
      close() {
        end();
        return handle;
      },
      [Symbol.toPrimitive]: () => id,
      [Symbol.dispose]: end,
    };
    begin();
    return handle;
  }

  let leaping = Promise.resolve();
  return {
    ahead: () => ahead,
    start,
    stop: (id) => void handles.get(id)?.close(),
    leap(ms) {
      leaping = leaping.then(() => leap(ms));
      return leaping;
    },
  };
}
