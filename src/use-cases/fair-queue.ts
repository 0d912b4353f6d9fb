import type { Problem } from './problem.ts';

/** How much work may run at a time and how much may wait: in total, and per account. */
export interface QueueBounds {
  readonly atATime: number;
  readonly atATimePerAccount: number;
  readonly waiting: number;
  readonly waitingPerAccount: number;
  /** how long work may wait for its turn before it is refused; milliseconds */
  readonly waitMs: number;
}

/** A request for a turn: the account, and the object that the work is about. */
interface Turn {
  readonly account: string;
  /** work on one object runs one at a time; null for work that cannot conflict with other work */
  readonly object: string | null;
  /** aborts when the client disconnects: work that is still waiting is then not begun */
  readonly signal: AbortSignal;
}

/** The problems that a queue refuses work with. */
export interface Refusals {
  /** the account's own queue is full, or its own work kept this waiting too long */
  readonly tooMany: (waiting: number) => Problem;
  /** the whole queue is full, or the wait for others was too long */
  readonly overloaded: () => Problem;
  /** the client disconnected before the turn came */
  readonly gone: () => Problem;
}

/**
 * Queues work round robin over accounts, so that a burst of one account delays another's work by only a few turns.
 * `run` rejects with one of the refusals, and otherwise as the work does.
 */
export interface FairQueue {
  run<T>(turn: Turn, work: () => Promise<T>): Promise<T>;
  /** current numbers, by `running` and `waiting` */
  counts(): ReadonlyMap<string, number>;
}

interface Waiter {
  readonly turn: Turn;
  readonly begin: () => void;
  readonly refuse: (problem: Problem) => void;
}

interface Share {
  /** in order of arrival */
  readonly waiting: Set<Waiter>;
  running: number;
}

export function createFairQueue(bounds: QueueBounds, refusals: Refusals): FairQueue {
  /** in the order of the accounts' next turns */
  const shares = new Map<string, Share>();
  const objects = new Set<string>();
  let running = 0;
  let waiting = 0;

  const isFree = ({ turn }: Waiter) => turn.object === null || !objects.has(turn.object);
  const leave = (waiter: Waiter) => {
    const share = shares.get(waiter.turn.account);
    if (!share?.waiting.delete(waiter)) return;
    waiting -= 1;
    if (share.running === 0 && share.waiting.size === 0) shares.delete(waiter.turn.account);
  };
  const next = (): Waiter | undefined => {
    for (const [account, share] of shares) {
      if (share.running >= bounds.atATimePerAccount) continue;
      for (const waiter of share.waiting) {
        if (!isFree(waiter)) continue;
        shares.delete(account);
        shares.set(account, share);
        return waiter;
      }
    }
    return undefined;
  };
  const startNext = () => {
    while (running < bounds.atATime) {
      const waiter = next();
      if (!waiter) return;
      const { account, object } = waiter.turn;
      const share = shares.get(account);
      if (share) share.running += 1;
      running += 1;
      if (object !== null) objects.add(object);
      leave(waiter);
      waiter.begin();
    }
  };
  const end = ({ account, object }: Turn) => {
    running -= 1;
    if (object !== null) objects.delete(object);
    const share = shares.get(account);
    if (share) {
      share.running -= 1;
      if (share.running === 0 && share.waiting.size === 0) shares.delete(account);
    }
    startNext();
  };
  /** Makes room for one more of the account: the account with the longest queue loses its last one. */
  const makeRoom = (account: string) => {
    const own = shares.get(account)?.waiting.size ?? 0;
    if (own >= bounds.waitingPerAccount) throw refusals.tooMany(own);
    if (waiting < bounds.waiting) return;
    const longest = [...shares.values()].reduce((a, b) => (b.waiting.size > a.waiting.size ? b : a));
    const last = [...longest.waiting].at(-1);
    if (!last || longest.waiting.size <= own + 1) throw refusals.overloaded();
    last.refuse(refusals.tooMany(longest.waiting.size));
  };
  /** Who has waited too long for its own work is told so. */
  const late = (account: string): Problem => {
    const { running: own = 0, waiting: behind } = shares.get(account) ?? {};
    return own >= bounds.atATimePerAccount ? refusals.tooMany(behind?.size ?? 0) : refusals.overloaded();
  };
  const enter = (turn: Turn) =>
    new Promise<void>((resolve, reject) => {
      makeRoom(turn.account);
      const stop = () => {
        clearTimeout(timer);
        turn.signal.removeEventListener('abort', gone);
        leave(waiter);
      };
      const refuse = (problem: Problem) => {
        stop();
        reject(problem);
      };
      const gone = () => refuse(refusals.gone());
      const begin = () => {
        stop();
        resolve();
      };
      const waiter: Waiter = { turn, begin, refuse };
      const timer = setTimeout(() => refuse(late(turn.account)), bounds.waitMs).unref();
      turn.signal.addEventListener('abort', gone, { once: true });
      const share = shares.get(turn.account) ?? { waiting: new Set(), running: 0 };
      shares.set(turn.account, share);
      share.waiting.add(waiter);
      waiting += 1;
      if (turn.signal.aborted) gone();
      else startNext();
    });

  return {
    async run(turn, work) {
      await enter(turn);
      try {
        return await work();
      } finally {
        end(turn);
      }
    },
    counts: () => new Map(Object.entries({ running, waiting })),
  };
}
