import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { capConnections } from '../../../src/lib/connection-cap.ts';

/** Which connection is closed when one more than two is opened. */

let server: Server;
let responses: ServerResponse[];
let clients: Socket[];

beforeEach(async () => {
  responses = [];
  clients = [];
  server = createServer((_, response) => void responses.push(response));
  capConnections(server, 2);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(() => {
  for (const client of clients) client.destroy();
  server.closeAllConnections();
  server.close();
});

/** Opens a connection; resolves once the server has it. */
async function open(): Promise<Socket> {
  const taken = once(server, 'connection');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  clients.push(client.on('error', () => undefined).resume());
  await taken;
  return client;
}

/** Sends so many requests at once; resolves once the server has all of them. */
async function send(client: Socket, requests: number): Promise<void> {
  const wanted = responses.length + requests;
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(requests));
  while (responses.length < wanted) await once(server, 'request');
}

async function answer(index: number): Promise<void> {
  const response = responses[index];
  if (!response) throw new Error('there is no such request');
  const closed = once(response, 'close');
  response.end();
  await closed;
}

describe('of two connections, a third closes', () => {
  it.each<[string, number, number, 'first' | 'second']>([
    ['the first, while both are idle', 0, 0, 'first'],
    ['the second, while the first has a request', 1, 0, 'second'],
    ['the second, while the first has the latter of two requests that it sent at once', 2, 1, 'second'],
    ['the first, when both of its requests were answered', 2, 2, 'first'],
  ])('%s', async (_, requests, answered, closed) => {
    const first = await open();
    if (requests > 0) await send(first, requests);
    for (let index = 0; index < answered; index += 1) await answer(index);
    const second = await open();
    const ended = Promise.race([first, second].map((client) => once(client, 'close')));
    await open();
    await ended;
    expect({ first: first.closed, second: second.closed }).toEqual({
      first: closed === 'first',
      second: closed === 'second',
    });
  });
});
