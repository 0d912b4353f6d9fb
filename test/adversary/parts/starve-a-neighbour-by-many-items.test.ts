import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import type { ApiOnStores } from '../../support/api-on-stores.ts';
import { startApiOnStores } from '../../support/api-on-stores.ts';
import { attackPart } from '../../support/attack-part.ts';
import { tally } from '../../support/tally.ts';

/**
 * One call with a thousand items, meant to keep everybody else from writing, to cost the cluster more than it pays, to learn of other accounts by what
 * is answered of an item, or to cost memory by its body.
 */

let api: ApiOnStores;
afterEach(() => api.stop());

const path = '/v1/domains/bulk-add';
const item = (account: string, index: number, project = 'shop') => ({
  ...{ project, hostname: `h${index}.${account}.example`, role: 'redirect' },
  redirect: { to: `${account}.apps.example.net` },
});
const many = (account: string, count: number) => ({
  method: 'POST',
  body: { items: Array.from({ length: count }, (_, index) => item(account, index)) },
});
const primary = (hostname: string) => ({ method: 'POST', body: { hostname } });

interface Answered {
  readonly status: number;
  readonly problem: { readonly code: string } | null;
}
const itemsOf = (body: unknown) => (body as { readonly items: readonly Answered[] }).items;

/** Holds the cluster: nothing is done before it is released. */
function gate() {
  let release: () => void = () => undefined;
  const until = new Promise<void>((resolve) => (release = resolve));
  return { until, release: () => release() };
}

const sent = (count: number) =>
  eventually(`${count} writes are sent`, 30_000, () =>
    Promise.resolve(expectThat(api.cluster.mostAtOnce() >= count, `${api.cluster.mostAtOnce()} are`)),
  );

/** An account that may have so many domains. */
function accountWith(name: string) {
  const rest = api.account(name, 'business');
  const overrides = { customDomains: { maxPerProject: 2_000 } };
  const spec = { plan: 'business', id: `id-of-${name}`, overrides };
  api.put({ apiVersion: 'projectdomain.io/v1alpha1', kind: 'Account', metadata: { name }, spec });
  return rest;
}

describe('a thousand items', () => {
  it('leave four of eight turns to a click of the same account, and the next one to a neighbour', async () => {
    const { until, release } = gate();
    api = await startApiOnStores({ until });
    const [greedy, neighbour] = [accountWith('greedy'), accountWith('neighbour')];
    const bulk = greedy(path, many('greedy', 1_000));
    await sent(4);
    const click = greedy('/v1/projects/shop/domains', primary('www.greedy.example'));
    const add = neighbour('/v1/projects/shop/domains', primary('www.neighbour.example'));
    await sent(6);
    release();
    expect([(await click).status, (await add).status]).toEqual([201, 201]);
    expect(api.cluster.written.indexOf('neighbour/www.neighbour.example')).toBeLessThan(8);
    expect(api.cluster.written.indexOf('greedy/www.greedy.example')).toBeLessThan(8);
    const { status, body } = await bulk;
    expect([status, body.succeeded, body.failed]).toEqual([200, 1_000, 0]);
    expect(api.cluster.mostAtOnce()).toBeLessThanOrEqual(6);
  }, 60_000);

  it('of each of twelve accounts let a neighbour wait for one turn of each of them at most', async () => {
    const { until, release } = gate();
    api = await startApiOnStores({ until, atATime: 64 });
    const greedy = Array.from({ length: 12 }, (_, index) => `greedy${index}`);
    const bulks = greedy.map((name) => accountWith(name)(path, many(name, 50)));
    await sent(32);
    const add = accountWith('neighbour')('/v1/projects/shop/domains', primary('www.neighbour.example'));
    const { queue } = api.dependencies.writes;
    await eventually('all of them wait, and the neighbour', 30_000, () =>
      Promise.resolve(expectThat(queue.counts().get('waiting') === 12 * 4 - 32 + 1, 'not yet')),
    );
    release();
    expect((await add).status).toBe(201);
    expect(api.cluster.written.indexOf('neighbour/www.neighbour.example')).toBeLessThanOrEqual(32 + 12);
    expect((await Promise.all(bulks)).map(({ body }) => body.succeeded)).toEqual(Array(12).fill(50));
  }, 60_000);

  it('go one call after another: a second one of the account is refused, and other accounts’ are not', async () => {
    const { until, release } = gate();
    api = await startApiOnStores({ until });
    const [greedy, neighbour] = [accountWith('greedy'), accountWith('neighbour')];
    const first = greedy(path, many('greedy', 20));
    await sent(4);
    const others = await Promise.all([1, 2, 3].map(() => greedy(path, many('greedy', 20))));
    expect(tally(others)).toEqual({ '429 too-many-writes': 3 });
    expect(others.every(({ headers }) => Number(headers.get('retry-after')) > 0)).toBe(true);
    const theirs = neighbour(path, many('neighbour', 20));
    await sent(8);
    release();
    expect([(await first).body.succeeded, (await theirs).body.succeeded]).toEqual([20, 20]);
    expect((await greedy(path, many('greedy', 20))).body.succeeded).toBe(20);
  }, 60_000);

  it('are begun no more once the client is gone', async () => {
    const { until, release } = gate();
    api = await startApiOnStores({ until });
    const { key } = accountWith('leaver');
    const leaver = new AbortController();
    const body = JSON.stringify(many('leaver', 200).body);
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const left = fetch(`${api.url}${path}`, { method: 'POST', headers, body, signal: leaver.signal }).catch(() => null);
    await sent(4);
    leaver.abort();
    await left;
    const rest = api.as(key);
    await eventually('the account’s turn is free again', 30_000, async () => {
      release();
      expectThat((await rest(path, { method: 'POST', body: { items: ['none'] } })).status === 200, 'not yet');
    });
    expect(api.cluster.written.length).toBeLessThan(20);
  }, 60_000);
});

