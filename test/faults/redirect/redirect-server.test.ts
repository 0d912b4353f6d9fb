import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { RedirectSnapshot } from '../../../src/redirector/redirects/decide-redirect.ts';
import { decideRedirect } from '../../../src/redirector/redirects/decide-redirect.ts';
import { createRedirectServer } from '../../../src/redirector/redirects/redirect-server.ts';
import { claim, domain, platformClaim, project } from '../../support/snapshot.ts';
import { directTargets, redirectTargets } from '../../support/redirect-urls.ts';

/** The redirector's own server over raw sockets: bytes in, bytes out, and what is no request. */

let server: Server;
let served: number[];
let stopping: boolean;

/** www.example.com redirects to the project's platform hostname; no other hostname is known. */
const seen: RedirectSnapshot = {
  claimOf: (hostname) => ({ 'www.example.com': claim(), 'shop.apps.example.net': platformClaim() })[hostname],
  domain: () => domain({ spec: { role: 'Redirect', redirect: { to: 'shop.apps.example.net' } } }),
  project: () => project,
  withNonce: () => [],
  recent: () => null,
  wasPrimary: () => false,
  wasServed: () => false,
};

beforeEach(async () => {
  served = [];
  stopping = false;
  server = createRedirectServer({
    answer: (asked) => decideRedirect(asked, seen),
    served: (status) => served.push(status),
    stopping: () => stopping,
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const open = () => connect((server.address() as AddressInfo).port, '127.0.0.1');

/** Sends bytes of latin1 and reads until the connection ends. */
function raw(bytes: string, ends = true): Promise<string> {
  return new Promise((resolve) => {
    const socket = open();
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    socket.on('close', () => resolve(text));
    socket.on('error', () => undefined);
    if (ends) socket.end(Buffer.from(bytes, 'latin1'));
    else socket.write(Buffer.from(bytes, 'latin1'));
  });
}

const named = 'Host: www.example.com\r\n';
const get = (target: string, host = named) => raw(`GET ${target} HTTP/1.1\r\n${host}Connection: close\r\n\r\n`);
const locationOf = (answer: string): string | undefined => /\r\nlocation: (.*)\r\n/i.exec(answer)?.[1];
const locationsOf = (answers: string) => answers.split(/(?=HTTP\/1\.1 \d)/).map(locationOf);

describe('the redirect server', () => {
  it('has more than a hundred targets to keep', () => {
    expect(new Set(redirectTargets).size).toBeGreaterThanOrEqual(100);
  });

  it.each([...redirectTargets, ...directTargets])('keeps every byte of %s', async (target) => {
    expect(locationOf(await get(target))).toBe(`https://shop.apps.example.net${target}`);
  });

  it.each<[string, string, string | undefined]>([
    ['over http', 'X-Forwarded-Proto: http\r\n', 'https://shop.apps.example.net/a%2Fb?c'],
    ['over http, to open a WebSocket', 'X-Forwarded-Proto: ws\r\n', 'https://shop.apps.example.net/a%2Fb?c'],
    ['over HTTPS', 'X-Forwarded-Proto: https\r\n', undefined],
    ['over both, by the word of two', 'X-Forwarded-Proto: http, https\r\n', undefined],
    ['in a way that nobody tells', '', undefined],
  ])('leads to HTTPS what is served there, if it came %s', async (_, told, location) => {
    expect(locationOf(await get('/a%2Fb?c', `Host: shop.apps.example.net\r\n${told}`))).toBe(location);
  });

  it.each([
    ['X-Forwarded-Proto: https\r\n', true],
    ['X-Forwarded-Proto: wss\r\n', true],
    ['X-Forwarded-Proto: http\r\n', false],
    ['', false],
  ])('is strict about HTTPS only where that was used: %j', async (told, isStrict) => {
    const answer = await get('/a', named + told);
    expect(/\r\nstrict-transport-security: max-age=\d+\r\n/i.test(answer)).toBe(isStrict);
  });

  it('keeps every byte of a target and a cookie as long as browsers send, and refuses a longer one', async () => {
    const target = `/${'a'.repeat(30_000)}`;
    const cookies = `Cookie: ${'c=1; '.repeat(6_000)}\r\n`;
    const isKept = locationOf(await get(target, named + cookies)) === `https://shop.apps.example.net${target}`;
    expect(isKept).toBe(true);
    expect((await get(`/${'a'.repeat(66_000)}`)).slice(0, 13)).toBe('HTTP/1.1 431 ');
  });

  it.each(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('redirects %s', async (method) => {
    const answer = await raw(`${method} /a HTTP/1.1\r\n${named}Connection: close\r\n\r\n`);
    expect(locationOf(answer)).toBe('https://shop.apps.example.net/a');
  });

  it('lets the authority of an absolute-form target win over Host', async () => {
    expect(locationOf(await get('http://WWW.example.com:80/a?b', 'Host: other.example\r\n'))).toBe(
      'https://shop.apps.example.net/a?b',
    );
    expect(await get('http://other.example/a')).toMatch(/^HTTP\/1.1 404 /);
  });

  it.each<[string, string, string]>([
    ['no Host', '/', ''],
    ['no Host beside an absolute-form target', 'http://www.example.com/', ''],
    ['two Hosts', '/', `${named}${named}`],
    ['two Hosts beside an absolute-form target', 'http://www.example.com/', `${named}${named}`],
    ['a Host with a user', '/', 'Host: a@www.example.com\r\n'],
    ['asterisk-form', '*', named],
    ['bytes that no request target may have (RFC 9112 section 3.2)', '/\u00e9', named],
  ])('refuses %s', async (_, target, host) => {
    expect(await get(target, host)).toMatch(/^HTTP\/1.1 400 /);
  });

  it.each(['www.example.com:443', '/'])('refuses to be a tunnel to %s', async (target) => {
    expect(await raw(`CONNECT ${target} HTTP/1.1\r\n${named}\r\n`, false)).toMatch(/^HTTP\/1.1 400 /);
    expect(served).toEqual([400]);
  });

  it('refuses garbage and forgets half a request', async () => {
    expect(await raw('\u0001\u0002\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /);
    expect(await raw('GET / HTTP/1.1\r\nHost: a.ex')).toMatch(/^(HTTP\/1.1 400 .*)?$/s);
    expect(served).toEqual([]);
  });

  it('a line break cannot be smuggled into the Location', async () => {
    const answer = await raw(`GET /a\r\nSet-Cookie: x=1 HTTP/1.1\r\n${named}\r\n`);
    expect(answer).not.toMatch(/set-cookie/i);
    expect(locationOf(await get('/a%0d%0aSet-Cookie:x=1'))).toBe('https://shop.apps.example.net/a%0d%0aSet-Cookie:x=1');
  });

  it('answers pipelined requests in their order', async () => {
    const requests = ['/1', '/2', '/3'].map((target) => `GET ${target} HTTP/1.1\r\n${named}\r\n`);
    const answers = await raw(`${requests.join('')}GET /4 HTTP/1.1\r\n${named}Connection: close\r\n\r\n`);
    expect(locationsOf(answers)).toEqual(['/1', '/2', '/3', '/4'].map((to) => `https://shop.apps.example.net${to}`));
  });
});

describe('a body that nobody wants', () => {
  it('is read off when it is small, and its bytes are never the next request', async () => {
    const smuggled = `GET /smuggled HTTP/1.1\r\n${named}\r\n`;
    const answers = await raw(
      `POST /a HTTP/1.1\r\n${named}Content-Length: ${smuggled.length}\r\n\r\n${smuggled}`,
      false,
    );
    expect(locationsOf(answers)).toEqual(['https://shop.apps.example.net/a']);
    expect(answers).toMatch(/\r\nconnection: close\r\n/i);
  });

  it('is not asked for where the client waits to be asked', async () => {
    const asks = `POST /a HTTP/1.1\r\n${named}Expect: 100-continue\r\nContent-Length: 5\r\n\r\n`;
    expect(await raw(asks, false)).toMatch(/^HTTP\/1.1 301 /);
  });

  it.each(['Content-Length: 99999999999\r\n', 'Transfer-Encoding: chunked\r\n'])(
    'without an end (%j) is cut off after its answer was read',
    async (length) => {
      let text = '';
      const taken = new Promise<number>((done) => {
        server.on('connection', (socket) => socket.on('close', () => done(socket.bytesRead)));
      });
      const socket = open();
      const chunk = Buffer.from(`10000\r\n${'x'.repeat(0x10000)}\r\n`);
      const flood = () => {
        while (!socket.destroyed && socket.write(chunk));
      };
      socket.on('data', (part: Buffer) => (text += part.toString('latin1'))).on('error', () => undefined);
      socket.on('drain', flood).write(`POST /a HTTP/1.1\r\n${named}${length}\r\n`);
      flood();
      const closed = new Promise<void>((done) => socket.on('close', () => done()));
      const bytes = await taken;
      expect(bytes).toBeGreaterThan(0);
      expect(bytes).toBeLessThan(1_000_000);
      await closed;
      expect(locationOf(text)).toBe('https://shop.apps.example.net/a');
    },
  );
});

describe('a connection that is kept', () => {
  it('is closed with the next answer once the process was told to stop', async () => {
    const socket = open();
    const answers: string[] = [];
    const next = () =>
      new Promise<void>((done) => {
        socket.once('data', (chunk: Buffer) => {
          answers.push(chunk.toString('latin1'));
          done();
        });
        socket.write(`GET /a HTTP/1.1\r\n${named}\r\n`);
      });
    await next();
    stopping = true;
    const closed = new Promise<void>((done) => socket.on('close', () => done()));
    await next();
    await closed;
    expect(answers.map((answer) => /\r\nconnection: (.*)\r\n/i.exec(answer)?.[1])).toEqual(['keep-alive', 'close']);
    expect(answers.map(locationOf)).toEqual(Array(2).fill('https://shop.apps.example.net/a'));
  });
});
