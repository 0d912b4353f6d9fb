import { expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Clock } from '../../../src/lib/clock.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { serveUntil } from '../../../src/lib/http-server.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { turnsOfLoop } from '../../support/turns-of-loop.ts';

const request = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

async function startServer(clock: Clock = systemClock) {
  const server = createServer((_, response) => response.end('heard'));
  const stop = await serveUntil(server, '127.0.0.1:0', clock);
  return { server, stop, port: (server.address() as AddressInfo).port };
}

/** A connection that was used once, and is kept. */
async function idleConnection(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.write(request);
  await once(socket, 'data');
  return socket;
}

it('a request that is on its way on an idle connection when the server is told to stop is answered, as the last one: would fail if idle connections were closed at once', async () => {
  const { stop, port } = await startServer();
  const socket = await idleConnection(port);
  socket.write(request);
  const stopped = stop();
  const answer = await text(socket);
  expect(answer).toMatch(/^HTTP\/1\.1 200/);
  expect(answer).toMatch(/^Connection: close\r$/m);
  await stopped;
});

it('a request that comes on an idle connection soon after is answered too, and one on a new connection: would fail if the server did not wait for last uses', async () => {
  const clock = createFakeClock();
  const { stop, port } = await startServer(clock);
  const socket = await idleConnection(port);
  const another = await idleConnection(port);
  const stopped = stop();
  await turnsOfLoop(50);
  await clock.advance(900);
  socket.write(request);
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200/);
  const late = connect(port, '127.0.0.1');
  late.write(request);
  expect(await text(late)).toMatch(/^Connection: close\r$/m);
  another.destroy();
  await clock.advance(100);
  await stopped;
});

it('an idle connection that nobody uses ends nothing but itself: would fail if the server waited for its client', async () => {
  const { server, stop, port } = await startServer();
  const socket = await idleConnection(port);
  const closed = once(socket, 'close');
  await stop();
  await closed;
  expect(server.listening).toBe(false);
});