describe('an item', () => {
  beforeEach(async () => {
    api = await startApiOnStores();
  });

  it('of a key that may only read is done by none of the three calls', async () => {
    const owner = accountWith('owner');
    const { body } = await owner('/v1/keys', { method: 'POST', body: { scopes: ['domains:read'] } });
    const reader = api.as(String(body.key));
    const before = api.cluster.written.length;
    for (const one of ['bulk-add', 'bulk-verify', 'bulk-remove']) {
      const answer = await reader(`/v1/domains/${one}`, { method: 'POST', body: { items: [item('owner', 1)] } });
      expect([answer.status, answer.body.code]).toEqual([403, 'scope-missing']);
    }
    expect(api.cluster.written).toHaveLength(before);
  });

  it('of another account’s project is answered as one of a project that nobody has', async () => {
    const [owner, stranger] = [accountWith('owner'), accountWith('stranger')];
    api.project('owner', 'secret');
    await owner('/v1/projects/secret/domains', primary('www.owner.example'));
    const answersOf = async (project: string, hostname: string) => {
      const names = { items: [{ project, hostname }] };
      const ask = async (one: string) => (await stranger(`/v1/domains/${one}`, { method: 'POST', body: names })).body;
      const bodies = [
        await ask('bulk-add'),
        await ask('bulk-add?dryRun=true'),
        await ask('bulk-verify'),
        await ask('bulk-remove'),
      ];
      return JSON.stringify(bodies)
        .replaceAll(project, 'P')
        .replaceAll(hostname, 'H')
        .replaceAll(/"requestId":"[^"]*"/g, '');
    };
    const theirs = await answersOf('secret', 'www.owner.example');
    expect(theirs).toBe(await answersOf('nobodys', 'www.nobody.example'));
    expect(theirs.match(/"status":404/g)?.length).toBe(8);
    expect((await owner('/v1/projects/secret/domains/www.owner.example')).status).toBe(200);
  });
});

