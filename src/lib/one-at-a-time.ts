import type { Socket } from 'node:net';
import type { Seat } from './socket-seat.ts';

/** A client that sends more requests than these without waiting for an answer loses its connection. */
const pipelinedAtMost = 16;

/** Has a request wait for its turn on its socket. False where too many do: then nothing more is parsed, and the socket is to be ended. */
export function waitInLine(seat: Seat, task: () => void): boolean {
  if (seat.queue.length >= pipelinedAtMost) {
    stopParsing(seat.socket);
    return false;
  }
  seat.queue.push(task);
  process.nextTick(hold, seat);
  return true;
}

/** Reads nothing while a request waits for its turn, nor of one that was refused before it was whole. */
export function hold({ queue, isHeld, socket }: Seat): void {
  if ((isHeld || queue.length > 0) && !socket.destroyed) socket.pause();
}

/**
 * Leaves what was received already to nobody: up to 64 KiB come at once, and to make thousands of requests of them takes longer than all
 * else that a client can cost. As after the head of an upgrade (2), nothing behind it is parsed.
 */
function stopParsing(socket: Socket): void {
  const { parser } = socket as { parser?: { onIncoming: (() => number) | null } | null };
  if (parser) parser.onIncoming = () => 2;
}
