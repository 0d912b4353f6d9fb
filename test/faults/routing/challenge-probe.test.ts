import type { RequestListener, Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { answeredEverywhere } from '../../../src/routing/challenge-probe.ts';

/** Redirectors on real sockets, of which some do not do what they should. */

const hostname = 'www.example.com';
const path = '/.well-known/acme-challenge/token';
const expected = new Map([[path, 'token.thumbprint']]);
const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
});

/** One for each listener, all at one port; null for an address at which nothing listens. */
async function redirectors(listeners: readonly (RequestListener | null)[]) {
  const addresses = listeners.map((_, at) => `127.0.0.${at + 2}`);
  let port = 0;
  for (const [at, listener] of listeners.entries()) {
    if (listener === null) continue;
    const server = createServer(listener);
    servers.push(server);
    await new Promise<void>((done, fail) => server.once('error', fail).listen(port, addresses[at], done));
    ({ port } = server.address() as AddressInfo);
  }
  return { addresses, port };
}

const answers: RequestListener = ({ headers, url }, response) => {
  const isAsked = headers.host === hostname && url === path;
  response.writeHead(isAsked ? 200 : 404).end(isAsked ? 'token.thumbprint' : 'nothing');
};

describe('a challenge is answered everywhere', () => {
  it('where each redirector answers for the hostname with just that text', async () => {
    const three = await redirectors([answers, answers, answers]);
    expect(await answeredEverywhere(three, hostname, expected)).toEqual(new Set([path]));
    expect(await answeredEverywhere(three, 'other.example.com', expected)).toEqual(new Set());
  });

  it('only as far as it is: of two challenges the one that all answer', async () => {
    const one = await redirectors([answers]);
    const two = new Map([...expected, ['/.well-known/acme-challenge/other', 'other.thumbprint']]);
    expect(await answeredEverywhere(one, hostname, two)).toEqual(new Set([path]));
  });

  it.each<[string, RequestListener | null]>([
    ['is not there', null],
    ['answers with another text', (_, response) => void response.end('token.others')],
    ['answers with more', (_, response) => void response.end('token.thumbprint\n')],
    ['does not know of it yet', (_, response) => void response.writeHead(404).end('token.thumbprint')],
    ['is about to stop', (request) => void request.socket.destroy()],
    [
      'ends amid its answer',
      (_, response) => {
        response.writeHead(200, { 'content-length': '16' });
        response.write('token.', () => response.socket?.destroy());
      },
    ],
    ['never answers', () => undefined],
    [
      'never stops answering',
      (_, response) => {
        const more = () => void response.write('x'.repeat(1_024));
        response.on('drain', more);
        more();
        for (let count = 0; count < 64; count += 1) more();
      },
    ],
  ])('is not so where one of two %s', async (_, listener) => {
    const two = await redirectors([answers, listener]);
    expect(await answeredEverywhere(two, hostname, expected)).toEqual(new Set());
  });

  it('is not so where there is no redirector', async () => {
    expect(await answeredEverywhere({ addresses: [], port: 80 }, hostname, expected)).toEqual(new Set());
  });
});
