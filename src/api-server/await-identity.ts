import { missingIdentity } from '../kubernetes/in-cluster-connection.ts';
import type { Clock } from '../lib/clock.ts';

const lookEveryMs = 200;

/** Beside the operator this process is given its identity by it, which takes a moment. Rejects when the signal aborts. */
export async function awaitIdentity(clock: Clock, signal: AbortSignal): Promise<void> {
  while (missingIdentity() !== null) await clock.sleep(lookEveryMs, signal);
}
