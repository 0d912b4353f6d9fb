import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { keptSeconds, shares } from '../../../src/server/idempotency/kept-answers-port.ts';
import type { InMemoryApi } from '../../support/in-memory-api.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';
import type { Keyed, KeyedAnswer, KeyedServer } from '../../support/keyed-server.ts';
import { recordsOf, startKeyedServer } from '../../support/keyed-server.ts';
import type { TestRedis } from '../../support/redis.ts';
import { startRedis } from '../../support/redis.ts';

/** What is kept of requests with an idempotency key, in a real Redis that others read, write, fill, freeze, kill and empty. */

let redis: TestRedis;
let memory: InMemoryApi;
let apiKey: string;
let api: KeyedServer;
let send: Keyed;

beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

beforeEach(async () => {
  memory = createInMemoryApi();
  apiKey = memory.account('acme', 'enterprise');
  api = await startKeyedServer(memory, redis.url);
  await api.redis.flushall();
  send = api.by(apiKey);
});
afterEach(async () => {
  await api.stop();
  memory.stop();
});

const service = { name: 'web', port: 80 };
const domains = '/v1/projects/shop/domains';
const add = (hostname: string, key: string) => send(domains, { body: { hostname }, key });
const makeKey = (key?: string, by: Keyed = send) =>
  by('/v1/keys', { body: { scopes: ['domains:read'] }, ...(key === undefined ? {} : { key }) });
const isReplayed = ({ headers }: KeyedAnswer): boolean => headers.get('idempotency-replayed') === 'true';
const short = ({ status, body }: KeyedAnswer) => [status, body.code];
const keys = () => memory.stores.apiKeys.list().length;

describe('the same key', () => {
  it.each<[string, () => Promise<KeyedAnswer>]>([
    ['another body', () => send('/v1/projects', { body: { name: 'two', service }, key: 'k' })],
    ['another call', () => send(domains, { body: { hostname: 'www.example.com' }, key: 'k' })],
    ['another method', () => send('/v1/projects/shop', { method: 'PATCH', body: {}, key: 'k' })],
  ])('with %s is refused, and nothing is done', async (_, ask) => {
    await send('/v1/projects', { body: { name: 'one', service }, key: 'k' });
    const written = memory.cluster.written.length;
    expect(short(await ask())).toEqual([422, 'idempotency-key-reused']);
    expect(memory.cluster.written).toHaveLength(written);
  });

  it.each<[string, () => Promise<KeyedAnswer>, number]>([
    ['a dry run', () => send(`${domains}?dryRun=true`, { body: { hostname: 'a.example.com' }, key: 'k' }), 200],
    ['what only reads', () => send('/v1/projects', { method: 'GET', key: 'k' }), 200],
    ['what removes', () => send('/v1/projects/one', { method: 'DELETE', key: 'k' }), 204],
  ])('is ignored by %s', async (_, ask, status) => {
    await send('/v1/projects', { body: { name: 'one', service }, key: 'k' });
    const answer = await ask();
    expect([answer.status, isReplayed(answer)]).toEqual([status, false]);
  });

  it.each<[string, () => { readonly account: string; readonly by: Keyed }]>([
    ['another account', () => ({ account: 'rival', by: api.by(memory.account('rival', 'enterprise')) })],
    ['another API key of the account', () => ({ account: 'acme', by: api.by(memory.key('acme', ['domains:write'])) })],
  ])('of %s is another key', async (_, whose) => {
    const mine = await send('/v1/projects', { body: { name: 'one', service }, key: 'k' });
    const { account, by } = whose();
    const theirs = await by('/v1/projects', { body: { name: 'two', service }, key: 'k' });
    expect([mine.status, theirs.status, isReplayed(theirs)]).toEqual([201, 201, false]);
    expect(theirs.body.name).toBe('two');
    expect(memory.stores.projects.get({ namespace: account, name: 'two' })).toBeDefined();
  });

  it('is free again where the request was refused, and not where it failed', async () => {
    const project = (name: string) => send('/v1/projects', { body: { name, service, subdomain: 'www' }, key: 'k' });
    expect(short(await project('one'))).toEqual([409, 'subdomain-reserved']);
    expect(short(await project('two'))).toEqual([409, 'subdomain-reserved']);
    memory.cluster.refuseNext(1);
    const other = (name: string) => send('/v1/projects', { body: { name, service }, key: 'k' });
    expect(short(await other('one'))).toEqual([503, 'cluster-unavailable']);
    expect(short(await other('two'))).toEqual([422, 'idempotency-key-reused']);
    const done = await other('one');
    expect([done.status, isReplayed(done)]).toEqual([201, false]);
  });

  it('gets the first answer with headers of its own', async () => {
    const first = await add('www.example.com', 'k');
    const second = await add('www.example.com', 'k');
    expect([second.status, second.text]).toEqual([201, first.text]);
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
    expect(second.headers.get('x-ratelimit-limit')).not.toBeNull();
    expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'));
  });

  it('gets the first answer of a change under a condition, though that is no longer met', async () => {
    const { headers } = await send('/v1/projects/shop', { method: 'GET' });
    const tag = headers.get('etag') ?? '';
    const change = (key: string, ifMatch = tag) =>
      send('/v1/projects/shop', { method: 'PATCH', body: { service: { name: 'new', port: 81 } }, key, ifMatch });
    const [first, again] = [await change('k'), await change('k')];
    expect([first.status, again.status, again.text, isReplayed(again)]).toEqual([200, 200, first.text, true]);
    expect(short(await change('other'))).toEqual([412, 'precondition-failed']);
    expect(short(await change('k', '*'))).toEqual([422, 'idempotency-key-reused']);
  });

  it('that is none is refused before anything is done', async () => {
    expect(short(await makeKey('a b'))).toEqual([400, 'malformed-request']);
    expect(keys()).toBe(1);
  });
});

