import type { Heap, HeapItem } from '../lib/heap.ts';
import { createHeap } from '../lib/heap.ts';

/** The lane in which a due key waits: `high` for work people wait for, `low` for sweeps, `slow` for sweeps of keys whose last reconcile took long. */
const lanes = ['high', 'low', 'slow'] as const;
export type Lane = (typeof lanes)[number];

/** A key in the queue. `at` is when it becomes due, in milliseconds of the monotonic clock. */
export interface Entry extends HeapItem {
  readonly key: string;
  readonly share: string;
  readonly lane: Lane;
  /** served before what else its share has in the lane `high`, which it is in */
  readonly isAhead: boolean;
  readonly at: number;
  /** the interval at which the key asks to be rechecked, milliseconds; 0 for a key that was added for another reason */
  readonly everyMs: number;
  /** nothing but its time brings the key back: no event, and no fault */
  readonly isScheduled: boolean;
}

/** How many reconciles may run at a time; Infinity where unlimited. */
export interface LaneLimits {
  readonly total: Readonly<Record<Lane, number>>;
  /** limits of one share, by lane and for all lanes together */
  readonly perShare: Readonly<Record<Lane | 'all', number>>;
}

/** Keys that are due. Every operation is O(log n) in the number of keys and shares. */
export interface Lanes {
  enter(entry: Entry): void;
  leave(entry: Entry): void;
  /** The next entry that may run; it counts as running until ended(). */
  take(): Entry | undefined;
  ended(entry: Entry): void;
  /** number of entries waiting in a lane */
  size(lane: Lane): number;
  /** when the entry that waits longest in a lane became due; undefined in an empty one. Visits each share once. */
  oldest(lane: Lane): number | undefined;
}

/** A share's place in the round robin of a lane: the lowest ticket is served first. */
interface Turn extends HeapItem {
  readonly share: Share;
  ticket: number;
}

interface Share {
  readonly due: Readonly<Record<Lane, Heap<Entry>>>;
  /** of the lane `high` */
  readonly ahead: Heap<Entry>;
  readonly running: Record<Lane, number>;
  readonly turns: Readonly<Record<Lane, Turn>>;
}

/** Every eighth take serves a sweep first, so that interactive work never starves all sweeps. */
const sweepEvery = 8;
const sweepFirst: readonly Lane[] = ['low', 'high', 'slow'];

const byLane = <T>(make: () => T): Record<Lane, T> => ({ high: make(), low: make(), slow: make() });

const createLine = () => createHeap<Entry>((a, b) => a.at < b.at);

function createShare(): Share {
  const turns = {} as Record<Lane, Turn>;
  const share: Share = { due: byLane(createLine), ahead: createLine(), running: byLane(() => 0), turns };
  for (const lane of lanes) turns[lane] = { share, ticket: 0, slot: -1 };
  return share;
}

const lineOf = ({ due, ahead }: Share, { isAhead, lane }: Entry): Heap<Entry> => (isAhead ? ahead : due[lane]);

const firstOf = ({ due, ahead }: Share, lane: Lane): Entry | undefined =>
  (lane === 'high' ? ahead.first() : undefined) ?? due[lane].first();

/**
 * Hands out keys by lane, and within a lane round robin over shares: a share that was just served goes to the back. A
 * share at its limit gets no turn until one of its reconciles ends, so no share delays another for longer than one
 * round.
 */
export function createLanes({ total, perShare }: LaneLimits): Lanes {
  const shares = new Map<string, Share>();
  const turns = byLane(() => createHeap<Turn>((a, b) => a.ticket < b.ticket));
  const running = byLane(() => 0);
  let tickets = 0;
  let takes = 0;
  const sizes = byLane(() => 0);

  const hasRoom = ({ running: own }: Share, lane: Lane): boolean =>
    own[lane] < perShare[lane] && own.high + own.low + own.slow < perShare.all;
  /** Called after any change of a share: gives it a turn in exactly those lanes where it could be served. */
  const settle = (name: string, share: Share) => {
    let idle = true;
    for (const lane of lanes) {
      const turn = share.turns[lane];
      const waits = firstOf(share, lane) !== undefined;
      const serves = waits && hasRoom(share, lane);
      if (!serves) turns[lane].remove(turn);
      else if (turn.slot === -1) {
        turn.ticket = tickets += 1;
        turns[lane].add(turn);
      }
      idle &&= !waits && share.running[lane] === 0;
    }
    if (idle) shares.delete(name);
  };
  const shareNamed = (name: string): Share => {
    const share = shares.get(name) ?? createShare();
    shares.set(name, share);
    return share;
  };
  const nextOf = (lane: Lane): Entry | undefined => {
    const turn = running[lane] < total[lane] ? turns[lane].first() : undefined;
    return turn && firstOf(turn.share, lane);
  };

  return {
    enter(entry) {
      const share = shareNamed(entry.share);
      lineOf(share, entry).add(entry);
      sizes[entry.lane] += 1;
      settle(entry.share, share);
    },
    leave(entry) {
      const share = shareNamed(entry.share);
      lineOf(share, entry).remove(entry);
      sizes[entry.lane] -= 1;
      settle(entry.share, share);
    },
    take() {
      const order = takes % sweepEvery === sweepEvery - 1 ? sweepFirst : lanes;
      const entry = order.map(nextOf).find((found) => found !== undefined);
      if (!entry) return undefined;
      takes += 1;
      const { lane } = entry;
      sizes[lane] -= 1;
      const share = shareNamed(entry.share);
      lineOf(share, entry).remove(entry);
      share.running[lane] += 1;
      running[lane] += 1;
      turns[lane].remove(share.turns[lane]);
      settle(entry.share, share);
      return entry;
    },
    ended({ share: name, lane }) {
      const share = shareNamed(name);
      share.running[lane] -= 1;
      running[lane] -= 1;
      settle(name, share);
    },
    size: (lane) => sizes[lane],
    oldest(lane) {
      let oldest: number | undefined;
      for (const { due, ahead } of shares.values()) {
        for (const line of lane === 'high' ? [due.high, ahead] : [due[lane]]) {
          const at = line.first()?.at;
          if (at !== undefined && (oldest === undefined || at < oldest)) oldest = at;
        }
      }
      return oldest;
    },
  };
}
