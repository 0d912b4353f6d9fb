import { setTimeout as sleep } from 'node:timers/promises';

/** Requests that are sent until they are ended. */
export interface Visits {
  /** Resolves once so many more have been sent, and answered, than are now. */
  further(count: number): Promise<void>;
  /** Goes on until ten were sent; resolves once all have been answered, with a complaint for each that was not right. */
  end(): Promise<{ readonly asked: number; readonly failed: readonly string[] }>;
}

const visitEveryMs = 20;
/** However slow the machine is, and however soon what they are to watch is over. */
const leastVisits = 10;

/**
 * Asks for one after the other, and so on, fifty times a second in all, whether or not those before have been answered. `complaintOf` sends
 * one request, and resolves with what was wrong with its answer; null where nothing was.
 */
export function visitInTurn<T>(all: readonly T[], complaintOf: (one: T) => Promise<string | null>): Visits {
  const failed: string[] = [];
  const open = new Set<Promise<void>>();
  let asked = 0;
  let answered = 0;
  let ended = false;
  const waiting = new Set<{ readonly count: number; readonly done: () => void }>();
  const oneMore = () => {
    answered += 1;
    for (const one of waiting) if (answered >= one.count && waiting.delete(one)) one.done();
  };
  const visit = async (one: T) => {
    const complaint = await complaintOf(one).catch(String);
    if (complaint !== null) failed.push(complaint);
  };
  const go = async () => {
    const begunAt = performance.now();
    while (!ended || asked < leastVisits) {
      const next = all[asked % all.length];
      if (next === undefined) return;
      asked += 1;
      const visiting: Promise<void> = visit(next).finally(() => {
        open.delete(visiting);
        oneMore();
      });
      open.add(visiting);
      await sleep(Math.max(0, begunAt + asked * visitEveryMs - performance.now()));
    }
  };
  const going = go();
  return {
    further: (count) => new Promise((done) => waiting.add({ count: asked + count, done })),
    async end() {
      ended = true;
      await going;
      await Promise.all(open);
      return { asked, failed };
    },
  };
}
