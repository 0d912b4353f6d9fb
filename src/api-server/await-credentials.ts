import { readFileSync } from 'node:fs';
import { missingIdentity } from '../kubernetes/connection.ts';
import type { Clock } from '../lib/clock.ts';

const identityEveryMs = 200;

/**
 * As a sidecar, this process gets its credentials from the operator, a moment later. Rejects when the signal aborts.
 */
export async function awaitIdentity(clock: Clock, signal: AbortSignal): Promise<void> {
  while (missingIdentity() !== null) await clock.sleep(identityEveryMs, signal);
}

const keyEveryMs = 500;
const bytes = 32;

/** Reads the HMAC key, and waits for it: the operator creates it at its first start. Rejects when it is too short. */
export async function awaitKey(path: string, clock: Clock, signal: AbortSignal): Promise<Uint8Array> {
  for (;;) {
    const key = read(path);
    if (key !== null && key.length >= bytes) return key;
    if (key !== null) throw new Error(`${path} does not contain a key of ${bytes} bytes`);
    await clock.sleep(keyEveryMs, signal);
  }
}

function read(path: string): Uint8Array | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
