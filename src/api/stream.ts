import type { Response } from 'express';

/** Sends server-sent events one after another, as fast as they are taken, until they end or nobody listens. */
export async function stream(response: Response, events: AsyncIterable<string>): Promise<void> {
  response.set({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
  response.flushHeaders();
  for await (const event of events) {
    if (response.closed) break;
    if (!response.write(event)) await drained(response);
  }
  response.end();
}

const drained = (response: Response): Promise<void> =>
  new Promise((resolve) => void response.once('drain', resolve).once('close', resolve));
