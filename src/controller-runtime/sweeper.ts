import type { Clock } from '../lib/clock.ts';
import type { UnfinishedWork } from './unfinished-work.ts';
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
  /** `epoch`: when the sweep was asked for (unfinished-work.ts) */
  readonly give: (piece: T, epoch: number) => void;
  /** told of each sweep from when it was asked for until it has given its last piece */
  readonly unfinished: UnfinishedWork;
  readonly clock: Clock;
  readonly slices: TimeSlices;
  readonly onFault: (error: unknown) => void;
}

const freePieces = 100;
const restPerPieceMs = 5;
const restAtMostMs = 30_000;

interface Asked<T> {
  readonly sweep: Sweep<T>;
  readonly epoch: number;
}

interface Run<T> extends Asked<T> {
  left: Iterator<T> | null;
  given: number;
}

/** Passes the pieces of all sweeps to `give`, one piece of each in turn and in time slices, until the signal aborts. */
export function createSweeper<T>(options: SweeperOptions<T>, signal: AbortSignal): Sweeper<T> {
  const { give, unfinished, clock, slices, onFault } = options;
  const running = new Map<string, Run<T>>();
  const resting = new Set<string>();
  const again = new Map<string, Asked<T>>();
  let working = false;

  const begin = (asked: Asked<T>) => {
    running.set(asked.sweep.name, { ...asked, left: null, given: 0 });
    if (!working) void work();
  };
  const end = (name: string, { sweep, given, epoch }: Run<T>) => {
    running.delete(name);
    unfinished.end(epoch);
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
      give(value, run.epoch);
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
      const waits = again.get(sweep.name);
      const asked = { sweep, epoch: waits?.epoch ?? unfinished.begin() };
      if (running.has(sweep.name) || resting.has(sweep.name)) again.set(sweep.name, asked);
      else begin(asked);
    },
  };
}
