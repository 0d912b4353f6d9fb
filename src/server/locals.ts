import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../use-cases/api-dependencies.ts';
import type { Refusal } from '../use-cases/caller.ts';

/** State of a request while it is handled. */
interface Locals {
  readonly requestId: string;
  /** read on arrival: once the client has disconnected, the socket no longer has it */
  readonly address: string;
  /** whose key was sent, or why it is not accepted; null where nobody has looked yet */
  found: Caller | Refusal | null;
  route: string | null;
  caller: Caller | null;
  admitted: boolean;
}

interface WithLocals extends ServerResponse {
  locals?: Locals;
}

/** Where Express keeps them too. */
export const localsOf = (response: ServerResponse): Locals => (response as { locals?: unknown }).locals as Locals;

export function setLocals(response: WithLocals, locals: Locals): void {
  response.locals = locals;
}

/** The id that a request is found by in logs and traces: its client's, where that is short and plain, or a new one. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : randomUUID();
}
