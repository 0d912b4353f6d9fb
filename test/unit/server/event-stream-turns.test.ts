import { expect, it } from '@jest/globals';
import type { Response } from 'express';
import { sendEventStream } from '../../../src/server/event-stream.ts';

/** A client that takes everything at once, as one on the same node does: its stream never waits for it. */
function greedyResponse() {
  const written: string[] = [];
  const response = {
    closed: false,
    set: () => response,
    flushHeaders: () => undefined,
    write: (event: string) => written.push(event) > 0,
    end: () => undefined,
  };
  return { response: response as unknown as Response, written };
}

/** Fails where the rows of a project are sent without a pause: with 10,000 of them every other request would wait for seconds. */
it('a stream that has much to tell lets whatever else waits have its turn after each event', async () => {
  const events = Array.from({ length: 1_000 }, (_, index) => `${index}`);
  const { response, written } = greedyResponse();
  let [turns, isOver] = [0, false];
  const turn = () => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  async function* told() {
    await Promise.resolve();
    yield* events;
  }
  await sendEventStream(response, told());
  isOver = true;
  expect(written).toEqual(events);
  expect(turns).toBeGreaterThanOrEqual(events.length);
});
