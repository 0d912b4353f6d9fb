import type { Clock } from '../lib/clock.ts';
import type { TimeSlices } from '../lib/time-slices.ts';

/** Many small pieces of work caused by one change, enumerated lazily. */
export interface Sweep<T> {
  /** two sweeps with the same name are the same work */
  readonly name: string;
  /** somebody waits for its end: it is repeated without a pause */
  readonly isUrgent?: boolean;
  readonly pieces: () => Iterable<T>;
}

export interface Sweeper<T> {
  /**
   * Starts a sweep. If one with the same name is under way, it is repeated once after it ends, so no change in the
   * meantime is missed. A long sweep pauses before it is repeated, unless it is urgent, so that frequent changes of one object stay cheap.
   */
  start(sweep: Sweep<T>): void;
}

export interface SweeperOptions<T> {
  readonly give: (piece: T) => void;
  readonly clock: Clock;
  readonly slices: TimeSlices;
  readonly onFault: (error: unknown) => void;
}

const freePieces = 100;
const restPerPieceMs = 5;
const restAtMostMs = 30_000;

interface Run<T> {
  readonly sweep: Sweep<T>;
  left: Iterator<T> | null;
  given: number;
}

/** Passes the pieces of all sweeps to `give`, one piece of each in turn and in time slices, until the signal aborts. */
export function createSweeper<T>(options: SweeperOptions<T>, signal: AbortSignal): Sweeper<T> {
  const { give, clock, slices, onFault } = options;
  const running = new Map<string, Run<T>>();
  const resting = new Set<string>();
  const again = new Map<string, Sweep<T>>();
  let working = false;

  const begin = (sweep: Sweep<T>) => {
    running.set(sweep.name, { sweep, left: null, given: 0 });
    if (!working) void work();
  };
  const end = (name: string, { sweep, given }: Run<T>) => {
    running.delete(name);
    const restMs = sweep.isUrgent ? 0 : Math.min(restAtMostMs, Math.max(0, given - freePieces) * restPerPieceMs);
    if (restMs === 0) return repeat(name);
    resting.add(name);
    clock.sleep(restMs, signal).then(
      () => {
        resting.delete(name);
        repeat(name);
      },
      () => undefined,
    );
  };
  const repeat = (name: string) => {
    const asked = again.get(name);
    again.delete(name);
    if (asked) begin(asked);
  };
  const step = (name: string, run: Run<T>) => {
    try {
      run.left ??= run.sweep.pieces()[Symbol.iterator]();
      const { value, done } = run.left.next() as IteratorResult<T, undefined>;
      if (done) return end(name, run);
      run.given += 1;
      give(value);
    } catch (error) {
      onFault(error);
      end(name, run);
    }
  };
  const work = async () => {
    working = true;
    await Promise.resolve();
    while (running.size > 0 && !signal.aborted) {
      for (const [name, run] of running) {
        step(name, run);
        await slices.next();
      }
    }
    working = false;
  };

  return {
    start(sweep) {
      if (running.has(sweep.name) || resting.has(sweep.name)) again.set(sweep.name, sweep);
      else begin(sweep);
    },
  };
}
