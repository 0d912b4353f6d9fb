import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import { TransportError } from '../../../src/kubernetes/kubernetes-errors.ts';
import type { InMemoryApi } from '../../support/in-memory-api.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';
import type { Keyed, KeyedAnswer, KeyedServer } from '../../support/keyed-server.ts';
import { endLeases, startKeyedServer } from '../../support/keyed-server.ts';
import type { TestRedis } from '../../support/redis.ts';
import { startRedis } from '../../support/redis.ts';

/** Requests with an idempotency key over HTTP, by a real Redis: raced, cut off, repeated, taken up by another process. One effect each. */

let redis: TestRedis;
let memory: InMemoryApi;
let apiKey: string;
let one: KeyedServer;
let other: KeyedServer;
let send: Keyed;
let sendToOther: Keyed;

beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

beforeEach(async () => {
  memory = createInMemoryApi();
  apiKey = memory.account('acme', 'enterprise');
  one = await startKeyedServer(memory, redis.url);
  other = await startKeyedServer(memory, redis.url);
  await one.redis.flushall();
  send = one.by(apiKey);
  sendToOther = other.by(apiKey);
});
afterEach(async () => {
  await Promise.all([one.stop(), other.stop()]);
  memory.stop();
});

const www = '/v1/projects/shop/domains/www.example.com';
const links = `${www}/handover-links`;

interface Making {
  readonly path: string;
  readonly body: unknown;
  /** what there is of its kind */
  readonly made: () => Promise<readonly string[]>;
  /** what else is there first */
  readonly given?: () => void;
}

const namesIn = (store: 'apiKeys' | 'projects' | 'domains') => () =>
  Promise.resolve(memory.stores[store].list().map(({ metadata }) => metadata.name));

const makings: readonly (readonly [string, Making])[] = [
  ['an API key', { path: '/v1/keys', body: { name: 'ci', scopes: ['domains:read'] }, made: namesIn('apiKeys') }],
  [
    'a project',
    { path: '/v1/projects', body: { name: 'blog', service: { name: 'web', port: 80 } }, made: namesIn('projects') },
  ],
  ['a domain', { path: '/v1/projects/shop/domains', body: { hostname: 'www.example.com' }, made: namesIn('domains') }],
  [
    'a hand-over link',
    {
      path: links,
      body: { from: 'Ada' },
      made: async () => ((await send(links, { method: 'GET' })).body.items as { id: string }[]).map(({ id }) => id),
      given: () => memory.domain('acme', 'www.example.com'),
    },
  ],
];

const isReplayed = ({ headers }: KeyedAnswer): boolean => headers.get('idempotency-replayed') === 'true';

/** Calls `then` whenever something has been made, before whoever made it knows. */
function whenMade(then: () => unknown): void {
  const { cluster, handoverLinks } = memory;
  const [create, createLink] = [cluster.create.bind(cluster), handoverLinks.create.bind(handoverLinks)];
  Object.assign(cluster, {
    async create(...asked: Parameters<typeof create>) {
      const made = await create(...asked);
      then();
      return made;
    },
  });
  Object.assign(handoverLinks, {
    async create(...asked: Parameters<typeof createLink>) {
      const made = await createLink(...asked);
      then();
      return made;
    },
  });
}

describe.each(makings)('a request for %s', (_, { path, body, made, given }) => {
  beforeEach(() => given?.());

  it('is done once where it is made a thousand times at once, of two servers', async () => {
    const before = await made();
    const tries = Array.from({ length: 1_000 }, (_one, at) => (at % 2 ? send : sendToOther)(path, { body, key: 'k' }));
    const answers = await Promise.all(tries);
    const done = answers.filter(({ status }) => status === 201);
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    expect(done.filter((answer) => !isReplayed(answer))).toHaveLength(1);
    const waiting = answers.filter(({ status }) => status !== 201);
    for (const { status, body: problem, headers } of waiting) {
      expect([status, problem.code]).toEqual([409, 'idempotency-key-in-use']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
    expect(await made()).toHaveLength(before.length + 1);
    const again = await sendToOther(path, { body, key: '"k"' });
    expect([again.status, again.text, isReplayed(again)]).toEqual([201, done[0]?.text, true]);
    expect(again.headers.get('location')).toBe(done[0]?.headers.get('location') ?? null);
    expect(await made()).toHaveLength(before.length + 1);
  });

  it('is done once where its process is killed as soon as it has done it', async () => {
    let isKilled = false;
    whenMade(() => {
      if (!isKilled) void one.stop();
      isKilled = true;
    });
    await expect(send(path, { body, key: 'k' })).rejects.toThrow();
    send = sendToOther;
    const after = await made();
    const early = await send(path, { body, key: 'k' });
    expect([early.status, early.body.code]).toEqual([409, 'idempotency-key-in-use']);
    await endLeases(other.redis, 'acme');
    const answer = await send(path, { body, key: 'k' });
    expect([200, 201]).toContain(answer.status);
    expect(await made()).toEqual(after);
    const again = await send(path, { body, key: 'k' });
    expect([again.status, again.text, isReplayed(again)]).toEqual([answer.status, answer.text, true]);
  });

  it('is done once where the answer to what it had done was lost on the way to its process', async () => {
    let isLost = false;
    whenMade(() => {
      if (isLost) return;
      isLost = true;
      throw new TransportError('the connection ended');
    });
    const failed = await send(path, { body, key: 'k' });
    expect([failed.status, failed.body.code]).toEqual([503, 'cluster-unavailable']);
    const after = await made();
    const answer = await sendToOther(path, { body, key: 'k' });
    expect([200, 201]).toContain(answer.status);
    expect(isReplayed(answer)).toBe(false);
    expect(await made()).toEqual(after);
  });

  it('is done once where its client is gone before it is answered, and is answered to whoever asks again', async () => {
    const gone = new AbortController();
    whenMade(() => gone.abort());
    const cut = one.by(apiKey, gone.signal);
    await expect(cut(path, { body, key: 'k' })).rejects.toThrow();
    const after = await made();
    const answer = await eventually('the first one has ended', 10_000, async () => {
      const asked = await send(path, { body, key: 'k' });
      expectThat(asked.status !== 409, 'not yet');
      return asked;
    });
    expect([answer.status, isReplayed(answer)]).toEqual([201, true]);
    expect(await made()).toEqual(after);
  });
});

describe('a key that was made while its process was killed', () => {
  it('is the one that is told to whoever repeats the request, and it works', async () => {
    const call = { body: { scopes: ['domains:read'] }, key: 'k' };
    whenMade(() => void one.stop());
    await expect(send('/v1/keys', call)).rejects.toThrow();
    await endLeases(other.redis, 'acme');
    const { status, body } = await sendToOther('/v1/keys', call);
    expect(status).toBe(201);
    expect(memory.stores.apiKeys.list()).toHaveLength(2);
    const account = await other.by(String(body.key))('/v1/account', { method: 'GET' });
    expect(account.body.name).toBe('acme');
  });

  it('is found though the account has no room for another', async () => {
    const call = { body: { scopes: ['domains:read'] }, key: 'k' };
    whenMade(() => {
      throw new TransportError('the connection ended');
    });
    memory.put({ ...memory.stores.accounts.list()[0], spec: { plan: 'free', id: 'id-of-acme' } });
    for (let keys = 2; keys < 5; keys += 1) memory.key('acme', ['domains:read']);
    expect((await send('/v1/keys', call)).status).toBe(503);
    expect((await send('/v1/keys', call)).status).toBe(201);
    expect((await send('/v1/keys', { ...call, key: 'other' })).body.code).toBe('key-cap-reached');
  });
});
