import { readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:https';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '../../../dev/lib/temporary.ts';
import { createPki } from '../../../dev/platform/pki.ts';
import { createAccountKey, readAccountKey } from '../../../src/acme/account-key.ts';
import type { AcmeHttp } from '../../../src/acme/acme-http.ts';
import { createAcmeHttp } from '../../../src/acme/acme-http.ts';
import type { SignedBody } from '../../../src/acme/signed-body.ts';

/** An authority that answers what a real one answers seldom: each test scripts it. */

type Script = (request: Asked, response: ServerResponse) => void;

interface Asked {
  readonly method: string;
  readonly path: string;
  /** of a signed request */
  readonly nonce: string | undefined;
}

const dir = temporaryFolder('acme-http');
const signer = { key: readAccountKey(createAccountKey()), account: 'https://authority.example/account/1' };
const now = Date.parse('2026-11-25T00:00:00Z');

let server: Server;
let base: string;
let ca: string;
let http: AcmeHttp;
let script: Script;
let asked: Asked[];

const urn = (type: string) => `urn:ietf:params:acme:error:${type}`;
const problem = (type: string, more: object = {}) => JSON.stringify({ type: urn(type), detail: 'because', ...more });

function read(request: IncomingMessage, body: string): Asked {
  const { method = '', url: path = '' } = request;
  if (body === '') return { method, path, nonce: undefined };
  const header = Buffer.from((JSON.parse(body) as SignedBody).protected, 'base64url').toString();
  return { method, path, nonce: (JSON.parse(header) as { nonce: string }).nonce };
}

beforeAll(async () => {
  const pki = createPki(dir);
  const { certFile, keyFile } = pki.issue('authority', { commonName: 'authority', san: 'IP:127.0.0.1' });
  ca = readFileSync(pki.caFile, 'utf8');
  const credentials = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
  server = createServer(credentials, (request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const one = read(request, body);
      asked.push(one);
      script(one, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(dir, { recursive: true, force: true });
});

beforeEach(() => {
  asked = [];
  http = createAcmeHttp({ ca, newNonce: () => Promise.resolve(`${base}/nonce`), now: () => now });
});

afterEach(() => http.close());

/** Answers each request for a nonce with the next number, and everything else by the script. */
function withNonces(answer: Script): Script {
  let next = 0;
  return (request, response) => {
    response.setHeader('replay-nonce', `n${(next += 1)}`);
    if (request.method === 'HEAD') response.end();
    else answer(request, response);
  };
}

const post = () => http.post(`${base}/order`, null, signer);

describe('nonces', () => {
  it('are taken from the answer before, so that only the first request asks for one', async () => {
    script = withNonces((_, response) => response.end('{}'));
    await post();
    await post();
    await post();
    expect(asked.map(({ method, nonce }) => nonce ?? method)).toEqual(['HEAD', 'n1', 'n2', 'n3']);
  });

  it('are never used twice, by requests beside each other either', async () => {
    script = withNonces((_, response) => response.end('{}'));
    await Promise.all(Array.from({ length: 20 }, post));
    await Promise.all(Array.from({ length: 20 }, post));
    const used = asked.flatMap(({ nonce }) => nonce ?? []);
    expect(used).toHaveLength(40);
    expect(new Set(used).size).toBe(40);
  });

  it('that are refused are followed by the one of the refusal, at most three times', async () => {
    let refusals = 3;
    script = withNonces((_, response) => {
      refusals -= 1;
      response.writeHead(refusals < 0 ? 200 : 400).end(refusals < 0 ? '{}' : problem('badNonce'));
    });
    await post();
    expect(asked.map(({ method, nonce }) => nonce ?? method)).toEqual(['HEAD', 'n1', 'n2', 'n3', 'n4']);
    refusals = 4;
    await expect(post()).rejects.toMatchObject({ name: 'AcmeProblem', type: 'badNonce' });
  });

  it('without a nonce to be had a request is not sent', async () => {
    script = (_, response) => response.end('{}');
    await expect(post()).rejects.toMatchObject({ name: 'AcmeUnavailable' });
    expect(asked.map(({ method }) => method)).toEqual(['HEAD']);
  });
});

const answered = (status: number, body: string, headers: Readonly<Record<string, string>> = {}): Script =>
  withNonces((_, response) => response.writeHead(status, headers).end(body));

describe('what is answered', () => {
  it.each<[string, Script, object]>([
    [
      'a rate limit with seconds says how long',
      answered(429, problem('rateLimited'), { 'retry-after': '120' }),
      { name: 'AcmeProblem', type: 'rateLimited', detail: 'because', status: 429, retryAfterMs: 120_000 },
    ],
    [
      'a rate limit with a date says how long',
      answered(429, problem('rateLimited'), { 'retry-after': 'Wed, 25 Nov 2026 01:00:00 GMT' }),
      { type: 'rateLimited', retryAfterMs: 3_600_000 },
    ],
    [
      'a wait of a year is a week, whatever the authority meant',
      answered(503, problem('serverInternal'), { 'retry-after': '31536000' }),
      { type: 'serverInternal', retryAfterMs: 7 * 24 * 3_600_000 },
    ],
    [
      'a wait that is none is no wait',
      answered(429, problem('rateLimited'), { 'retry-after': 'soon' }),
      { type: 'rateLimited', retryAfterMs: null },
    ],
    [
      'subproblems say which name they are about',
      answered(
        400,
        problem('malformed', {
          subproblems: [
            { type: urn('caa'), detail: 'no', identifier: { type: 'dns', value: 'a.example' } },
            { type: urn('dns') },
          ],
        }),
      ),
      {
        subproblems: [
          { type: 'caa', detail: 'no', identifier: 'a.example' },
          { type: 'dns', detail: '', identifier: null },
        ],
      },
    ],
    [
      'a type of another authority stays as it is',
      answered(400, JSON.stringify({ type: 'https://authority.example/errors/odd', detail: 'odd' })),
      { name: 'AcmeProblem', type: 'https://authority.example/errors/odd' },
    ],
    [
      'a long detail is cut, as it stands in a status later',
      answered(400, problem('malformed', { detail: 'x'.repeat(10_000) })),
      { detail: 'x'.repeat(500) },
    ],
    ['a page of a proxy is no problem of the authority', answered(502, '<html>'), { name: 'AcmeUnavailable' }],
    ['JSON of something else is none either', answered(500, '{"error":"no"}'), { name: 'AcmeUnavailable' }],
    [
      'a redirect is not followed',
      answered(302, '', { location: 'https://elsewhere.example/' }),
      { name: 'AcmeUnavailable' },
    ],
    ['an answer that is too long is not kept', answered(200, 'x'.repeat(300_000)), { name: 'AcmeUnavailable' }],
    [
      'a connection that ends in the middle is unavailable',
      withNonces((_, response) => {
        response.writeHead(200, { 'content-length': '100' }).write('half');
        setTimeout(() => response.destroy(), 20);
      }),
      { name: 'AcmeUnavailable' },
    ],
    [
      'a connection that is reset is unavailable',
      withNonces((_, response) => void response.socket?.destroy()),
      { name: 'AcmeUnavailable' },
    ],
  ])('%s', async (_, answer, expected) => {
    script = answer;
    await expect(post()).rejects.toMatchObject(expected);
  });

  it('links to alternate chains are found among others, in one header or several', async () => {
    script = withNonces((_, response) => {
      response.setHeader('link', [
        '<https://a.example/dir>;rel="index", <https://a.example/1>;rel="alternate"',
        '<https://a.example/2,3>; title="x"; rel=alternate',
      ]);
      response.end('');
    });
    expect((await post()).alternates).toEqual(['https://a.example/1', 'https://a.example/2,3']);
  });

  it('a certificate that nobody vouches for is unavailable, and nothing is sent', async () => {
    const doubting = createAcmeHttp({ ca: null, newNonce: () => Promise.resolve(`${base}/nonce`), now: () => now });
    await expect(doubting.get(`${base}/directory`)).rejects.toMatchObject({ name: 'AcmeUnavailable' });
    await doubting.close();
    expect(asked).toEqual([]);
  });

  it('nothing is asked in the clear', async () => {
    await expect(http.get(base.replace('https', 'http'))).rejects.toMatchObject({ name: 'AcmeUnavailable' });
    expect(asked).toEqual([]);
  });
});
