import { setTimeout as sleep } from 'node:timers/promises';

/** What was waited for did not come; the message says what was seen last. */
export class NotSeen extends Error {
  override readonly name = 'NotSeen';
}

/** Thrown inside `look`: what is waited for cannot come any more, as what it would come from has ended. */
export class Ended extends Error {
  override readonly name = 'Ended';
}

const pauseMs = 200;

/**
 * Deadlines of tests are written for a machine that has nothing else to do, and end what hangs: everywhere so many times as long is waited, which
 * takes no test that passes any longer.
 */
export const busyFactor = 6;

/**
 * Looks again and again until `look` resolves without throwing, and gives what it saw. Rejects with NotSeen after
 * `withinMs` (times `busyFactor`), quoting the last complaint: a bound on a hang, never a promise about time. Rejects at once with Ended.
 */
export const eventually = <T>(what: string, withinMs: number, look: () => Promise<T>): Promise<T> =>
  within(what, withinMs * busyFactor, look);

/** The same with a time that is meant: whoever waits for what may not come says exactly how long. */
export async function within<T>(what: string, withinMs: number, look: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    try {
      return await look();
    } catch (error) {
      if (error instanceof Ended) throw error;
      const last = error instanceof Error ? error.message : String(error);
      if (Date.now() > deadline) throw new NotSeen(`${what}: not seen within ${withinMs / 1_000} s; last: ${last}`);
    }
    await sleep(pauseMs);
  }
}

/** For use inside `look`: complains unless the condition holds. */
export function expectThat(condition: boolean, complaint: string): asserts condition {
  if (!condition) throw new Error(complaint);
}
