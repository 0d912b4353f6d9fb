import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Phase, Place } from './socket-places.ts';

/** A socket of a server, and how far its exchange of requests and answers has come. */
export interface Seat extends Place {
  /** over TLS the one of the handshake until that is done, then the one of what it carries */
  socket: Socket;
  /** kept, as a socket that has ended no longer knows it */
  readonly peer: string | undefined;
  /** of the request that is being answered; null between two */
  response: ServerResponse | null;
  /** a request whose body is outstanding, and when its head ended; it may have been answered already */
  body: { readonly request: IncomingMessage; readonly since: number } | null;
  /** what came behind the request that is being answered, in its order */
  readonly queue: (() => void)[];
  isRefused: boolean;
  refusedAt: number | null;
  /** nothing more of it is to be read */
  isHeld: boolean;
  /** what was to be sent when it was last looked at; null for nothing */
  unsent: string | null;
  movedAt: number;
  endedAt: number | null;
  /** bytes that it had sent when its last request was read, without those that came with it of one that is not whole */
  readBefore: number;
  /** whether something has come of a request whose head is not read whole */
  hasBegun: boolean;
}

/** The seat of a new connection. */
export function createSeat(socket: Socket, group: string, now: number): Seat {
  return {
    ...{ socket, peer: socket.remoteAddress, group, phase: 'unfinished', queue: [] },
    ...{ readBefore: 0, hasBegun: false },
    ...{ response: null, body: null, isRefused: false, refusedAt: null, isHeld: false },
    ...{ unsent: null, movedAt: now, endedAt: null },
  };
}

/** What a socket waits for, by what can be seen of it; null where the seat's own phase is right. */
export function phaseOf(seat: Seat): Phase | null {
  const { response, body, phase } = seat;
  if (seat.refusedAt !== null) return 'unfinished';
  if (response !== null) return response.writableEnded || (body && !body.request.complete) ? 'unfinished' : 'working';
  return phase === 'idle' && unreadBytes(seat) > 0 ? 'unfinished' : null;
}

/** Bytes of a request that nobody has been given yet. */
export const unreadBytes = ({ socket, readBefore }: Seat): number => socket.bytesRead - readBefore;

/** What one read brings at most, so that much can be of a request behind one that is whole. */
const bytesOfRead = 65_536;

/** Says that a request was read whole, and what of the bytes that came with it is nobody's yet. */
export function noteWhole(seat: Seat): void {
  const { bytesRead } = seat.socket;
  seat.readBefore = seat.hasBegun ? Math.max(seat.readBefore, bytesRead - bytesOfRead) : bytesRead;
}

/** Those that have sent most of what is not whole, until so many bytes are theirs. */
export function largestUnread(seats: Iterable<Seat>, bytes: number): readonly Seat[] {
  if (bytes <= 0) return [];
  const unfinished = [...seats].filter(({ phase }) => phase === 'unfinished');
  const largest = unfinished.toSorted((a, b) => unreadBytes(b) - unreadBytes(a));
  let left = bytes;
  const enough = largest.findIndex((seat) => (left -= unreadBytes(seat)) <= 0);
  return enough < 0 ? largest : largest.slice(0, enough + 1);
}

/** Looks at what is to be sent, and at how much of it went since the last look. */
export function observe(seat: Seat, now: number): SocketState {
  const unsent = unsentOf(seat.socket);
  if (unsent === null || unsent !== seat.unsent) seat.movedAt = now;
  seat.unsent = unsent;
  if (seat.response?.writableEnded) seat.endedAt ??= now;
  const { movedAt, endedAt, refusedAt } = seat;
  return {
    ...{ movedAt, endedAt, refusedAt },
    bodySince: seat.body && !seat.body.request.complete ? seat.body.since : null,
    hasBegun: seat.response === null || seat.response.headersSent,
  };
}

/** Differs when some of it was taken. Node.js counts a write as long as any of it is left, its handle by the byte. */
function unsentOf(socket: Socket): string | null {
  if (socket.writableLength === 0) return null;
  const { _handle: handle } = socket as { _handle?: { readonly writeQueueSize?: number } | null };
  return `${socket.writableLength} ${handle?.writeQueueSize ?? ''}`;
}

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

/** How long a socket may make us wait, in milliseconds. */
export interface SocketDeadlines {
  /** for the body of a request, from the end of its head */
  readonly bodyMs: number;
  /** for any part of an answer to be taken by the client's side */
  readonly stalledMs: number;
  /** for a whole answer, from its end on: what is still being written has no end yet */
  readonly answerMs: number;
  /** for the client to read why it was refused, before its connection is closed */
  readonly lingerMs: number;
}

/** What can be seen of a socket; times are monotonic milliseconds. */
export interface SocketState {
  /** when the head of the request ended whose body is outstanding; null where none is */
  readonly bodySince: number | null;
  /** whether an answer has begun that cannot be taken back */
  readonly hasBegun: boolean;
  /** when something of what is to be sent was last seen to be taken, or there was nothing to be sent */
  readonly movedAt: number;
  /** when the end of an answer was first seen that is still on its way; null where none is */
  readonly endedAt: number | null;
  /** when it was refused; null where it was not */
  readonly refusedAt: number | null;
}

/** What is to be done with a socket: `refuse` tells its client that its request came too late. */
export function overdue(
  { bodySince, hasBegun, movedAt, endedAt, refusedAt }: SocketState,
  { bodyMs, stalledMs, answerMs, lingerMs }: SocketDeadlines,
  now: number,
): 'close' | 'refuse' | null {
  if (refusedAt !== null) return now - refusedAt > lingerMs ? 'close' : null;
  if (now - movedAt > stalledMs) return 'close';
  if (endedAt !== null && now - endedAt > answerMs) return 'close';
  if (bodySince === null || now - bodySince <= bodyMs) return null;
  return hasBegun ? 'close' : 'refuse';
}