describe('Redis', () => {
  it('is asked nothing for a request without the header, and twice for one with it', async () => {
    const commands = async () => Number(/total_commands_processed:(\d+)/.exec(await api.redis.info('stats'))?.[1]);
    await makeKey('warm');
    const before = await commands();
    await makeKey();
    await send('/v1/projects', { method: 'GET', key: 'k' });
    expect(await commands()).toBe(before + 1);
    await makeKey('k');
    const scripts = async () => /cmdstat_evalsha:calls=(\d+)/.exec(await api.redis.info('commandstats'))?.[1];
    const asked = Number(await scripts());
    await makeKey('k2');
    expect(Number(await scripts())).toBe(asked + 2);
  });

  it('tells whoever reads it neither key, request nor answer', async () => {
    const made = await makeKey('an-idempotency-key');
    await send('/v1/projects', { body: { name: 'very-secret-project', service }, key: 'an-idempotency-key' });
    const names = await api.redis.keys('*');
    const hashes = await Promise.all(
      names.filter((name) => !name.endsWith(':ends')).map((name) => api.redis.hgetallBuffer(name)),
    );
    const everything = [
      ...names,
      ...hashes.flatMap((hash) =>
        Object.entries(hash).flatMap(([place, record]) => [place, record.toString('latin1')]),
      ),
    ].join('\n');
    expect(hashes).toHaveLength(2);
    const secrets = [apiKey, String(made.body.key), String(made.body.id), 'very-secret-project', 'an-idempotency-key'];
    for (const secret of [...secrets, ...secrets.map((text) => text.slice(-20))])
      expect(everything).not.toContain(secret);
  });

  it('keeps a record for 24 hours and no longer', async () => {
    await makeKey('k');
    await makeKey('k2');
    const records = recordsOf('acme', 'by-record');
    for (const name of [records, `${records}:ends`]) {
      const seconds = await api.redis.ttl(name);
      expect(seconds).toBeGreaterThan(keptSeconds - 60);
      expect(seconds).toBeLessThanOrEqual(keptSeconds);
    }
    const [place = ''] = await api.redis.zrange(`${records}:ends`, '0', '0');
    await api.redis.zincrby(`${records}:ends`, -keptSeconds * 1_000, place);
    const again = await makeKey('k');
    expect([again.status, isReplayed(again)]).toEqual([201, false]);
    expect(isReplayed(await makeKey('k2'))).toBe(true);
  });
});

/** The bytes that a hash says it has, and those that it has. */
async function bytesOf(records: string): Promise<readonly [number, number]> {
  const { bytes, ...all } = await api.redis.hgetallBuffer(records);
  return [Number(String(bytes)), Object.values(all).reduce((sum, record) => sum + record.length, 0)];
}

