import { execFileSync } from 'node:child_process';
import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createAccountKey, readAccountKey } from '../../../src/acme/account-key.ts';
import type { AcmeClient } from '../../../src/acme/acme-client.ts';
import { createAcmeClient } from '../../../src/acme/acme-client.ts';
import type { Asked, ScriptedAuthority } from '../../support/scripted-authority.ts';
import { problemText, startScriptedAuthority } from '../../support/scripted-authority.ts';

/** Authorities whose answers are odd, wrong or missing in parts, as some are. */

const key = readAccountKey(createAccountKey());
const hour = 3_600_000;
const token = 'abcdefghijklmnopqrstuvwxyz';

let authority: ScriptedAuthority;
let client: AcmeClient;
let now: number;

beforeAll(async () => {
  authority = await startScriptedAuthority();
});

afterAll(() => authority.stop());

beforeEach(() => {
  now = Date.parse('2026-11-25T00:00:00Z');
  client = createAcmeClient({ server: `${authority.base}/directory`, ca: authority.ca, now: () => now });
});

afterEach(() => client.close());

const url = (path: string) => `${authority.base}/${path}`;
const directory = (more: object = {}): string =>
  JSON.stringify({
    newNonce: url('nonce'),
    newAccount: url('account'),
    newOrder: url('order'),
    revokeCert: url('revoke'),
    renewalInfo: url('renewal'),
    ...more,
  });

type Answer = (response: ServerResponse, request: Asked) => void;
const json =
  (value: unknown, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) =>
    response.writeHead(200, headers).end(typeof value === 'string' ? value : JSON.stringify(value));

/** Answers by path, and with a directory unless that is among them. */
function serve(paths: Readonly<Record<string, Answer>>): void {
  authority.answer((request, response) => {
    const path = request.path.slice(1);
    const answer = paths[path] ?? (path === 'directory' ? json(directory()) : undefined);
    if (answer) answer(response, request);
    else response.writeHead(404).end();
  });
}

const account = () => client.account(key, url('account/1'));
const asksFor = (path: string) => authority.asked.filter((one) => one.path === `/${path}`).length;

describe('the directory', () => {
  it('is read once for all who ask at the same time, and again after an hour', async () => {
    serve({});
    await Promise.all(Array.from({ length: 50 }, () => client.directory()));
    expect(asksFor('directory')).toBe(1);
    now += hour;
    await client.directory();
    expect(asksFor('directory')).toBe(2);
  });

  it('that is known is used where it cannot be read again', async () => {
    serve({});
    const before = await client.directory();
    now += hour;
    serve({ directory: (response) => response.writeHead(503).end() });
    expect(await client.directory()).toEqual(before);
  });

  it('that could not be read is asked for again, by the next who needs it', async () => {
    serve({ directory: (response) => response.writeHead(503).end() });
    await expect(client.directory()).rejects.toMatchObject({ name: 'AcmeUnavailable' });
    serve({});
    expect((await client.directory()).newOrder).toBe(url('order'));
  });

  it('may say nothing of itself', async () => {
    serve({ directory: json(directory({ meta: null, renewalInfo: null })) });
    const { meta } = await client.directory();
    expect(meta).toEqual({ caaIdentities: [], externalAccountRequired: false, profiles: {} });
    expect(await client.renewalWindow('a.b')).toBeNull();
  });

  it.each<[string, () => string]>([
    ['is no JSON', () => '<html>'],
    ['is nothing', () => 'null'],
    ['leads into the clear', () => directory({ newOrder: 'http://authority.example/order' })],
  ])('that %s is unavailable', async (_, text) => {
    serve({ directory: json(text()) });
    await expect(client.directory()).rejects.toMatchObject({ name: 'AcmeUnavailable' });
  });
});

