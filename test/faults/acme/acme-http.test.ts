import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../../dev/lib/eventually.ts';
import { createAccountKey, readAccountKey } from '../../../src/acme/account-key.ts';
import type { AcmeHttp } from '../../../src/acme/acme-http.ts';
import { createAcmeHttp } from '../../../src/acme/acme-http.ts';
import type { AuthorityScript, ScriptedAuthority } from '../../support/scripted-authority.ts';
import { problemText, startScriptedAuthority } from '../../support/scripted-authority.ts';

/** Requests to an authority that answers what a real one answers seldom: each test scripts it. */

const signer = { key: readAccountKey(createAccountKey()), account: 'https://authority.example/account/1' };
const now = Date.parse('2026-11-25T00:00:00Z');
const patientMs = 10_000;
const atATime = 16;
const keptNonces = 32;

let authority: ScriptedAuthority;
let http: AcmeHttp;

beforeAll(async () => {
  authority = await startScriptedAuthority();
});

afterAll(() => authority.stop());

const connectTo = (options: { readonly ca?: null; readonly deadlineMs?: number } = {}): AcmeHttp =>
  createAcmeHttp({
    ca: authority.ca,
    newNonce: () => Promise.resolve(`${authority.base}/nonce`),
    now: () => now,
    deadlineMs: patientMs,
    ...options,
  });

beforeEach(() => {
  http = connectTo();
});

afterEach(() => http.close());

const post = (by = http) => by.post(`${authority.base}/order`, null, signer);
const noncesOrMethods = () => authority.asked.map(({ method, nonce }) => nonce ?? method);
const manyTimes = (count: number) => Promise.all(Array.from({ length: count }, () => post()));

describe('nonces', () => {
  it('are taken from the answer before, so that only the first request asks for one', async () => {
    authority.answer((_, response) => response.end('{}'));
    await post();
    await post();
    await post();
    expect(noncesOrMethods()).toEqual(['HEAD', 'n1', 'n2', 'n3']);
  });

  it('are never used twice, by requests beside each other either', async () => {
    authority.answer((_, response) => response.end('{}'));
    await manyTimes(40);
    await manyTimes(40);
    const used = authority.asked.flatMap(({ nonce }) => nonce ?? []);
    expect(used).toHaveLength(80);
    expect(new Set(used).size).toBe(80);
  });

  it('are asked for by no more requests than run at a time, however many wait', async () => {
    authority.answer((_, response) => response.end('{}'));
    await manyTimes(200);
    expect(noncesOrMethods().filter((one) => one === 'HEAD').length).toBeLessThanOrEqual(atATime);
  });

  it('that are refused are followed by the one of the refusal, whatever else is kept, three times at most', async () => {
    authority.answer((_, response) => response.end('{}'));
    await manyTimes(keptNonces);
    let refusals = 3;
    authority.answer((_, response) => {
      refusals -= 1;
      response.writeHead(refusals < 0 ? 200 : 400).end(refusals < 0 ? '{}' : problemText('badNonce'));
    });
    await post();
    expect(noncesOrMethods().slice(1)).toEqual(['n1', 'n2', 'n3']);
    refusals = 4;
    await expect(post()).rejects.toMatchObject({ name: 'AcmeUnavailable' });
  });

  it('that are refused without another one are followed by a new one, as all that are kept are as old', async () => {
    let refusals = 0;
    authority.answerAll(({ method }, response) => {
      if (method === 'HEAD') response.setHeader('replay-nonce', `n${(refusals += 1)}`).end();
      else response.writeHead(refusals < 3 ? 400 : 200).end(refusals < 3 ? problemText('badNonce') : '{}');
    });
    await post();
    expect(noncesOrMethods()).toEqual(['HEAD', 'n1', 'HEAD', 'n2', 'HEAD', 'n3']);
  });

  it.each<[string, AuthorityScript, object]>([
    ['that are not in the answer', (_, response) => response.end(), { name: 'AcmeUnavailable', retryAfterMs: null }],
    [
      'that are refused for a while',
      (_, response) => response.writeHead(429, { 'retry-after': '7' }).end(),
      { name: 'AcmeUnavailable', retryAfterMs: 7_000 },
    ],
  ])('%s keep a request from being sent', async (_, script, expected) => {
    authority.answerAll(script);
    await expect(post()).rejects.toMatchObject(expected);
    expect(noncesOrMethods()).toEqual(['HEAD']);
  });
});

