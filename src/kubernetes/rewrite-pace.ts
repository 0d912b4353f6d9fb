/** Spreads writes that nobody waits for. */
export interface RewritePace {
  /** 0 when one may be written now, which then counts; otherwise in how many milliseconds to ask again. */
  turn(): number;
  /** How many were told to come back, and have not had their turn yet. */
  postponed(): number;
}

/**
 * How many objects are written again in a second when nothing but their hash differs, as after an upgrade that builds them
 * differently. Each costs the kube-apiserver 5 ms of processor time, and the controllers that watch it a look
 * (docs/adr/0046): this is a fifth of a processor, and 100,000 domains of two objects each take an hour and a half.
 */
const perSecond = 40;
/** Small installations are through at once. */
const burst = 100;
/** Whoever is far behind asks again after this time; milliseconds. */
const waitAtMost = 3_600_000;

/**
 * A token bucket with a queue in front that is only a time: whoever gets no token is told when those before it will have
 * had theirs. `elapsed`: monotonic milliseconds.
 */
export function createRewritePace(elapsed: () => number): RewritePace {
  const interval = 1_000 / perSecond;
  let tokens = burst;
  let filledAt = elapsed();
  let queueEnd = 0;
  return {
    turn() {
      const now = elapsed();
      tokens = Math.min(burst, tokens + (now - filledAt) / interval);
      filledAt = now;
      if (tokens >= 1) {
        tokens -= 1;
        return 0;
      }
      queueEnd = Math.min(Math.max(queueEnd, now) + interval, now + waitAtMost);
      return queueEnd - now;
    },
    postponed: () => Math.ceil(Math.max(0, queueEnd - elapsed()) / interval),
  };
}