describe('an account', () => {
  it('without a Location is unavailable: nothing could be signed for it', async () => {
    serve({ account: json({ status: 'valid' }) });
    await expect(client.register(key, { email: null, externalAccount: null })).rejects.toMatchObject({
      name: 'AcmeUnavailable',
    });
  });

  it('that was deactivated is refused', async () => {
    serve({ account: json({ status: 'deactivated' }, { location: '/account/1' }) });
    await expect(client.find(key, null)).rejects.toMatchObject({ name: 'AcmeProblem', type: 'unauthorized' });
  });

  it('is looked for with its binding, where there is one', async () => {
    serve({ account: json({ status: 'valid' }, { location: '/account/1' }) });
    const found = await client.find(key, { keyId: 'kid', hmacKey: 'c2VjcmV0' });
    expect(found?.url).toBe(url('account/1'));
    const [{ payload } = { payload: null }] = authority.asked.filter(({ path }) => path === '/account');
    expect(payload).toMatchObject({ onlyReturnExisting: true, externalAccountBinding: expect.any(Object) });
    expect(payload).not.toHaveProperty('contact');
  });
});

describe('an order', () => {
  it.each<[string, object]>([
    ['that is ready may have no authorizations any more', { status: 'ready', authorizations: null }],
    ['may end at a time that nobody can read', { status: 'ready', authorizations: [], expires: 'soon' }],
    ['may have null for what it does not have', { status: 'ready', certificate: null, error: null }],
  ])('%s', async (_, fields) => {
    serve({ 'order/1': json({ finalize: url('finalize'), ...fields }) });
    expect((await account().order(url('order/1'))).value).toMatchObject({ status: 'ready', authorizations: [] });
  });

  it('that failed says why, even without a type', async () => {
    serve({ 'order/1': json({ status: 'invalid', finalize: url('finalize'), error: { detail: 'because' } }) });
    const { value } = await account().order(url('order/1'));
    expect(value.error).toMatchObject({ name: 'AcmeProblem', type: 'about:blank', detail: 'because', status: null });
  });

  it('of a status that there is not is unavailable, with where it is wrong', async () => {
    serve({ 'order/1': json({ status: 'odd', finalize: url('finalize') }) });
    await expect(account().order(url('order/1'))).rejects.toThrow('the order cannot be understood: status');
  });

  it('says how long to wait before the next look', async () => {
    const processing = { status: 'processing', finalize: url('finalize') };
    serve({ 'order/1': json(processing, { 'retry-after': '3' }) });
    expect((await account().order(url('order/1'))).retryAfterMs).toBe(3_000);
  });
});

describe('an authorization', () => {
  const http = { type: 'http-01', url: 'https://authority.example/challenge/1', token };
  const authorization = (challenges: readonly object[]) => ({
    status: 'pending',
    identifier: { type: 'dns', value: 'a.example' },
    challenges,
  });
  const read = async (challenges: readonly object[]) => {
    serve({ 'authorization/1': json(authorization(challenges)) });
    return (await account().authorization(url('authorization/1'))).value.challenges;
  };

  it('keeps of its challenges those that are understood, of whatever form others are', async () => {
    const others = [
      { type: 'dns-persist-01', 'issuer-domain-names': ['a'] },
      { type: 'tls-alpn-01', token: 1 },
    ];
    expect(await read([...others, { ...http, status: 'pending' }])).toEqual([{ ...http, status: 'pending' }]);
  });

  it('may leave out that a challenge is pending', async () => {
    expect(await read([http])).toEqual([{ ...http, status: 'pending' }]);
  });

  it('keeps what failed with its reason, without a type too', async () => {
    const [failed] = await read([{ ...http, status: 'invalid', error: { detail: 'no route' } }]);
    expect(failed?.error).toMatchObject({ type: 'about:blank', detail: 'no route' });
  });

  it.each<[string, object]>([
    ['a token that is a path', { token: '../../../../../../etc/passwd' }],
    ['a token that can be guessed', { token: 'short' }],
    ['a token without end', { token: 'a'.repeat(129) }],
    ['a status that there is not', { status: 'odd' }],
  ])('with %s is unavailable, and not one without a challenge', async (_, wrong) => {
    await expect(read([{ ...http, ...wrong }])).rejects.toMatchObject({ name: 'AcmeUnavailable' });
  });
});

describe('a challenge that is read alone', () => {
  it.each<[string, object, string | null]>([
    ['says why it failed', { type: 'http-01', status: 'invalid', error: { detail: 'no route' } }, 'no route'],
    ['may say nothing', { type: 'http-01', status: 'invalid' }, null],
  ])('%s', async (_, challenge, detail) => {
    serve({ 'challenge/1': json(challenge) });
    expect((await account().challengeError(url('challenge/1')))?.detail ?? null).toBe(detail);
  });
});

