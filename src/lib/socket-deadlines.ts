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
