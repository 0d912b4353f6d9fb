import type { Heap, HeapItem } from './heap.ts';
import { createHeap } from './heap.ts';

/** Where a due key waits: what people wait for, sweeps, and sweeps of keys whose last reconcile took long. */
const lanes = ['high', 'low', 'slow'] as const;
export type Lane = (typeof lanes)[number];

/** A key with its time, milliseconds of the clock. */
export interface Entry extends HeapItem {
  readonly key: string;
  readonly share: string;
  readonly lane: Lane;
  readonly at: number;
}

/** How many reconciles may run at a time, Infinity where nothing bounds them. */
export interface LaneLimits {
  readonly total: Readonly<Record<Lane, number>>;
  /** of one share, by lane, and over all lanes */
  readonly perShare: Readonly<Record<Lane | 'all', number>>;
}

/** Keys that are due. Every operation is O(log n) in keys and in shares. */
export interface Lanes {
  enter(entry: Entry): void;
  leave(entry: Entry): void;
  /** The next entry that may run; it counts as running until ended(). */
  take(): Entry | undefined;
  ended(entry: Entry): void;
  /** entries that wait in a lane */
  size(lane: Lane): number;
}

/** A share's place in a lane's turn: the smaller the ticket, the sooner. */
interface Turn extends HeapItem {
  readonly share: Share;
  ticket: number;
}

interface Share {
  readonly due: Readonly<Record<Lane, Heap<Entry>>>;
  readonly running: Record<Lane, number>;
  readonly turns: Readonly<Record<Lane, Turn>>;
}

/** Every so many takes a sweep goes first, so that the clicks of many never keep all sweeps waiting. */
const sweepEvery = 8;
const sweepFirst: readonly Lane[] = ['low', 'high', 'slow'];

const byLane = <T>(make: () => T): Record<Lane, T> => ({ high: make(), low: make(), slow: make() });

function createShare(): Share {
  const due = byLane(() => createHeap<Entry>((a, b) => a.at < b.at));
  const turns = {} as Record<Lane, Turn>;
  const share: Share = { due, running: byLane(() => 0), turns };
  for (const lane of lanes) turns[lane] = { share, ticket: 0, slot: -1 };
  return share;
}

/**
 * Hands keys out by lane, and in each lane round robin over shares: a share that was served goes behind all others. A
 * share at its limit has no turn until one of its reconciles ends, so what one share brings never keeps another waiting
 * for longer than one round.
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
  /** After any change of a share: it has a turn in exactly the lanes where it could be served. */
  const settle = (name: string, share: Share) => {
    let idle = true;
    for (const lane of lanes) {
      const turn = share.turns[lane];
      const waits = share.due[lane].size > 0;
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
  const known = (name: string): Share => {
    const share = shares.get(name) ?? createShare();
    shares.set(name, share);
    return share;
  };
  const nextOf = (lane: Lane): Entry | undefined =>
    running[lane] < total[lane] ? turns[lane].first()?.share.due[lane].first() : undefined;

  return {
    enter(entry) {
      const share = known(entry.share);
      share.due[entry.lane].add(entry);
      sizes[entry.lane] += 1;
      settle(entry.share, share);
    },
    leave(entry) {
      const share = known(entry.share);
      share.due[entry.lane].remove(entry);
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
      const share = known(entry.share);
      share.due[lane].remove(entry);
      share.running[lane] += 1;
      running[lane] += 1;
      turns[lane].remove(share.turns[lane]);
      settle(entry.share, share);
      return entry;
    },
    ended({ share: name, lane }) {
      const share = known(name);
      share.running[lane] -= 1;
      running[lane] -= 1;
      settle(name, share);
    },
    size: (lane) => sizes[lane],
  };
}
