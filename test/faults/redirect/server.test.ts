import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createRedirectServer } from '../../../src/redirect/server.ts';
import { pathOf } from '../../../src/redirect/decide.ts';
import { directTargets, redirectTargets } from '../../support/redirect-urls.ts';

/** The redirector's own server over raw sockets: bytes in, bytes out, and what is no request. */

let server: Server;
let served: number[];

beforeEach(async () => {
  served = [];
  server = createRedirectServer({
    answer: ({ host, target }) => {
      const path = pathOf(target);
      return host === null || path === null
        ? { status: 400, headers: {}, body: 'no' }
        : { status: 301, headers: { location: `https://to.example${path}` }, body: '' };
    },
    served: (status) => served.push(status),
    stopping: () => false,
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Sends bytes of latin1 and reads until the connection ends. */
function raw(bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    socket.on('close', () => resolve(text));
    socket.on('error', () => undefined);
    socket.end(Buffer.from(bytes, 'latin1'));
  });
}

const get = (target: string, host = 'Host: from.example\r\n') =>
  raw(`GET ${target} HTTP/1.1\r\n${host}Connection: close\r\n\r\n`);
const locationOf = (answer: string): string | undefined => /\r\nlocation: (.*)\r\n/i.exec(answer)?.[1];

describe('the redirect server', () => {
  it('has more than a hundred targets to keep', () => {
    expect(new Set(redirectTargets).size).toBeGreaterThanOrEqual(100);
  });

  it.each([...redirectTargets, ...directTargets])('keeps every byte of %s', async (target) => {
    expect(locationOf(await get(target))).toBe(`https://to.example${target}`);
  });

  it.each<[string, string, string]>([
    ['no Host', '/', ''],
    ['two Hosts', '/', 'Host: a.example\r\nHost: b.example\r\n'],
    ['a Host with a user', '/', 'Host: a@b.example\r\n'],
    ['asterisk-form', '*', 'Host: a.example\r\n'],
    ['bytes that no request target may have (RFC 9112 section 3.2)', '/\u00e9', 'Host: a.example\r\n'],
  ])('refuses %s', async (_, target, host) => {
    expect(await get(target, host)).toMatch(/^HTTP\/1.1 400 /);
  });

  it('refuses garbage and forgets half a request', async () => {
    expect(await raw('\u0001\u0002\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /);
    expect(await raw('GET / HTTP/1.1\r\nHost: a.ex')).toMatch(/^(HTTP\/1.1 400 .*)?$/s);
    expect(served).toEqual([]);
  });

  it('a line break cannot be smuggled into the Location', async () => {
    const answer = await raw('GET /a\r\nSet-Cookie: x=1 HTTP/1.1\r\nHost: a.example\r\n\r\n');
    expect(answer).not.toMatch(/set-cookie/i);
  });
});
