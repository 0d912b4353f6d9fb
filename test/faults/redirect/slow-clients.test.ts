import type { Server } from 'node:http';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createRedirectServer } from '../../../src/redirector/redirects/redirect-server.ts';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import { serveUntil } from '../../../src/lib/http-server.ts';
import type { SocketLimits } from '../../../src/lib/bounded-server.ts';
import { drip } from '../../support/drip.ts';

/** Whom the redirector's server waits for, and that each wait has an end although the other side never makes one. */

let server: Server;
let stop: () => Promise<void>;
let stopping: boolean;

beforeEach(() => serve());

afterEach(end);

async function serve(limits: Partial<SocketLimits> = {}): Promise<void> {
  stopping = false;
  server = createRedirectServer({
    answer: () => ({ status: 301, headers: { location: 'https://to.example/' }, body: '' }),
    served: () => undefined,
    stopping: () => stopping,
    limits,
  });
  stop = await serveUntil(server, '127.0.0.1:0');
}

function end(): void {
  server.closeAllConnections();
  server.close();
}

/** Why a connection was not made; '' when it was. */
const connectionError = (port: number): Promise<string> =>
  new Promise((done) => {
    const late = connect(port, '127.0.0.1', () => {
      late.destroy();
      done('');
    }).on('error', ({ message }) => done(message));
  });

const open = () => connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);

/** What a client got until its connection was closed. */
function ended(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  return new Promise((done) => socket.on('close', () => done(text)));
}

/** Sends the beginning of a request; resolves once the server has read it. */
async function begun(text: string): Promise<Socket> {
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const socket = open();
  socket.write(text);
  const [seat] = await accepted;
  await eventually('the server has read it', 5_000, () =>
    Promise.resolve(expectThat(seat.bytesRead === text.length, `${seat.bytesRead} bytes`)),
  );
  return socket;
}

describe('a client that does not finish its request', () => {
  it("is sent away after node's own limit of ten seconds, however busy it looks, while others are answered", async () => {
    expect(server.headersTimeout).toBe(10_000);
    const [silent, half, loris] = [open(), open(), open()];
    half.write('GET / HTTP/1.1\r\nHost: from.ex');
    loris.write('GET / HTTP/1.1\r\nHost: from.example\r\n');
    drip(loris, 'X: y\r\n', 500);
    const all = Promise.all([silent, half, loris].map(ended));
    const other = open();
    other.write('GET / HTTP/1.1\r\nHost: from.example\r\nConnection: close\r\n\r\n');
    expect(await ended(other)).toMatch(/^HTTP\/1.1 301 /);
    expect([silent, half, loris].map(({ closed }) => closed)).toEqual([false, false, false]);
    for (const text of await all) expect(text).toMatch(/^HTTP\/1.1 408 /);
  });

  // Without what the deadlines of all servers do: would fail if the redirector waited for the end of a body that it does not want.
  it('with its body gets one answer, and its connection is closed although it goes on sending', async () => {
    end();
    const hour = 3_600_000;
    await serve({ bodyMs: hour, stalledMs: hour, answerMs: hour });
    const socket = open();
    socket.write('POST / HTTP/1.1\r\nHost: from.example\r\nContent-Length: 1000\r\n\r\n');
    drip(socket, 'x', 100);
    const text = await ended(socket);
    expect(text.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 301']);
  });
});

describe('a server that is stopped', () => {
  it('answers the request that is under way, refuses new connections and ends', async () => {
    const socket = await begun('GET / HTTP/1.1\r\nHost: from.');
    const { port } = server.address() as AddressInfo;
    const underWay = ended(socket);
    stopping = true;
    const stopped = stop();
    await eventually('a new connection is refused', 5_000, async () => {
      const message = await connectionError(port);
      expectThat(message.includes('ECONNREFUSED'), message);
    });
    socket.write('example\r\n\r\n');
    expect(await underWay).toMatch(/^HTTP\/1.1 301 [^]*\r\nconnection: close\r\n/i);
    await stopped;
  });

  // Without node's own limits: would fail if a stop waited for its clients.
  it('ends although a request never does', async () => {
    Object.assign(server, { headersTimeout: 0, requestTimeout: 0 });
    const closed = ended(await begun('GET / HTTP/1.1\r\nHost: from.'));
    stopping = true;
    await stop();
    expect(await closed).toBe('');
  });
});
