import type { Socket } from 'node:net';
import type { Seat } from './socket-seat.ts';

/** kOnMessageBegin, as Node.js' own parser numbers what it calls. */
const onMessageBegin = 0;

/**
 * Notes when something of a request has come whose head is not read whole. Nothing public tells: a socket counts bytes, whichever request they
 * are of, and an event comes with a whole head. Where the parser has no such place, what comes with a whole request counts as part of it.
 */
export function noteBegin(seat: Seat, socket: Socket): void {
  const { parser } = socket as { parser?: Record<number, (() => void) | null> | null };
  if (parser) parser[onMessageBegin] = () => void (seat.hasBegun = true);
}
