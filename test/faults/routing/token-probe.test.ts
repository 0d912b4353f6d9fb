import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { addressRule } from '../../../src/dns/lookup/address-safety.ts';
import { createTokenLimits } from '../../../src/routing/token-probe/token-limits.ts';
import { createTokenProbe } from '../../../src/routing/token-probe/token-probe.ts';
import type { TokenAnswer } from '../../../src/rules/domain-token.ts';
import { tokenPath } from '../../../src/rules/domain-token.ts';
import { drip } from '../../support/drip.ts';
import type { EdgeListener, EdgeServer } from '../../support/edge-server.ts';
import { startEdgeServer } from '../../support/edge-server.ts';
import { systemClock } from '../../../src/lib/clock.ts';

/**
 * Asking for a token at real servers that do what servers do. Fails when anything but the token is taken for it, when a
 * refusal or silence is taken for another server, or when an answer leads us somewhere else.
 */

const hostname = 'www.example.com';
const token = { nonce: 'the-nonce', answer: 'the-answer' };
const path = `${tokenPath}${token.nonce}`;
const never = new AbortController().signal;

const started: EdgeServer[] = [];
afterEach(async () => {
  for (const server of started.splice(0)) await server.stop();
});

async function serve(listener: EdgeListener): Promise<EdgeServer> {
  const server = await startEdgeServer(listener);
  started.push(server);
  return server;
}

const probeOf = ({ ports, permitted = ['127.0.0.0/8'] }: { ports: EdgeServer['ports']; permitted?: string[] }) =>
  createTokenProbe({
    isAllowed: addressRule(permitted),
    limits: createTokenLimits(() => false, systemClock.elapsed),
    platformDomain: 'apps.example.net',
    ports,
  });

async function ask(server: Pick<EdgeServer, 'address' | 'ports'>, signal = never): Promise<TokenAnswer | undefined> {
  const { address } = server;
  const answers = await probeOf(server).ask({ hostname, token, addresses: [address], payer: 'acme' }, signal);
  return answers[address];
}

const reply =
  (status: number, body = '', headers: Record<string, string> = {}): EdgeListener =>
  (_, __, response) =>
    response.writeHead(status, headers).end(body);

const interim = 'HTTP/1.1 103 Early Hints\r\n\r\n';
const tokenReply = `HTTP/1.1 200 OK\r\nContent-Length: ${token.answer.length}\r\n\r\n${token.answer}`;

/** As fast as they are read. */
function flood(socket: Socket): void {
  const write = () => {
    while (!socket.destroyed && socket.write(interim.repeat(1_000)));
  };
  socket.on('error', () => undefined).on('drain', write);
  write();
}

