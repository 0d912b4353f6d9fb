import { setTimeout as sleep } from 'node:timers/promises';

/** What was waited for did not come; the message says what was seen last. */
export class NotSeen extends Error {
  override readonly name = 'NotSeen';
}

const pauseMs = 200;

/**
 * Looks again and again until `look` resolves without throwing, and gives what it saw. Rejects with NotSeen after
 * `withinMs`, quoting the last complaint.
 */
export async function eventually<T>(what: string, withinMs: number, look: () => Promise<T>): Promise<T> {
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
