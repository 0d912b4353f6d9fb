import type { Response } from 'express';

/** Whoever takes nothing for so long listens no more. */
const takenWithinMs = 15_000;

/** One event of a stream as it is sent (HTML standard, server-sent events). */
export const serverSentEvent = (name: string, data: unknown): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

/** A comment, which keeps the connection alive and is no event. */
export const heartbeat = ': still here\n\n';

/** Sends server-sent events one after another, as fast as they are taken, until they end or nobody listens. */
export async function sendEventStream(response: Response, events: AsyncIterable<string>): Promise<void> {
  response.set({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
  response.flushHeaders();
  for await (const event of events) {
    if (response.closed) break;
    if (!response.write(event) && !(await drained(response))) return void response.destroy();
  }
  response.end();
}

/** Whether what was written was taken in time, or the connection has ended. */
function drained(response: Response): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isTaken: boolean) => {
      clearTimeout(timer);
      response.off('drain', taken).off('close', taken);
      resolve(isTaken);
    };
    const taken = () => end(true);
    const timer = setTimeout(() => end(false), takenWithinMs);
    response.once('drain', taken).once('close', taken);
  });
}
