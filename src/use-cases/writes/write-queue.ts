import { Problem } from '../problem.ts';

/** How many changes may run at a time and how many may wait: in total, and per account. */
export interface WriteQueueBounds {
  readonly atATime: number;
  readonly atATimePerAccount: number;
  readonly waiting: number;
  readonly waitingPerAccount: number;
  /** how long a change may wait for its turn before it is refused; milliseconds */
  readonly waitMs: number;
}

/** A request for a turn: the account, and the object it changes. */
interface WriteTurn {
  readonly account: string;
  /** changes of one object run one at a time; null for a change that cannot conflict with another */
  readonly object: string | null;
  /** aborts when the client disconnects: a change that is still waiting is then not made */
  readonly signal: AbortSignal;
}

/**
 * Queues changes to the cluster: round robin over accounts, so that a burst of one account delays another's change by
 * only a few writes. `run` rejects with the problem too-many-writes (the account's own queue is full) or overloaded
 * (the whole queue is full, or the wait was too long), and otherwise as the work does.
 */
export interface WriteQueue {
  run<T>(turn: WriteTurn, work: () => Promise<T>): Promise<T>;
  /** current numbers, by `running` and `waiting` */
  counts(): ReadonlyMap<string, number>;
}

interface Waiter {
  readonly turn: WriteTurn;
  readonly begin: () => void;
  readonly refuse: (problem: Problem) => void;
}

interface Share {
  /** in order of arrival */
  readonly waiting: Set<Waiter>;
  running: number;
}

export function createWriteQueue(bounds: WriteQueueBounds): WriteQueue {
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
  const end = ({ account, object }: WriteTurn) => {
    running -= 1;
    if (object !== null) objects.delete(object);
    const share = shares.get(account);
    if (share) {
      share.running -= 1;
      if (share.running === 0 && share.waiting.size === 0) shares.delete(account);
    }
    startNext();
  };
  /** Makes room for one more change of the account: the account with the longest queue loses its last one. */
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
    `${waiting} changes of the account are already waiting; send the next when some of them have been answered`,
    {
      headers: { 'retry-after': '5' },
    },
  );

const overloaded = (): Problem =>
  new Problem(
    'overloaded',
    'too many changes are waiting at the moment; nothing was changed, try again in a few seconds',
    {
      headers: { 'retry-after': '5' },
    },
  );