describe('an answer', () => {
  it.each<[string, EdgeListener, TokenAnswer]>([
    ['the token', reply(200, token.answer), 'token'],
    ['the token with a line end', reply(200, `${token.answer}\n`), 'token'],
    ['the token with another status', reply(404, token.answer), 'other'],
    ['the nonce, by a server that repeats what it is asked', (_, { url }, response) => response.end(url), 'other'],
    ['a page', reply(200, '<html>welcome</html>'), 'other'],
    ['a page with the token in it', reply(200, `<p>${token.answer}</p>`), 'other'],
    ['the token and then too much', reply(200, token.answer + ' '.repeat(2_000)), 'other'],
    ['nothing', reply(204), 'other'],
    ['not found', reply(404, 'not found'), 'other'],
    ['login first', reply(401), 'forbidden'],
    ['forbidden', reply(403), 'forbidden'],
    ['too many requests', reply(429, '', { 'retry-after': '60' }), 'forbidden'],
    ['bad gateway', reply(502), 'failing'],
    ['unavailable', reply(503), 'failing'],
    ['a CDN’s own: origin is down', reply(521), 'failing'],
    ['a CDN’s own: no TLS with the origin', reply(525), 'originCertificate'],
    ['a CDN’s own: the origin’s certificate is not valid', reply(526), 'originCertificate'],
    ['a redirect that leads nowhere', reply(302), 'other'],
    ['the connection is closed', (_, request) => request.socket.destroy(), 'silent'],
    ['half an answer', (_, { socket }) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nthe-'), 'silent'],
    ['no HTTP', (_, { socket }) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'), 'silent'],
    [
      'header fields without end',
      (_, { socket }) => socket.end(`HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(20_000)}\r\n`),
      'silent',
    ],
    ['early hints before the token', (_, { socket }) => socket.end(interim.repeat(2) + tokenReply), 'token'],
    [
      'another protocol',
      (_, { socket }) => socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
      'other',
    ],
  ])('%s', async (_, listener, expected) => {
    expect(await ask(await serve(listener))).toBe(expected);
  });

  it('that is too long is not read to its end', async () => {
    const ended = Promise.withResolvers<void>();
    const server = await serve((_, __, response) => {
      response.on('close', ended.resolve);
      response.write('x'.repeat(2_000));
    });
    expect(await ask(server)).toBe('other');
    await ended.promise;
  });

  it.each<[string, EdgeListener]>([
    ['never comes', () => undefined],
    ['drips for ever', (_, __, response) => drip(response.writeHead(200), 'x', 20)],
    ['stops after the head', (_, __, response) => void response.writeHead(200).flushHeaders()],
  ])('that %s is silence once the time is over', async (_, listener) => {
    expect(await ask(await serve(listener), AbortSignal.timeout(200))).toBe('silent');
  });

  it('of interim answers without end is ended, not read until the time is over', async () => {
    const closed = Promise.withResolvers<boolean>();
    const server = await serve((_, { socket }) => {
      socket.on('close', closed.resolve);
      flood(socket);
    });
    expect(await ask(server, AbortSignal.timeout(60_000))).toBe('silent');
    await closed.promise;
  });

  it('is not waited for, even by a caller that has time', async () => {
    const server = await serve(() => undefined);
    expect(await ask(server)).toBe('silent');
  }, 20_000);

  it('does not come where nobody listens', async () => {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    await new Promise((done) => server.close(done));
    expect(await ask({ address: '127.0.0.1', ports: { http: port, https: port } })).toBe('silent');
  });
});

const secure: EdgeListener = (scheme, _, response) =>
  scheme === 'http'
    ? response.writeHead(301, { location: `https://${hostname}${path}` }).end()
    : response.end(token.answer);

describe('a redirect', () => {
  it('to https of the same hostname is followed to the same address, whatever certificate is shown', async () => {
    const server = await serve(secure);
    expect(await ask(server)).toBe('token');
    expect(server.asked).toEqual([`GET http://${hostname}${path}`, `GET https://${hostname}${path}`]);
  });

  it.each<[string, string, TokenAnswer]>([
    ['to another host', 'https://other.example.com/', 'other'],
    ['to the metadata address', 'http://169.254.169.254/latest/meta-data/', 'other'],
    ['to another port', `https://${hostname}:8443${path}`, 'other'],
    ['to another port by http', `http://${hostname}:8080${path}`, 'other'],
    ['with credentials', `https://user:secret@${hostname}${path}`, 'other'],
    ['to another scheme', 'file:///etc/passwd', 'other'],
    ['to another path by http', '/elsewhere', 'other'],
    ['to itself', `http://${hostname}${path}`, 'redirectLoop'],
    ['to a path that is too long', `https://${hostname}/${'x'.repeat(600)}`, 'other'],
    ['to what is no address', 'https://[', 'other'],
  ])('%s is not followed', async (_, location, expected) => {
    const server = await serve(reply(301, '', { location }));
    expect(await ask(server)).toBe(expected);
    expect(server.connections()).toBe(1);
  });

  it.each<[string, EdgeListener, number]>([
    [
      'from https to the same again',
      (_, __, response) => response.writeHead(301, { location: `https://${hostname}${path}` }).end(),
      2,
    ],
    [
      'from https back to http',
      (scheme, _, response) =>
        response.writeHead(301, { location: `${scheme === 'http' ? 'https' : 'http'}://${hostname}${path}` }).end(),
      2,
    ],
    [
      'to ever new places',
      (_, { url }, response) => response.writeHead(302, { location: `https://${hostname}${url}x` }).end(),
      3,
    ],
  ])('%s is a circle', async (_, listener, requests) => {
    const server = await serve(listener);
    expect(await ask(server)).toBe('redirectLoop');
    expect(server.asked).toHaveLength(requests);
  });
});

describe('the request', () => {
  it('says who asks, carries nothing else, and keeps no connection', async () => {
    let fields: readonly string[] = [];
    const server = await serve((_, { rawHeaders }, response) => {
      fields = rawHeaders.map((field) => field.toLowerCase());
      response.end();
    });
    await ask(server);
    expect(fields).toEqual([
      ...['host', hostname],
      ...['user-agent', 'projectdomain-token-probe (apps.example.net)'],
      ...['accept', 'text/plain'],
      ...['connection', 'close'],
    ]);
  });

  it.each(['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', 'fd00::1', '64:ff9b::7f00:1', 'localhost', ''])(
    'is not made to %s',
    async (address) => {
      const server = await serve(reply(200, token.answer));
      const probe = probeOf({ ports: server.ports, permitted: [] });
      const answers = await probe.ask({ hostname, token, addresses: [address], payer: 'acme' }, never);
      expect(answers).toEqual({ [address]: 'notAllowed' });
      expect(server.connections()).toBe(0);
    },
  );
});
