import { Problem } from '../problem.ts';

/** How many changes are under way at a time and how many may wait: of everybody, and of one account. */
export interface WriteQueueBounds {
  readonly atATime: number;
  readonly atATimePerAccount: number;
  readonly waiting: number;
  readonly waitingPerAccount: number;
  /** how long a change waits for its turn before it is refused; milliseconds */
  readonly waitMs: number;
}

/** Whose turn it is for, and what it changes. */
interface WriteTurn {
  readonly account: string;
  /** of one object only one change is under way at a time; null for what cannot get in the way of another */
  readonly object: string | null;
  /** the client went away: a change that still waits is not made */
  readonly signal: AbortSignal;
}

/**
 * Where changes of the cluster wait for their turn: round robin over accounts, so that a burst of one account delays
 * another's change by a few writes. `run` rejects with the problems too-many-writes (the account's own line is full) and
 * overloaded (everybody's is, or the wait was too long), and otherwise as the work does.
 */
export interface WriteQueue {
  run<T>(turn: WriteTurn, work: () => Promise<T>): Promise<T>;
  /** how many there are now, by `running` and `waiting` */
  counts(): ReadonlyMap<string, number>;
}

interface Waiter {
  readonly turn: WriteTurn;
  readonly begin: () => void;
  readonly refuse: (problem: Problem) => void;
}

interface Share {
  /** in the order in which they came */
  readonly waiting: Set<Waiter>;
  running: number;
}

export function createWriteQueue(bounds: WriteQueueBounds): WriteQueue {
  /** in the order in which accounts have their next turn */
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
  const goOn = () => {
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
  const end = ({ account, object }: WriteTurn) => {
    running -= 1;
    if (object !== null) objects.delete(object);
    const share = shares.get(account);
    if (share) {
      share.running -= 1;
      if (share.running === 0 && share.waiting.size === 0) shares.delete(account);
    }
    goOn();
  };
  /** Makes room for one more of the account: whoever has the longest line gives up the last of it. */
  const makeRoom = (account: string) => {
    const own = shares.get(account)?.waiting.size ?? 0;
    if (own >= bounds.waitingPerAccount) throw tooMany(own);
    if (waiting < bounds.waiting) return;
    const longest = [...shares.values()].reduce((a, b) => (b.waiting.size > a.waiting.size ? b : a));
    const last = [...longest.waiting].at(-1);
    if (!last || longest.waiting.size <= own + 1) throw overloaded();
    last.refuse(tooMany(longest.waiting.size));
  };
  const enter = (turn: WriteTurn) =>
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
      const gone = () => refuse(new Problem('starting', 'the request ended before its turn came; nothing was changed'));
      const begin = () => {
        stop();
        resolve();
      };
      const waiter: Waiter = { turn, begin, refuse };
      const timer = setTimeout(() => refuse(overloaded()), bounds.waitMs).unref();
      turn.signal.addEventListener('abort', gone, { once: true });
      const share = shares.get(turn.account) ?? { waiting: new Set(), running: 0 };
      shares.set(turn.account, share);
      share.waiting.add(waiter);
      waiting += 1;
      if (turn.signal.aborted) gone();
      else goOn();
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
    counts: () =>
      new Map([
        ['running', running],
        ['waiting', waiting],
      ]),
  };
}

const tooMany = (waiting: number): Problem =>
  new Problem(
    'too-many-writes',
    `${waiting} changes of the account wait already; send the next when some are answered`,
    {
      headers: { 'retry-after': '5' },
    },
  );

const overloaded = (): Problem =>
  new Problem('overloaded', 'too many changes wait at the moment; nothing was changed, try again in a few seconds', {
    headers: { 'retry-after': '5' },
  });
