import { readFileSync } from 'node:fs';
import { missingIdentity } from '../kubernetes/connection.ts';
import type { Clock } from '../lib/clock.ts';

const identityEveryMs = 200;

/** Beside the operator this process is given its identity by it, which takes a moment. Rejects when the signal aborts. */
export async function awaitIdentity(clock: Clock, signal: AbortSignal): Promise<void> {
  while (missingIdentity() !== null) await clock.sleep(identityEveryMs, signal);
}

const keyEveryMs = 500;
const bytes = 32;

/** The HMAC key of a mounted Secret. The operator makes it at its very first start, so it may be waited for. */
export async function awaitKey(path: string, clock: Clock, signal: AbortSignal): Promise<Uint8Array> {
  for (;;) {
    const key = read(path);
    if (key !== null && key.length >= bytes) return key;
    if (key !== null) throw new Error(`${path} holds no key of ${bytes} bytes`);
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
