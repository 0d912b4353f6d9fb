/**
 * How often the keys of a queue want to come again, and by what factor their intervals are stretched when the workers
 * cannot bear it. A load is in workers: rechecks a second times the seconds that one takes (Little's law).
 */
export interface RecheckLoad {
  /** A key of the share waits to be rechecked every so many milliseconds. */
  begin(share: string, everyMs: number): void;
  /** It waits no more. */
  end(share: string, everyMs: number): void;
  /** A reconcile of the share took so long. */
  took(share: string, ms: number): void;
  /** By what factor the share's intervals are multiplied; 1 unless it wants more than its fair part. */
  factor(share: string): number;
  /** The largest factor of a share, and the mean over rechecks; both 1 where nothing is stretched. */
  stretch(): { readonly max: number; readonly mean: number };
}

/** What rechecks may occupy, in workers: together, and those of one share. */
export interface RecheckCapacity {
  readonly total: number;
  readonly perShare: number;
}

interface Share {
  keys: number;
  /** rechecks a second, as the intervals want it */
  perSecond: number;
  /** duration of a reconcile, milliseconds: a moving average; 0 before the first */
  meanMs: number;
}

/** Weight of the newest duration in the moving averages of a share and of all. */
const newest = { ofShare: 1 / 8, ofAll: 1 / 64 };
/** How long a level is used before it is computed again, from the loads of all shares. */
const levelForMs = 5_000;

/** `elapsed`: monotonic milliseconds. */
export function createRecheckLoad({ total, perShare }: RecheckCapacity, elapsed: () => number): RecheckLoad {
  const shares = new Map<string, Share>();
  /** stands in for a share whose own reconciles were not timed yet */
  let meanMs = 0;
  let level = { is: perShare, at: Number.NEGATIVE_INFINITY };

  const loadOf = (share: Share): number => (share.perSecond * (share.meanMs || meanMs)) / 1_000;
  const allowance = (): number => {
    if (elapsed() - level.at >= levelForMs)
      level = { is: Math.min(perShare, fairLevel([...shares.values()].map(loadOf), total)), at: elapsed() };
    return level.is;
  };
  const factorOf = (share: Share): number => Math.max(1, loadOf(share) / allowance());

  return {
    begin(name, everyMs) {
      const share = shares.get(name) ?? { keys: 0, perSecond: 0, meanMs: 0 };
      shares.set(name, share);
      share.keys += 1;
      share.perSecond += 1_000 / everyMs;
    },
    end(name, everyMs) {
      const share = shares.get(name);
      if (!share) return;
      share.keys -= 1;
      share.perSecond -= 1_000 / everyMs;
      if (share.keys === 0) shares.delete(name);
    },
    took(name, ms) {
      meanMs = averaged(meanMs, ms, newest.ofAll);
      const share = shares.get(name);
      if (share) share.meanMs = averaged(share.meanMs, ms, newest.ofShare);
    },
    factor(name) {
      const share = shares.get(name);
      return share ? factorOf(share) : 1;
    },
    stretch() {
      let [max, wanted, granted] = [1, 0, 0];
      for (const share of shares.values()) {
        const factor = factorOf(share);
        max = Math.max(max, factor);
        wanted += share.perSecond;
        granted += share.perSecond / factor;
      }
      return { max, mean: granted === 0 ? 1 : wanted / granted };
    },
  };
}

const averaged = (mean: number, value: number, weight: number): number =>
  mean === 0 ? value : mean + weight * (value - mean);

/**
 * Max-min fairness: the level at which loads are cut so that together they are no more than the capacity. Infinity when
 * they fit as they are. So a small load is never cut for the sake of a large one.
 */
export function fairLevel(loads: readonly number[], capacity: number): number {
  if (loads.reduce((sum, load) => sum + load, 0) <= capacity) return Number.POSITIVE_INFINITY;
  let left = capacity;
  const ascending = loads.toSorted((a, b) => a - b);
  for (const [index, load] of ascending.entries()) {
    const part = left / (ascending.length - index);
    if (load > part) return part;
    left -= load;
  }
  return Number.POSITIVE_INFINITY;
}
