import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The id that a request is found by in logs and traces: its client's, where that is short and plain, or a new one. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : randomUUID();
}
