import type { Server } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createRedirectServer } from '../../../src/redirect/redirect-server.ts';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { serveUntil } from '../../../src/lib/http-server.ts';

/** How long the redirector's server waits for whom: in real seconds, as the limits are node's own. */

let server: Server;
let stop: () => Promise<void>;
let stopping: boolean;

beforeEach(async () => {
  stopping = false;
  server = createRedirectServer({
    answer: () => ({ status: 301, headers: { location: 'https://to.example/' }, body: '' }),
    served: () => undefined,
    stopping: () => stopping,
  });
  stop = await serveUntil(server, '127.0.0.1:0');
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Why a connection was not made; '' when it was. */
const connectionError = (port: number): Promise<string> =>
  new Promise((done) => {
    const late = connect(port, '127.0.0.1', () => {
      late.destroy();
      done('');
    }).on('error', ({ message }) => done(message));
  });

const open = () => connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);

interface Ended {
  readonly text: string;
  readonly afterMs: number;
}

function ended(socket: Socket): Promise<Ended> {
  const began = performance.now();
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  return new Promise((done) => socket.on('close', () => done({ text, afterMs: performance.now() - began })));
}

function drip(socket: Socket, bytes: string): void {
  const timer = setInterval(() => socket.write(bytes), 500);
  socket.on('close', () => clearInterval(timer));
}

describe('a client that does not finish its request', () => {
  it('is sent away after ten seconds, however busy it looks, while others are answered', async () => {
    const [silent, half, loris] = [open(), open(), open()];
    half.write('GET / HTTP/1.1\r\nHost: from.ex');
    loris.write('GET / HTTP/1.1\r\nHost: from.example\r\n');
    drip(loris, 'X: y\r\n');
    const all = Promise.all([silent, half, loris].map(ended));
    const other = open();
    other.write('GET / HTTP/1.1\r\nHost: from.example\r\nConnection: close\r\n\r\n');
    expect((await ended(other)).text).toMatch(/^HTTP\/1.1 301 /);
    for (const { text, afterMs } of await all) {
      expect(text).toMatch(/^HTTP\/1.1 408 /);
      expect(afterMs).toBeGreaterThan(9_000);
      expect(afterMs).toBeLessThan(20_000);
    }
  });

  it('with its body holds its connection for a second and gets one answer', async () => {
    const socket = open();
    socket.write('POST / HTTP/1.1\r\nHost: from.example\r\nContent-Length: 1000\r\n\r\n');
    drip(socket, 'x');
    const { text, afterMs } = await ended(socket);
    expect(text.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 301']);
    expect(afterMs).toBeLessThan(8_000);
  });
});

describe('a server that is stopped', () => {
  it('answers the request that is under way, refuses new connections and ends', async () => {
    const socket = open();
    const { port } = server.address() as AddressInfo;
    const underWay = ended(socket);
    socket.write('GET / HTTP/1.1\r\nHost: from.');
    await systemClock.sleep(100);
    stopping = true;
    const stopped = stop();
    await eventually('a new connection is refused', 5_000, async () => {
      const message = await connectionError(port);
      expectThat(message.includes('ECONNREFUSED'), message);
    });
    socket.write('example\r\n\r\n');
    expect((await underWay).text).toMatch(/^HTTP\/1.1 301 [^]*\r\nconnection: close\r\n/i);
    await stopped;
  });

  it('waits ten seconds for a request that never ends, and no longer', async () => {
    const socket = open();
    socket.write('GET / HTTP/1.1\r\nHost: from.');
    await systemClock.sleep(100);
    const began = performance.now();
    stopping = true;
    await stop();
    expect(performance.now() - began).toBeLessThan(20_000);
  });
});
