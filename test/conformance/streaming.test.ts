import { createServer } from 'node:http';
import { expect, it } from '@jest/globals';
import { inZone, useConformance } from '../support/conformance.ts';

/**
 * Parts of an answer reach the visitor when the project sends them, as server-sent events need. Fails where an edge buffers: the server here sends the
 * next part only once the visitor has the one before.
 */

let next = () => {};
const server = createServer((request, response) => {
  if (request.url !== '/events') return response.end();
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  let sent = 0;
  next = () => {
    sent += 1;
    response.write(`data: ${sent}\n\n`);
    if (sent === 5) response.end();
  };
  next();
});
const fixture = useConformance(import.meta.filename, { services: [{ name: 'slow', server }] });

it('delivers each event before the next is sent', async () => {
  const { status, body } = await fixture().exchange(inZone('www.streaming'), { path: '/events', onPart: () => next() });
  expect([status, body.toString()]).toEqual([200, [1, 2, 3, 4, 5].map((one) => `data: ${one}\n\n`).join('')]);
});