describe('chains', () => {
  const selfSigned = (commonName: string): string =>
    execFileSync(
      'openssl',
      `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout /dev/null -subj /CN=${commonName}`.split(
        ' ',
      ),
      { stdio: ['ignore', 'pipe', 'ignore'] },
    ).toString();
  const pem = selfSigned('a');
  const preferred = selfSigned('b');
  /** the same certificate, which ends below another root */
  const longer = `${pem}${preferred}`;
  const links = (count: number) =>
    Array.from({ length: count }, (_, at) => `</alternate/${at}>;rel="alternate"`).join();
  const chain = (preferredChain: string | null) => account().chain(url('certificate'), preferredChain);

  it('below the preferred root are found behind an alternate one that is refused and another that is none', async () => {
    serve({
      certificate: json(pem, { link: links(3) }),
      'alternate/0': (response) => response.writeHead(403).end(problemText('unauthorized')),
      'alternate/1': json('<html>'),
      'alternate/2': json(longer),
    });
    expect(await chain('b')).toBe(longer);
    expect(await chain('c')).toBe(pem);
  });

  it('below the preferred root that are of another certificate, or end in what is none, are left alone', async () => {
    const junk = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
    serve({
      certificate: json(pem, { link: links(2) }),
      'alternate/0': json(preferred),
      'alternate/1': json(`${pem}${junk}`),
    });
    expect(await chain('b')).toBe(pem);
    serve({ certificate: json(`${pem}${junk}`, { link: links(0) }) });
    expect(await chain('b')).toBe(`${pem}${junk}`);
  });

  it.each<[string, string | null]>([
    ['where none is preferred', null],
    ['where its own choice is the preferred one', 'a'],
  ])('cost one request %s', async (_, preferredChain) => {
    serve({ certificate: json(pem, { link: links(1) }), 'alternate/0': json(longer) });
    expect(await chain(preferredChain)).toBe(pem);
    expect(asksFor('alternate/0')).toBe(0);
  });

  it('are asked for four times at most beside the first', async () => {
    const paths = Array.from({ length: 9 }, (_, at) => `alternate/${at}`);
    serve({
      certificate: json(pem, { link: links(9) }),
      ...Object.fromEntries(paths.map((path) => [path, json(pem)])),
    });
    expect(await chain('b')).toBe(pem);
    expect(paths.map(asksFor)).toEqual([1, 1, 1, 1, 0, 0, 0, 0, 0]);
  });

  it.each<[string, string]>([
    ['a page', '<html>'],
    ['nothing', ''],
    ['text before the certificate', `subject=a\n${pem}`],
    ['a private key beside it', `${pem}-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n`],
    ['what only looks like one', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'],
  ])('that are %s are unavailable', async (_, text) => {
    serve({ certificate: json(text) });
    await expect(chain(null)).rejects.toMatchObject({ name: 'AcmeUnavailable' });
  });
});

describe('renewal information', () => {
  it.each<[string, unknown]>([
    ['ends before it begins', { suggestedWindow: { start: '2026-12-02T00:00:00Z', end: '2026-12-01T00:00:00Z' } }],
    ['has no times', { suggestedWindow: { start: 'now', end: 'later' } }],
  ])('whose window %s is unavailable', async (_, value) => {
    serve({ 'renewal/a.b': json(value) });
    await expect(client.renewalWindow('a.b')).rejects.toMatchObject({ name: 'AcmeUnavailable' });
  });

  it('says when to ask again', async () => {
    const suggestedWindow = { start: '2026-12-01T00:00:00.5+01:00', end: '2026-12-02T00:00:00Z' };
    serve({ 'renewal/a.b': json({ suggestedWindow }, { 'retry-after': '21600' }) });
    expect(await client.renewalWindow('a.b')).toEqual({
      value: { start: Date.parse('2026-11-30T23:00:00.5Z'), end: Date.parse('2026-12-02T00:00:00Z') },
      retryAfterMs: 6 * hour,
    });
  });
});
