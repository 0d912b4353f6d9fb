import { setTimeout as sleep } from 'node:timers/promises';

/** What was waited for did not come; the message says what was seen last. */
export class NotSeen extends Error {
  override readonly name = 'NotSeen';
}

const pauseMs = 200;

/**
 * How many times longer than on a machine with nothing else to do is waited for what must come: PROJECTDOMAIN_PATIENCE,
 * which test runs set, else 1.
 */
export const patience = (): number => Number(process.env.PROJECTDOMAIN_PATIENCE ?? 1);

/**
 * Looks again and again until `look` resolves without throwing, and gives what it saw. Rejects with NotSeen after
 * `withinMs` (times `patience`), quoting the last complaint: a bound on a hang, never a promise about time.
 */
export const eventually = <T>(what: string, withinMs: number, look: () => Promise<T>): Promise<T> =>
  within(what, withinMs * patience(), look);

/** The same with a time that is meant: whoever waits for what may not come says exactly how long. */
export async function within<T>(what: string, withinMs: number, look: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    try {
      return await look();
    } catch (error) {
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
