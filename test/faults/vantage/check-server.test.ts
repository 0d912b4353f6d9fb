import type { Server } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { CheckRequest, DnsFacts } from '../../../src/dns/dns-facts.ts';
import { readFacts } from '../../../src/dns/vantage/check-documents.ts';
import { serveUntil } from '../../../src/lib/http-server.ts';
import { createCallerTokens, createCheckServer } from '../../../src/vantage/check-server.ts';
import { name } from '../../support/dns-facts.ts';
import { drip } from '../../support/drip.ts';
import { turnsOfLoop } from '../../support/turns-of-loop.ts';
import { fullCheck, hostname, rightFacts, target, token } from '../../support/vantage.ts';

/** The server of a vantage point against callers who have no token, or one and bad intentions. */

let server: Server;
let stop: () => Promise<void>;
let checked: CheckRequest[];
let [running, mostRunning] = [0, 0];
let answer: (request: CheckRequest, signal: AbortSignal) => Promise<DnsFacts>;

beforeEach(async () => {
  checked = [];
  [running, mostRunning] = [0, 0];
  answer = () => Promise.resolve(rightFacts);
  await serve(60_000);
});

/** @param withinMs how long a check may take */
async function serve(withinMs: number): Promise<void> {
  const tokens = createCallerTokens();
  tokens.use(`an-earlier-token-of-thirty-two-characters\n${token}\n`);
  server = createCheckServer({
    dns: {
      async check(request, signal) {
        checked.push(request);
        running += 1;
        mostRunning = Math.max(mostRunning, running);
        return answer(request, signal).finally(() => (running -= 1));
      },
    },
    atMost: 4,
    isAuthorized: tokens.isAuthorized,
    answered: () => undefined,
    failed: () => undefined,
    stopping: () => false,
    tls: null,
    withinMs,
  });
  stop = await serveUntil(server, '127.0.0.1:0');
}

afterEach(async () => {
  server.closeAllConnections();
  await stop();
});

const port = () => (server.address() as AddressInfo).port;
const bearer = { authorization: `Bearer ${token}` };

async function post(body: string, headers: Readonly<Record<string, string>> = bearer): Promise<Response> {
  return fetch(`http://127.0.0.1:${port()}/v1/checks`, { method: 'POST', headers, body });
}

const statusOf = async (body: unknown, headers?: Readonly<Record<string, string>>): Promise<number> => {
  const response = await post(typeof body === 'string' ? body : JSON.stringify(body), headers);
  await response.text();
  return response.status;
};

/** Fails when somebody without a token has a question asked, or hears more than that it is missing. */
describe('a caller', () => {
  it('with a token gets what was found', async () => {
    const response = await post(JSON.stringify(fullCheck));
    expect(response.status).toBe(200);
    expect(readFacts(await response.text(), hostname)).toEqual(rightFacts);
    expect(checked).toEqual([fullCheck]);
  });

  it('may use any of the tokens, as while they are replaced', async () => {
    expect(await statusOf(fullCheck, { authorization: 'bearer an-earlier-token-of-thirty-two-characters' })).toBe(200);
  });

  it.each<[sentence: string, headers: Readonly<Record<string, string>>]>([
    ['without a token', {}],
    ['with another token', { authorization: 'Bearer another-token-of-thirty-two-characters-or-more' }],
    ['with the beginning of the token', { authorization: `Bearer ${token.slice(0, -1)}` }],
    ['with more than the token', { authorization: `Bearer ${token}x` }],
    ['with an empty token', { authorization: 'Bearer ' }],
    ['with another scheme', { authorization: `Basic ${token}` }],
    ['with the token as a key', { 'x-api-key': token }],
  ])('%s is refused, and nothing is asked', async (_, headers) => {
    const response = await post(JSON.stringify(fullCheck), headers);
    expect([response.status, await response.text()]).toEqual([401, '']);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(checked).toEqual([]);
  });

  it.each([
    ['GET', '/v1/checks', 405],
    ['POST', '/v1/checks?name=www.example.com', 404],
    ['POST', '/', 404],
  ])('who sends %s %s is told %i', async (method, path, status) => {
    expect((await fetch(`http://127.0.0.1:${port()}${path}`, { method, headers: bearer })).status).toBe(status);
  });
});

