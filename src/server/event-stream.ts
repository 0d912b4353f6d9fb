import { setImmediate } from 'node:timers/promises';
import type { Response } from 'express';
import { visibleJson } from '../lib/printable.ts';

/** A client that reads nothing for this long is disconnected. */
const drainTimeoutMs = 15_000;

/** One event of a stream in its wire format (HTML standard, server-sent events). */
export const serverSentEvent = (name: string, data: unknown): string =>
  `event: ${name}\ndata: ${visibleJson(JSON.stringify(data))}\n\n`;

/** A comment, which keeps the connection alive and is not an event. */
export const heartbeat = ': still here\n\n';

/**
 * Sends server-sent events, no faster than the client reads them, until they end or the client disconnects. Whatever else waits has its turn
 * after each of them: a socket that takes everything at once would never let go.
 */
export async function sendEventStream(response: Response, events: AsyncIterable<string>): Promise<void> {
  response.set({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
  response.flushHeaders();
  for await (const event of events) {
    if (response.closed) break;
    if (!response.write(event) && !(await isDrained(response))) return void response.destroy();
    await setImmediate();
  }
  response.end();
}

/** Resolves to true once the write buffer is drained or the connection is closed, or to false on timeout. */
function isDrained(response: Response): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (inTime: boolean) => {
      clearTimeout(timer);
      response.off('drain', settled).off('close', settled);
      resolve(inTime);
    };
    const settled = () => end(true);
    const timer = setTimeout(() => end(false), drainTimeoutMs);
    response.once('drain', settled).once('close', settled);
  });
}