const answered =
  (status: number, body: string, headers: Readonly<Record<string, string>> = {}): AuthorityScript =>
  (_, response) =>
    response.writeHead(status, headers).end(body);

it('what cannot be sent to, with a nonce or not, is unavailable: nothing was asked about there', async () => {
  authority.answer(answered(404, ''));
  await expect(http.post(`${authority.base}/new-order`, {}, signer)).rejects.toMatchObject({ name: 'AcmeUnavailable' });
});

const long = 'x'.repeat(10_000);
const kept = 'x'.repeat(500);

describe('what is answered', () => {
  it.each<[string, AuthorityScript, object]>([
    [
      'a rate limit with seconds says how long',
      answered(429, problemText('rateLimited'), { 'retry-after': '120' }),
      { name: 'AcmeProblem', type: 'rateLimited', detail: 'because', status: 429, retryAfterMs: 120_000 },
    ],
    [
      'a rate limit with a date says how long',
      answered(429, problemText('rateLimited'), { 'retry-after': 'Wed, 25 Nov 2026 01:00:00 GMT' }),
      { type: 'rateLimited', retryAfterMs: 3_600_000 },
    ],
    [
      'a Retry-After of a year is a week, whatever the authority meant',
      answered(503, problemText('serverInternal'), { 'retry-after': '31536000' }),
      { type: 'serverInternal', retryAfterMs: 7 * 24 * 3_600_000 },
    ],
    ...['soon', '1.5', '-5'].map((value): [string, AuthorityScript, object] => [
      `a Retry-After that cannot be read is ignored: ${value}`,
      answered(429, problemText('rateLimited'), { 'retry-after': value }),
      { type: 'rateLimited', retryAfterMs: null },
    ]),
    [
      'subproblems say which name they are about',
      answered(
        400,
        problemText('malformed', {
          subproblems: [
            { type: 'urn:ietf:params:acme:error:caa', detail: 'no', identifier: { type: 'dns', value: 'a.example' } },
            { type: 'urn:ietf:params:acme:error:dns' },
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
      'a problem without a type is one',
      answered(403, JSON.stringify({ detail: 'no', status: 403 })),
      { name: 'AcmeProblem', type: 'about:blank', detail: 'no' },
    ],
    [
      'long texts are cut, as they may stand in a status later',
      answered(
        400,
        JSON.stringify({ type: long, detail: long, subproblems: [{ detail: long, identifier: { value: long } }] }),
      ),
      { type: kept, detail: kept, subproblems: [{ type: 'about:blank', detail: kept, identifier: kept }] },
    ],
    [
      'a page of a proxy is no problem of the authority, and says how long to wait',
      answered(429, '<html>', { 'retry-after': '30' }),
      { name: 'AcmeUnavailable', retryAfterMs: 30_000 },
    ],
    [
      'that something is not there is the word of the authority where a nonce comes with it',
      answered(404, ''),
      { name: 'AcmeProblem', type: 'about:blank', status: 404 },
    ],
    [
      'the same without a nonce is that of a proxy, in front of an authority that is away',
      (_, response) => {
        response.removeHeader('replay-nonce');
        response.writeHead(404).end('404 page not found');
      },
      { name: 'AcmeUnavailable' },
    ],
    ['JSON of something else is none either', answered(500, '{"error":"no"}'), { name: 'AcmeUnavailable' }],
    ['an answer that is too long is not kept', answered(200, 'x'.repeat(300_000)), { name: 'AcmeUnavailable' }],
    [
      'a connection that ends in the middle is unavailable',
      (_, response) => {
        response.writeHead(200, { 'content-length': '100' }).write('half', () => response.destroy());
      },
      { name: 'AcmeUnavailable' },
    ],
    [
      'a connection that is reset is unavailable',
      (_, response) => void response.socket?.destroy(),
      { name: 'AcmeUnavailable' },
    ],
    [
      'a reference to something that is not https is not followed',
      answered(201, '{}', { location: 'http://authority.example/order/1' }),
      { name: 'AcmeUnavailable' },
    ],
  ])('%s', async (_, script, expected) => {
    authority.answer(script);
    await expect(post()).rejects.toMatchObject(expected);
  });

  it('a redirect is not followed', async () => {
    authority.answer(answered(302, '', { location: `${authority.base}/elsewhere` }));
    await expect(post()).rejects.toMatchObject({ name: 'AcmeUnavailable' });
    expect(authority.asked.map(({ path }) => path)).toEqual(['/nonce', '/order']);
  });

  it('links to alternate chains are found among others, in one header or several, relative ones too', async () => {
    authority.answer((_, response) => {
      response.setHeader('link', [
        '<https://a.example/dir>;rel="index", <https://a.example/1>;rel="alternate"',
        '</2,3>; title="x"; rel=alternate',
      ]);
      response.setHeader('location', '/order/1').end('');
    });
    const { alternates, location } = await post();
    expect(alternates).toEqual(['https://a.example/1', `${authority.base}/2,3`]);
    expect(location).toBe(`${authority.base}/order/1`);
  });
});

describe('a call ends in its time', () => {
  const hurried = { deadlineMs: 300 };

  it.each<[string, AuthorityScript]>([
    ['where no answer begins', () => undefined],
    ['where an answer does not go on', (_, response) => void response.writeHead(200).write('{')],
  ])(
    '%s',
    async (_, script) => {
      authority.answer(script);
      const impatient = connectTo(hurried);
      await expect(post(impatient)).rejects.toMatchObject({ name: 'AcmeUnavailable' });
      await impatient.close();
    },
    patientMs,
  );

  it(
    'also while it waits for its turn, and then is not sent at all',
    async () => {
      authority.answer(() => undefined);
      const impatient = connectTo(hurried);
      const calls = Array.from({ length: 3 * atATime }, () => impatient.get(`${authority.base}/directory`));
      for (const call of calls) await expect(call).rejects.toMatchObject({ name: 'AcmeUnavailable' });
      expect(authority.asked.length).toBeLessThanOrEqual(atATime);
      authority.answer((_, response) => response.end('{}'));
      // On a busy machine one of them may come too late.
      await eventually('there are turns again', 5_000, () => post(impatient));
      await impatient.close();
    },
    patientMs,
  );
});

describe('trust', () => {
  it('an authority that nobody vouches for is unavailable, and asked nothing', async () => {
    authority.answer((_, response) => response.end('{}'));
    const doubting = connectTo({ ca: null });
    await expect(doubting.get(`${authority.base}/directory`)).rejects.toMatchObject({ name: 'AcmeUnavailable' });
    await doubting.close();
    expect(authority.asked).toEqual([]);
  });

  it('nothing is asked in the clear: no connection is opened', async () => {
    let connections = 0;
    const clear = createServer((socket) => {
      connections += 1;
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
    });
    await new Promise<void>((resolve) => clear.listen(0, '127.0.0.1', resolve));
    const { port } = clear.address() as AddressInfo;
    await expect(http.get(`http://127.0.0.1:${port}/directory`)).rejects.toMatchObject({ name: 'AcmeUnavailable' });
    clear.close();
    expect(connections).toBe(0);
  });
});

describe('a request that may only be sent before a time', () => {
  it('is sent until then', async () => {
    authority.answer((_, response) => response.end('{}'));
    await http.post(`${authority.base}/order`, {}, { ...signer, before: now });
    expect(authority.asked.map(({ method }) => method)).toEqual(['HEAD', 'POST']);
  });

  it('is not sent after it, as where its turn came late', async () => {
    authority.answer((_, response) => response.end('{}'));
    const late = http.post(`${authority.base}/order`, {}, { ...signer, before: now - 1 });
    await expect(late).rejects.toMatchObject({ name: 'AcmeUnavailable', message: expect.stringContaining('too late') });
    expect(authority.asked).toEqual([]);
  });
});