/** Fails when the endpoint answers questions that no check of a customer's hostname has: then it is a resolver. */
describe('a caller with a token', () => {
  it.each<[sentence: string, body: unknown]>([
    ['no JSON', 'hostname=www.example.com'],
    ['no object', '[]'],
    ['brackets without end', '['.repeat(4_000)],
    ['a field too few', { ...fullCheck, caa: undefined }],
    ['a field too many', { ...fullCheck, server: '127.0.0.1' }],
    ['a confirmation', { ...fullCheck, isConfirmation: true }],
    ['a wildcard', { ...fullCheck, hostname: '*.example.com' }],
    ['an address', { ...fullCheck, hostname: '192.0.2.1' }],
    ['a top-level domain', { ...fullCheck, hostname: 'com' }],
    ['a name of the network itself', { ...fullCheck, hostname: 'db.prod.local' }],
    ['a name for addresses', { ...fullCheck, hostname: '1.0.0.127.in-addr.arpa' }],
    ['a target that is no hostname', { ...fullCheck, target: 'localhost' }],
    ['another name’s TXT record', { ...fullCheck, txtName: 'example.com' }],
  ])('has %s refused', async (_, body) => {
    expect(await statusOf(body)).toBe(400);
    expect(checked).toEqual([]);
  });

  it('sends at most four kilobytes', async () => {
    const padded = (bytes: number) => JSON.stringify(fullCheck).padEnd(bytes, ' ');
    expect([await statusOf(padded(4_096)), await statusOf(padded(4_097))]).toEqual([200, 413]);
    expect(await statusOf('x'.repeat(10_000_000)).catch(() => 'closed')).not.toBe(200);
  });

  it('who sends 10,000 at once has four checks at a time, and is told to wait with the rest', async () => {
    answer = () => turnsOfLoop(100).then(() => rightFacts);
    const statuses = new Map<number, number>();
    const callers = Array.from({ length: 50 }, async () => {
      for (let call = 0; call < 200; call += 1) {
        const response = await post(JSON.stringify(fullCheck));
        await response.text();
        if (response.status === 429) expect(response.headers.get('retry-after')).toBe('1');
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      }
    });
    await Promise.all(callers);
    expect([...statuses.keys()].toSorted()).toEqual([200, 429]);
    expect([...statuses.values()].reduce((sum, count) => sum + count)).toBe(10_000);
    expect(mostRunning).toBe(4);
  });

  it('who goes away ends the check, and leaves its place to others', async () => {
    const [ended, four] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    answer = (_, signal) =>
      new Promise((done) => {
        if (running === 4) four.resolve();
        signal.addEventListener('abort', () => {
          ended.resolve();
          done(rightFacts);
        });
      });
    const gone = new AbortController();
    const calls = Array.from({ length: 4 }, () =>
      fetch(`http://127.0.0.1:${port()}/v1/checks`, {
        method: 'POST',
        headers: bearer,
        body: JSON.stringify(fullCheck),
        signal: gone.signal,
      }).catch(() => null),
    );
    await four.promise;
    gone.abort();
    await Promise.all([...calls, ended.promise]);
    answer = () => Promise.resolve(rightFacts);
    expect(await statusOf(fullCheck)).toBe(200);
  });
});

describe('a check', () => {
  it('that takes too long is ended: 504', async () => {
    await stop();
    await serve(500);
    answer = (_, signal) => new Promise((done) => signal.addEventListener('abort', () => done(rightFacts)));
    expect(await statusOf(fullCheck)).toBe(504);
  });

  it('that throws costs its caller alone: 500', async () => {
    answer = () => Promise.reject(new Error('a fault of ours'));
    expect([await statusOf(fullCheck), await statusOf('{}')]).toEqual([500, 400]);
  });

  it('that finds more than a megabyte is not passed on: 422', async () => {
    const values = Array.from({ length: 64 }, () => 'a'.repeat(5_000));
    const views = Array.from({ length: 4 }, () => ({ TXT: values }));
    answer = () => Promise.resolve({ hostname, names: { [target]: name(target, views) }, asked: [] });
    expect(await statusOf(fullCheck)).toBe(422);
  });
});

describe('a caller who does not finish', () => {
  const open = () => connect(port(), '127.0.0.1').on('error', () => undefined);

  function ended(socket: Socket): Promise<string> {
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    return new Promise((done) => socket.on('close', () => done(text)));
  }

  it('its headers or its body is sent away, however busy it looks, while others are answered', async () => {
    const [headers, body] = [open(), open()];
    headers.write(`POST /v1/checks HTTP/1.1\r\nHost: b\r\n`);
    drip(headers, 'X: y\r\n', 500);
    body.write(
      `POST /v1/checks HTTP/1.1\r\nHost: b\r\nAuthorization: Bearer ${token}\r\nContent-Length: 1000\r\n\r\n{`,
    );
    drip(body, ' ', 500);
    expect(await statusOf(fullCheck)).toBe(200);
    const [first, second] = await Promise.all([headers, body].map(ended));
    expect([first, second]).toEqual([expect.stringMatching(/^HTTP\/1.1 408 /), expect.stringMatching(/^HTTP\/1.1 4/)]);
    expect(checked).toHaveLength(1);
  });
});