describe('an account', () => {
  it('has its oldest records of what is found by name go, by their number and by their bytes', async () => {
    const records = recordsOf('acme', 'by-name');
    const verify = (key: string) => send(`${domains}/www.example.com/verify`, { key });
    memory.domain('acme', 'www.example.com');
    const most = shares['by-name'];
    const sent = Array.from({ length: most.records + 20 }, (_, at) => `k${at}`);
    for (let from = 0; from < sent.length; from += 20) await Promise.all(sent.slice(from, from + 20).map(verify));
    const count = await api.redis.zcard(`${records}:ends`);
    expect(count).toBeLessThanOrEqual(most.records);
    expect(await api.redis.hlen(records)).toBe(count + 1);
    const [told, are] = await bytesOf(records);
    expect(told).toBe(are);
    expect(told).toBeLessThanOrEqual(most.bytes ?? 0);
    expect(isReplayed(await verify(sent.at(-1) ?? ''))).toBe(true);
    const oldest = await verify('k0');
    expect([oldest.status, isReplayed(oldest)]).toEqual([202, false]);
  });

  it('is refused one more of what only its record tells of, and nothing is made', async () => {
    const records = recordsOf('acme', 'by-record');
    await makeKey('k');
    const [place = ''] = await api.redis.zrange(`${records}:ends`, '0', '0');
    const [ends = '0'] = (await api.redis.zrange(`${records}:ends`, '0', '0', 'WITHSCORES')).slice(1);
    for (let at = 1; at < shares['by-record'].records; at += 1)
      await api.redis.zadd(`${records}:ends`, Number(ends) + at, `p${at}`);
    const before = keys();
    const refused = await makeKey('one-more');
    expect(short(refused)).toEqual([429, 'too-many-idempotency-keys']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(keptSeconds - 60);
    expect(keys()).toBe(before);
    expect(isReplayed(await makeKey('k'))).toBe(true);
    expect((await makeKey()).status).toBe(201);
    expect((await add('www.example.com', 'k')).status).toBe(201);
    expect((await makeKey('k', api.by(memory.account('rival', 'enterprise')))).status).toBe(201);
    await api.redis.zadd(`${records}:ends`, 1, place);
    expect((await makeKey('one-more')).status).toBe(201);
  });

  it('has no record of an answer that is too large, which is done again', async () => {
    const long = (label: string) => `${label}.${'s'.repeat(60)}.${'t'.repeat(60)}.${'u'.repeat(60)}.example.com`;
    const redirects = Array.from({ length: 190 }, (_, index) => ({ from: long(`r${index}`) }));
    const config = { primary: long('www'), redirects };
    const put = () => send('/v1/projects/shop/domain-config', { method: 'PUT', body: config, key: 'k' });
    const [first, second] = [await put(), await put()];
    expect(first.text.length).toBeGreaterThan(shares['by-name'].answerBytes);
    expect([first.status, second.status, isReplayed(second)]).toEqual([200, 200, false]);
    const other = { ...config, redirects: [] };
    const reused = await send('/v1/projects/shop/domain-config', { method: 'PUT', body: other, key: 'k' });
    expect(short(reused)).toEqual([422, 'idempotency-key-reused']);
  });
});

describe('whoever writes to Redis', () => {
  const flip = (record: Buffer, at: number) => {
    record[at] = (record[at] ?? 0) ^ 1;
    return record;
  };
  const mark = 32;
  const answer = 80;

  it.each<[string, (record: Buffer) => Buffer]>([
    ['changes which request it was', (record) => flip(record, mark)],
    ['changes what was drawn under it', (record) => flip(record, mark + 20)],
    ['changes the MAC of its mark', (record) => flip(record, mark + 40)],
    ['changes the answer', (record) => flip(record, answer + 40)],
    ['cuts the answer', (record) => record.subarray(0, -1)],
    ['leaves hardly anything of the answer', (record) => record.subarray(0, answer + 5)],
    ['cuts the record', (record) => record.subarray(0, 40)],
    ['empties the record', () => Buffer.alloc(0)],
  ])('has nothing of it answered where he %s, and is counted', async (_, change) => {
    await add('www.example.com', 'k');
    await makeKey('k');
    for (const idempotency of ['by-name', 'by-record'] as const) {
      const records = recordsOf('acme', idempotency);
      const [place = ''] = await api.redis.zrange(`${records}:ends`, '0', '0');
      const record = await api.redis.hgetBuffer(records, place);
      await api.redis.hset(records, place, change(record ?? Buffer.alloc(0)));
    }
    const before = keys();
    const added = await add('www.example.com', 'k');
    expect([added.status, isReplayed(added)]).toEqual([200, false]);
    expect(short(await makeKey('k'))).toEqual([503, 'idempotency-unavailable']);
    expect(keys()).toBe(before);
    expect(api.forged()).toBe(2);
  });

  it('has no answer given to another key by moving it there', async () => {
    await makeKey('k');
    const records = recordsOf('acme', 'by-record');
    const [first = ''] = await api.redis.zrange(`${records}:ends`, '0', '0');
    await makeKey('other');
    const [second = ''] = (await api.redis.zrange(`${records}:ends`, '0', '-1')).filter((place) => place !== first);
    await api.redis.hset(records, second, (await api.redis.hgetBuffer(records, first)) ?? '');
    expect(short(await makeKey('other'))).toEqual([503, 'idempotency-unavailable']);
    expect(api.forged()).toBe(1);
  });
});

describe('while Redis is away', () => {
  const unavailable = [503, 'idempotency-unavailable'];

  async function expectByNameAlone(): Promise<void> {
    const before = keys();
    const refused = await makeKey('away');
    expect(short(refused)).toEqual(unavailable);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    memory.domain('acme', 'there.example.com');
    expect(short(await send(`${domains}/there.example.com/handover-links`, { body: {}, key: 'away' }))).toEqual(
      unavailable,
    );
    expect(keys()).toBe(before);
    const project = () => send('/v1/projects', { body: { name: 'away', service }, key: 'away' });
    expect([(await project()).status, (await project()).status]).toEqual([201, 200]);
    const redirect = { hostname: 'away.example.com', role: 'redirect', redirect: { to: 'there.example.com' } };
    const add = () => send(domains, { body: redirect, key: 'a' });
    expect([(await add()).status, (await add()).status]).toEqual([201, 200]);
    expect((await send(`${domains}/there.example.com/verify`, { key: 'away' })).status).toBe(202);
    expect((await send('/v1/projects/shop', { method: 'PATCH', body: {}, key: 'away' })).status).toBe(200);
    expect(memory.cluster.written.filter((name) => name === 'acme/away')).toHaveLength(1);
    expect((await makeKey()).status).toBe(201);
  }

  it('frozen, what is found by name is done, and anything else is refused, until it is back', async () => {
    await makeKey('k');
    redis.freeze();
    try {
      await expectByNameAlone();
    } finally {
      redis.thaw();
    }
    await api.connected();
    expect(isReplayed(await makeKey('k'))).toBe(true);
  }, 60_000);

  it('killed, the same, and what it had kept is gone', async () => {
    await makeKey('k');
    await redis.kill();
    try {
      await expectByNameAlone();
    } finally {
      await redis.start();
    }
    await api.connected();
    expect((await makeKey('k')).status).toBe(201);
    expect(isReplayed(await makeKey('k'))).toBe(true);
  }, 60_000);

  it('with half of its memory used, nothing more of what is found by name is kept: the rest is for the quotas', async () => {
    const used = Number(/used_memory:(\d+)/.exec(await api.redis.info('memory'))?.[1]);
    await add('kept.example.com', 'k');
    await api.redis.config('SET', 'maxmemory', Math.floor(used * 1.9));
    try {
      const make = () => send('/v1/projects', { body: { name: 'new', service }, key: 'k2' });
      const [first, second] = [await make(), await make()];
      expect([first.status, second.status, isReplayed(second)]).toEqual([201, 200, false]);
      expect(isReplayed(await add('kept.example.com', 'k'))).toBe(true);
      expect((await makeKey('k')).status).toBe(201);
      expect(isReplayed(await makeKey('k'))).toBe(true);
    } finally {
      await api.redis.config('SET', 'maxmemory', 0);
    }
  });
});