describe('a body with many items', () => {
  let key: string;
  beforeEach(async () => {
    api = await startApiOnStores();
    ({ key } = accountWith('flooder'));
  });

  async function send(to: string, body: string | Uint8Array, more: Readonly<Record<string, string>> = {}) {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...more };
    const response = await fetch(`${api.url}${to}`, { method: 'POST', headers, body: Buffer.from(body) });
    const answer = (await response.json()) as { code?: string; items?: readonly Answered[] };
    const codes = [...new Set(answer.items?.map(({ status, problem }) => `${status} ${problem?.code}`))];
    return [`${response.status} ${answer.code ?? `${answer.items?.length} items`}`, ...codes].join(': ');
  }
  const kilobytes = (count: number) => 'a'.repeat(count * 1_024);
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

  it.each<[string, string | Uint8Array, Readonly<Record<string, string>>, string]>([
    ['of 257 KiB', `{"items": ["${kilobytes(257)}"]}`, {}, '413 payload-too-large'],
    [
      'that is small when packed and 50 MB unpacked',
      gzipSync(`{"items": ["${kilobytes(50 * 1_024)}"]}`),
      { 'content-encoding': 'gzip' },
      '413 payload-too-large',
    ],
    ['of 1,001 items', JSON.stringify({ items: Array(1_001).fill(1) }), {}, '422 too-many-items'],
    ['of 100,000 items', JSON.stringify({ items: Array(100_000).fill(1) }), {}, '422 too-many-items'],
    ['of none', '{"items": []}', {}, '400 malformed-request'],
    ['whose items are no list', '{"items": {"0": {}}}', {}, '400 malformed-request'],
    ['with a field beside its items', '{"items": [1], "all": true}', {}, '400 unknown-field'],
    ['with arrays 100,000 deep', `{"items": [${nested(100_000)}]}`, {}, '200 1 items: 400 malformed-request'],
    [
      'with 22,000 unknown fields in an item',
      `{"items": [{${Array.from({ length: 22_000 }, (_, i) => `"${i}":1`).join()}}]}`,
      {},
      '200 1 items: 400 unknown-field',
    ],
    [
      'with a prototype of its own',
      '{"items": [{"__proto__": {"project": "shop"}, "hostname": "a.example.com"}]}',
      {},
      '200 1 items: 400 unknown-field',
    ],
    [
      'of 1,000 items of no kind',
      JSON.stringify({ items: Array(1_000).fill(null) }),
      {},
      '200 1000 items: 400 malformed-request',
    ],
  ])('%s costs what its account paid and writes nothing', async (_, body, headers, expected) => {
    expect(await send(path, body, headers)).toBe(expected);
    expect(api.cluster.written).toEqual([]);
  });

  it('may be larger than that of any other call', async () => {
    const large = JSON.stringify({ hostname: 'www.example.com', padding: kilobytes(65) });
    expect(await send('/v1/projects/shop/domains', large)).toBe('413 payload-too-large');
    expect(await send(path, JSON.stringify({ items: [{ padding: kilobytes(250) }] }))).toBe(
      '200 1 items: 400 unknown-field',
    );
  });
});

describe('the quota of many items', () => {
  const part = attackPart();
  beforeEach(async () => {
    api = await startApiOnStores();
  });
  const of = (account: string, count: number) => ({ method: 'POST', json: many(account, count).body });
  const codeOf = ({ body }: { readonly body: string }) => (JSON.parse(body) as { code?: string }).code;

  it('is spent as a whole or not at all, and keeps no other request from what is left', async () => {
    const name = part.fresh('whole');
    part.api.account(name, { requestsPerMinute: 20 });
    const { key } = part.api.key(name);
    const first = await part.api.rest(key, `${path}?dryRun=true`, of(name, 12));
    expect([first.status, first.headers['x-ratelimit-remaining']]).toEqual([200, '8']);
    const second = await part.api.rest(key, path, of(name, 9));
    expect([second.status, codeOf(second), second.headers['x-ratelimit-remaining']]).toEqual([
      429,
      'quota-exceeded',
      '7',
    ]);
    expect(Number(second.headers['retry-after'])).toBeGreaterThan(50);
    expect(part.api.stores.domains.countByIndex('namespace', name)).toBe(1);
    expect((await part.api.rest(key, '/v1/projects')).status).toBe(200);
    expect((await part.api.rest(key, `${path}?dryRun=true`, of(name, 6))).status).toBe(200);
    expect((await part.api.rest(key, '/v1/projects')).status).toBe(429);
  });

  it('that no minute has is told as what it is, with how many there may be', async () => {
    const name = part.fresh('never');
    part.api.account(name, { requestsPerMinute: 20 });
    const { key } = part.api.key(name);
    const answer = await part.api.rest(key, path, of(name, 21));
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'too-many-items', status: 422, maximum: 20 });
    expect(answer.headers['retry-after']).toBeUndefined();
    expect((await part.api.rest(key, `${path}?dryRun=true`, of(name, 19))).status).toBe(200);
  });
});

describe('answers', () => {
  beforeEach(async () => {
    api = await startApiOnStores();
  });

  it('of a thousand items are short, whatever there is to say of a domain', async () => {
    const rest = accountWith('owner');
    const { body } = await rest(path, many('owner', 1_000));
    expect(itemsOf(body).every(({ status }) => status === 201)).toBe(true);
    expect(JSON.stringify(body).length).toBeLessThan(1_000_000);
  });
});
