import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import type { Rest, RestAnswer } from '../../../dev/lib/rest.ts';
import { restClient } from '../../../dev/lib/rest.ts';
import { createKey } from '../../../dev/platform/demo-account.ts';
import { otherApis } from '../../../dev/platform/ours.ts';
import { kebabCase } from '../../../src/rules/kebab-case.ts';
import type { Stage } from '../../../dev/story/stage.ts';
import { inState } from '../../../dev/story/stage.ts';
import type { Contract, OpenApi } from '../../support/contract.ts';
import { contractOf } from '../../support/contract.ts';
import { fromNow } from '../../support/from-now.ts';
import { platformDeadlineMs } from '../../support/platform.ts';
import type { SharedPlatform } from '../../support/shared-platform.ts';
import { sharedPlatform } from '../../support/shared-platform.ts';
import { untilBanned } from '../../support/until-banned.ts';

/** Every call of the API on real parts: bodies, codes, headers, held against the document that the server shows. */

let platform: SharedPlatform;
let stage: Stage;
let contract: Contract;
let key: string;
/** account `demo`, plan business so that the tests themselves are not limited */
let rest: Rest;
let apiUrl: string;

const checked =
  (client: Rest): Rest =>
  async (path, call) => {
    const answer = await client(path, call);
    contract.check(call?.method ?? 'GET', path, answer);
    return answer;
  };

const as = (given: string): Rest => checked(restClient(apiUrl, given));
const short = ({ status, body }: RestAnswer) => [status, body.code];

beforeAll(async () => {
  platform = await sharedPlatform();
  ({ stage } = platform);
  apiUrl = platform.facts.apiUrl ?? '';
  key = platform.facts.apiKey ?? '';
  const document = (await (await fetch(`${apiUrl}/v1/openapi.json`)).json()) as OpenApi;
  contract = contractOf(document);
  rest = as(key);
  await stage.account('demo', 'business');
  const tenant = await stage.tenant('demo', 'web');
  await tenant.becomeReady();
  await eventually('the plan has arrived', 10_000, async () => {
    const { body } = await rest('/v1/account');
    expectThat(body.plan === 'business', `plan ${String(body.plan)}`);
  });
}, platformDeadlineMs);

afterAll(async () => {
  await platform.close();
}, platformDeadlineMs);

const project = { name: 'rest-shop', service: { name: 'web', port: 8080 } };

describe('projects', () => {
  it('are made, shown, listed, changed', async () => {
    const created = await rest('/v1/projects', { method: 'POST', body: project });
    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toBe('/v1/projects/rest-shop');
    expect(created.body).toMatchObject({ ...project, subdomain: null, platformHostname: null, state: 'pending' });
    const reserved = await rest('/v1/projects', { method: 'POST', body: { ...project, name: 'x', subdomain: 'www' } });
    expect(short(reserved)).toEqual([409, 'subdomain-reserved']);
    const again = await rest('/v1/projects', { method: 'POST', body: project });
    expect([again.status, again.body.name]).toEqual([200, project.name]);
    const taken = await rest('/v1/projects', { method: 'POST', body: { ...project, subdomain: 'rest-other' } });
    expect(short(taken)).toEqual([409, 'already-exists']);
    const shown = await eventually('it is deployed, and holds its hostname', 60_000, async () => {
      const answer = await rest('/v1/projects/rest-shop');
      expectThat(answer.body.deployedAt !== null && answer.body.platformHostname !== null, 'not yet');
      return answer;
    });
    expect(shown.body).toMatchObject({ platformHostname: 'rest-shop.apps.example.net' });
    expect((await rest('/v1/projects?limit=1')).body).toMatchObject({
      items: [{ name: 'rest-shop' }],
      nextCursor: null,
    });
    const changed = await rest('/v1/projects/rest-shop', { method: 'PATCH', body: { subdomain: 'rest-store' } });
    expect(changed.body).toMatchObject({ subdomain: 'rest-store', service: project.service });
    await rest('/v1/projects/rest-shop', { method: 'PATCH', body: { subdomain: 'rest-shop' } });
  }, 120_000);

  it('are listed page by page, each once', async () => {
    const names = ['page-a', 'page-b', 'page-c'];
    for (const name of names) await rest('/v1/projects', { method: 'POST', body: { ...project, name } });
    const seen: string[] = [];
    let path = '/v1/projects?limit=2';
    for (let page = 0; page < 5 && path !== ''; page += 1) {
      const { body } = await rest(path);
      seen.push(...(body.items as { name: string }[]).map(({ name }) => name));
      path = typeof body.nextCursor === 'string' ? `/v1/projects?limit=2&cursor=${body.nextCursor}` : '';
    }
    expect(seen).toEqual([...names, 'rest-shop'].toSorted());
    for (const name of names) {
      expect((await rest(`/v1/projects/${name}`, { method: 'DELETE' })).status).toBe(204);
      expect(short(await rest(`/v1/projects/${name}`))).toEqual([404, 'not-found']);
    }
  });
});

const domains = '/v1/projects/rest-shop/domains';
const add = (body: object, query = '') => rest(`${domains}${query}`, { method: 'POST', body });
/** What the customer has declared, without what is found out about it meanwhile. */
const declared = async () =>
  ((await rest(domains)).body.items as Record<string, unknown>[]).map(({ hostname, role, redirect }) => ({
    hostname,
    role,
    redirect,
  }));

describe('domains', () => {
  it('a dry run shows the records and creates nothing', async () => {
    const dry = await add({ hostname: 'www.rest.example' }, '?dryRun=true');
    expect(dry.status).toBe(200);
    expect(dry.body).toMatchObject({
      createdAt: null,
      records: [{ purpose: 'routing', type: 'CNAME', name: 'www', fqdn: 'www.rest.example', ttl: 3600 }],
    });
    expect((await rest(domains)).body).toEqual({ items: [], nextCursor: null });
  });

  it('a look before Add says what DNS has and what it should have, alone and with a dry run, and creates nothing', async () => {
    const look = await rest('/v1/lookups', {
      method: 'POST',
      body: { hostname: 'www.rest.example', project: 'rest-shop' },
    });
    expect(look.status).toBe(200);
    expect(look.body).toMatchObject({
      acceptance: { accepted: true },
      records: [{ purpose: 'routing', type: 'CNAME', name: 'www' }],
      routing: { verdict: 'no', code: 'not-registered' },
      caa: { verdict: 'yes', code: 'verified' },
    });
    const dry = await add({ hostname: 'www.rest.example' }, '?dryRun=lookup');
    expect(dry.body.lookup).toEqual(look.body);
    expect((await rest(domains)).body).toEqual({ items: [], nextCursor: null });
  });

  it('adding shows at once the records that the operator shows later; adding the same again is no mistake', async () => {
    const added = await add({ hostname: 'www.rest.example' });
    expect(added.status).toBe(201);
    for (const hostname of ['www.rest.example', 'WWW.Rest.Example', 'www.rest.example.']) {
      const again = await add({ hostname, role: 'primary' });
      expect([again.status, again.body.hostname]).toEqual([200, 'www.rest.example']);
    }
    const { status } = await stage.domainWhere(
      'demo',
      'www.rest.example',
      'is looked at',
      inState('Unverified', 'NotRegistered'),
    );
    // Nothing has been looked up when Add answers.
    const unseen = status?.records?.map((record) => ({
      ...record,
      purpose: kebabCase(record.purpose),
      status: 'unknown',
      found: [],
    }));
    expect(added.body.records).toEqual(unseen);
    expect(added.body).toMatchObject({ state: 'unverified', role: 'primary', redirect: null, certificate: null });
  });

  it('are found by their labels over all projects', async () => {
    const path = `${domains}/www.rest.example`;
    const labelled = await rest(path, { method: 'PATCH', body: { labels: { customer: 'cus_123', region: 'eu' } } });
    expect(labelled.body).toMatchObject({ labels: { customer: 'cus_123', region: 'eu' } });
    const found = await rest('/v1/domains?label=customer:cus_123&label=region&state=unverified&needsAction=true');
    expect(found.body).toMatchObject({
      items: [{ hostname: 'www.rest.example', project: 'rest-shop', labels: { customer: 'cus_123', region: 'eu' } }],
      nextCursor: null,
      total: { count: 1, exact: true },
    });
    await rest(path, { method: 'PATCH', body: { labels: { customer: null, region: null } } });
    expect((await rest('/v1/domains?label=customer')).body).toMatchObject({ items: [], total: { count: 0 } });
    const forged = Buffer.from('1:a').toString('base64url');
    expect(short(await rest(`/v1/domains?cursor=${forged}`))).toEqual([400, 'malformed-request']);
  });

  it.each<[string, object, number, string]>([
    ['an IP address', { hostname: '192.0.2.1' }, 422, 'invalid-hostname'],
    ['a wildcard', { hostname: '*.rest.example' }, 422, 'invalid-hostname'],
    ['a public suffix', { hostname: 'co.uk' }, 422, 'invalid-hostname'],
    ["the platform's own", { hostname: 'x.apps.example.net' }, 422, 'invalid-hostname'],
    ['254 characters', { hostname: `${'a'.repeat(60)}.`.repeat(4) + 'at.example' }, 422, 'invalid-hostname'],
    ['nothing', { hostname: '' }, 422, 'invalid-hostname'],
    ['a number', { hostname: 7 }, 400, 'malformed-request'],
    ['no hostname', {}, 400, 'malformed-request'],
    ['an unknown field', { hostname: 'a.rest.example', color: 'red' }, 400, 'unknown-field'],
    ['an unknown role', { hostname: 'a.rest.example', role: 'boss' }, 400, 'malformed-request'],
    ['a second primary', { hostname: 'two.rest.example' }, 409, 'primary-exists'],
    [
      'a redirect to itself',
      { hostname: 'r.rest.example', role: 'redirect', redirect: { to: 'r.rest.example' } },
      422,
      'invalid-redirect',
    ],
    [
      'a redirect to a foreign host',
      { hostname: 'r.rest.example', role: 'redirect', redirect: { to: 'else.where.com' } },
      422,
      'invalid-redirect',
    ],
    [
      'a redirect with status 303',
      { hostname: 'r.rest.example', role: 'redirect', redirect: { to: 'www.rest.example', status: 303 } },
      422,
      'invalid-redirect',
    ],
    [
      'a primary with a redirect',
      { hostname: 'p.rest.example', redirect: { to: 'www.rest.example' } },
      422,
      'invalid-redirect',
    ],
    [
      'the same name in another role',
      { hostname: 'www.rest.example', role: 'redirect', redirect: { to: 'rest-shop.apps.example.net' } },
      409,
      'hostname-in-use',
    ],
  ])('%s is refused and nothing is created', async (_, body, status, code) => {
    const before = await declared();
    expect(short(await add(body))).toEqual([status, code]);
    expect(await declared()).toEqual(before);
  });

  it('a hostname of another project of the account is in use; of another account it asks for a TXT record', async () => {
    await rest('/v1/projects', { method: 'POST', body: { ...project, name: 'second' } });
    await eventually('the second project is deployed', 30_000, async () => {
      expectThat((await rest('/v1/projects/second')).body.deployedAt !== null, 'not yet');
    });
    const taken = await rest('/v1/projects/second/domains', { method: 'POST', body: { hostname: 'www.rest.example' } });
    expect(short(taken)).toEqual([409, 'hostname-in-use']);
    await rest('/v1/projects/second', { method: 'DELETE' });
  }, 60_000);

  it('roles and redirects are changed where they are declared, and a swap of two never ends half way', async () => {
    // Kubernetes counts creation in seconds: of two that are made within one, the name decides who is primary.
    const { createdAt } = (await rest(`${domains}/www.rest.example`)).body;
    await eventually('the primary is a second older', 5_000, () => {
      expectThat(Date.parse(String(createdAt)) < fromNow(-2_000), 'not yet');
      return Promise.resolve();
    });
    const redirect = { to: 'www.rest.example', status: 308 };
    expect((await add({ hostname: 'rest.example', role: 'redirect', redirect })).body).toMatchObject({ redirect });
    const changed = await rest(`${domains}/rest.example`, {
      method: 'PATCH',
      body: { redirect: { to: 'www.rest.example' } },
    });
    expect(changed.body).toMatchObject({ role: 'redirect', redirect: { to: 'www.rest.example', status: 301 } });
    expect(short(await rest(`${domains}/rest.example`, { method: 'PATCH', body: { role: 'primary' } }))).toEqual([
      409,
      'primary-exists',
    ]);
    const one = await rest(`${domains}/www.rest.example`, {
      method: 'PATCH',
      body: { role: 'redirect', redirect: { to: 'rest.example' } },
    });
    const other = await rest(`${domains}/rest.example`, { method: 'PATCH', body: { role: 'primary' } });
    expect([one.body.role, other.body.role]).toEqual(['redirect', 'primary']);
    expect(short(await rest(`${domains}/absent.rest.example`, { method: 'PATCH', body: {} }))).toEqual([
      404,
      'not-found',
    ]);
  });

  it('verify says what it asked for, and within wait what was found', async () => {
    await eventually('the operator has seen the swap', 20_000, async () => {
      const { body } = await rest(`${domains}/rest.example`);
      expectThat(body.state === 'unverified', `state ${String(body.state)}, reason ${String(body.reason)}`);
    });
    const asked = await rest(`${domains}/rest.example/verify`, { method: 'POST' });
    expect(asked.status).toBe(202);
    await eventually('it is looked at within the wait', 40_000, async () => {
      const waited = await rest(`${domains}/rest.example/verify?wait=20s`, { method: 'POST' });
      expect([waited.status, waited.body.state]).toEqual([200, 'unverified']);
    });
    expect(short(await rest(`${domains}/rest.example/verify?wait=61s`, { method: 'POST' }))).toEqual([
      400,
      'malformed-request',
    ]);
  }, 240_000);

  it('records are handed over by a link that opens without a key, until it is revoked', async () => {
    const links = `${domains}/rest.example/handover-links`;
    const made = await rest(links, { method: 'POST', body: { days: 1 } });
    expect(made.status).toBe(201);
    const { path, ...listed } = made.body;
    expect((await rest(links)).body).toEqual({ items: [listed] });
    const page = await fetch(`${apiUrl}${String(path)}`);
    expect([page.status, page.headers.get('referrer-policy')]).toEqual([200, 'no-referrer']);
    expect((await page.text()).replaceAll('<wbr>', '')).toContain('rest.example');
    const link = `${links}/${String(listed.id)}`;
    expect((await rest(link, { method: 'DELETE' })).status).toBe(204);
    expect((await fetch(`${apiUrl}${String(path)}`)).status).toBe(404);
    expect(short(await rest(link, { method: 'DELETE' }))).toEqual([404, 'not-found']);
    expect(short(await rest(links, { method: 'POST', body: { days: 3 } }))).toEqual([400, 'malformed-request']);
  });

  it('events tell the state at once and the removal at its end', async () => {
    const stream = await fetch(`${apiUrl}${domains}/rest.example/events`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect([stream.status, stream.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching('^text/event-stream'),
    ]);
    const told = stream.text();
    expect((await rest(`${domains}/rest.example`, { method: 'DELETE' })).status).toBe(204);
    const text = await told;
    expect(text).toMatch(/^event: state\ndata: \{"hostname":"rest.example"/);
    expect(text).toMatch(/event: removed\ndata: \{"hostname":"rest.example"\}\n\n$/);
    expect(short(await rest(`${domains}/rest.example`))).toEqual([404, 'not-found']);
  });

  it('many at once are each answered for themselves, and none stops another', async () => {
    const many = (act: string, items: readonly object[]) =>
      rest(`/v1/domains/bulk-${act}`, { method: 'POST', body: { items } });
    const named = ['bulk1.rest.example', 'bulk2.rest.example'].map((hostname) => ({ project: 'rest-shop', hostname }));
    const redirects = named.map((one) => ({
      ...one,
      ...{ role: 'redirect', redirect: { to: 'rest-shop.apps.example.net' } },
    }));
    const statuses = ({ body }: RestAnswer) => (body.items as { status: number }[]).map(({ status }) => status);
    expect(statuses(await many('add', [...redirects, { project: 'none', hostname: 'a.example' }]))).toEqual([
      201, 201, 404,
    ]);
    expect(statuses(await many('verify', named))).toEqual([202, 202]);
    expect(statuses(await many('remove', [...named, { hostname: 'a.example' }]))).toEqual([202, 202, 400]);
  });

  it('more than ten event streams of an account are refused', async () => {
    const ended = new AbortController();
    const open = () =>
      fetch(`${apiUrl}${domains}/www.rest.example/events`, {
        headers: { authorization: `Bearer ${key}` },
        signal: ended.signal,
      });
    const streams = await Promise.all(Array.from({ length: 10 }, open));
    expect(streams.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect((await open()).status).toBe(429);
    ended.abort();
    await eventually('a stream is free again', 10_000, async () => {
      const again = await fetch(`${apiUrl}${domains}/www.rest.example/events`, {
        headers: { authorization: `Bearer ${key}` },
      });
      await again.body?.cancel();
      expectThat(again.status === 200, `status ${again.status}`);
    });
  });
});

describe('what cannot be read', () => {
  it.each<[string, string, RequestInit, number, string]>([
    ['JSON that is none', domains, { method: 'POST', body: '{"hostname":' }, 400, 'malformed-request'],
    ['JSON that is no object', domains, { method: 'POST', body: '[]' }, 400, 'malformed-request'],
    ['no body', domains, { method: 'POST' }, 400, 'malformed-request'],
    [
      'a body that is too large',
      domains,
      { method: 'POST', body: JSON.stringify({ hostname: 'x'.repeat(70_000) }) },
      413,
      'payload-too-large',
    ],
    [
      'a form',
      domains,
      { method: 'POST', body: 'hostname=a', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      415,
      'unsupported-media-type',
    ],
    ['an unknown query parameter', `${domains}?colour=red`, {}, 400, 'unknown-field'],
    ['a limit out of bounds', '/v1/projects?limit=101', {}, 400, 'malformed-request'],
    ['a cursor of nobody', '/v1/projects?cursor=AAAA', {}, 400, 'malformed-request'],
    ['percent garbage', `${domains}/%E0%A4%A`, {}, 400, 'malformed-request'],
    ['a wrong method', '/v1/account', { method: 'PUT', body: '{}' }, 405, 'method-not-allowed'],
    ['a path that is none', '/v1/nothing', {}, 404, 'not-found'],
    ['a project of nobody', '/v1/projects/absent', {}, 404, 'not-found'],
  ])('%s', async (_, path, init, status, code) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...(init.headers as object) };
    const response = await fetch(apiUrl + path, { ...init, headers });
    const body = (await response.json()) as Record<string, unknown>;
    contract.check(init.method ?? 'GET', path, { status: response.status, headers: response.headers, body });
    expect([response.status, body.code, response.headers.get('content-type')]).toEqual([
      status,
      code,
      'application/problem+json; charset=utf-8',
    ]);
    if (status === 405) expect(response.headers.get('allow')).toBe('GET, HEAD');
  });

  it('half a request and garbage on the socket hurt nobody', async () => {
    const { hostname, port } = new URL(apiUrl);
    const half = connect(Number(port), hostname);
    half.write('GET /v1/account HTTP/1.1\r\nHost: x\r\n');
    const broken = connect(Number(port), hostname);
    broken.write('\u0000\u0001garbage\r\n\r\n');
    let answer = '';
    for await (const chunk of broken) answer += String(chunk);
    half.destroy();
    expect(answer).toMatch(/^HTTP\/1.1 400 Bad Request\r\nX-RateLimit-Limit: 60\r\n/);
    expect((await rest('/v1/account')).status).toBe(200);
  });
});

describe('keys', () => {
  it.each<[string, string | undefined]>([
    ['none', undefined],
    ['a typo', 'X'],
    ['an invention', 'pd_aaaaaaaaaaaaaaaa_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'],
  ])('%s opens nothing', async (_, given) => {
    const sent = given === 'X' ? `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}` : given;
    const response = await fetch(`${apiUrl}/v1/account`, sent === undefined ? {} : { headers: { 'x-api-key': sent } });
    const body = (await response.json()) as Record<string, unknown>;
    contract.check('GET', '/v1/account', { status: response.status, headers: response.headers, body });
    expect([response.status, body.code, response.headers.get('www-authenticate')]).toEqual([
      401,
      'unauthenticated',
      expect.stringContaining('Bearer'),
    ]);
    expect(response.headers.get('x-ratelimit-limit')).toBe('60');
  });

  it('are made, shown once, work beside the old one, and open nothing from the moment they are deleted', async () => {
    const made = await rest('/v1/keys', { method: 'POST', body: { scopes: ['domains:read'] } });
    expect(made.status).toBe(201);
    const { key: fresh, id } = made.body as { key: string; id: string };
    expect((await as(fresh)('/v1/projects')).status).toBe(200);
    expect(short(await as(fresh)('/v1/keys'))).toEqual([403, 'scope-missing']);
    expect(short(await as(fresh)('/v1/projects', { method: 'POST', body: project }))).toEqual([403, 'scope-missing']);
    const listed = (await rest('/v1/keys?limit=100')).body.items as { id: string }[];
    expect(listed.map((item) => item.id)).toContain(id);
    expect(JSON.stringify(listed)).not.toContain(fresh);
    expect((await rest(`/v1/keys/${id}`, { method: 'DELETE' })).status).toBe(204);
    expect(short(await as(fresh)('/v1/projects'))).toEqual([401, 'unauthenticated']);
    expect(short(await rest(`/v1/keys/${id}`, { method: 'DELETE' }))).toEqual([404, 'not-found']);
  });

  it('give no scope they do not have, and none that has ended', async () => {
    const made = await rest('/v1/keys', { method: 'POST', body: { scopes: ['keys:write'] } });
    const limited = as((made.body as { key: string }).key);
    expect(short(await limited('/v1/keys', { method: 'POST', body: { scopes: ['domains:write'] } }))).toEqual([
      403,
      'scope-missing',
    ]);
    const past = { scopes: ['domains:read'], expiresAt: '2020-01-01T00:00:00Z' };
    expect(short(await rest('/v1/keys', { method: 'POST', body: past }))).toEqual([400, 'malformed-request']);
  });

  it('an ApiKey that is applied without a hash gets its key into a Secret, and works', async () => {
    await stage.kubectl.apply({
      apiVersion: 'projectdomain.io/v1alpha1',
      kind: 'ApiKey',
      metadata: { name: 'by-hand' },
      spec: { account: 'demo', scopes: ['domains:read'] },
    });
    const secret = await eventually('the Secret is there', 30_000, async () => {
      const seen = await stage.kubectl.get<{ data: { apiKey: string } }>('secret', 'apikey-by-hand', 'demo');
      expectThat(seen !== null, 'no Secret');
      return seen;
    });
    const generated = Buffer.from(secret.data.apiKey, 'base64').toString();
    await eventually('the key works', 10_000, async () => {
      expectThat((await as(generated)('/v1/projects')).status === 200, 'not yet');
    });
    const shown = await stage.kubectl.get<{ spec: { sha256: string } }>('apikey', 'by-hand');
    expect(JSON.stringify(shown)).not.toContain(generated);
    await stage.kubectl.run(['delete', 'apikey', 'by-hand']);
    await eventually('the Secret went with it', 30_000, async () => {
      expectThat((await stage.kubectl.get('secret', 'apikey-by-hand', 'demo')) === null, 'still there');
    });
  }, 90_000);

  it('an expired key opens nothing', async () => {
    const expiresAt = (ms: number) => new Date(fromNow(ms)).toISOString();
    const body = { scopes: ['domains:read'], expiresAt: expiresAt(3_600_000) };
    const made = await rest('/v1/keys', { method: 'POST', body });
    const { key: secret, id } = made.body as { key: string; id: string };
    const brief = as(secret);
    expect((await brief('/v1/projects')).status).toBe(200);
    const change = JSON.stringify({ spec: { expiresAt: expiresAt(-1_000) } });
    await stage.kubectl.run(['patch', 'apikey', `key-${id}`, '--type=merge', '-p', change]);
    await eventually('it has expired', 20_000, async () => {
      const { status, body } = await brief('/v1/projects');
      expectThat(status === 401 && String(body.detail).includes('expired'), `status ${status}`);
    });
  }, 90_000);
});

describe('quota', () => {
  it("is spent by the platform's other API as well, whose proxies ask elsewhere", async () => {
    await stage.account('uploader', 'free');
    const own = await createKey('uploader', platform.facts.kubeconfig);
    const authorize = (bearer: string) =>
      fetch(platform.facts.authorizeUrl ?? '', { headers: { authorization: `Bearer ${bearer}` } });
    const left = await eventually('the key is known', 10_000, async () => {
      const { status, headers } = await as(own)('/v1/account');
      expectThat(status === 200, `status ${status}`);
      return Number(headers.get('x-ratelimit-remaining'));
    });
    const passed = await authorize(own);
    expect(passed.status).toBe(200);
    expect(Number(passed.headers.get('x-ratelimit-remaining'))).toBe(left - otherApis.uploads.cost);
    expect((await as(own)('/v1/account')).headers.get('x-ratelimit-remaining')).toBe(
      String(left - otherApis.uploads.cost - 1),
    );
    expect((await authorize('pdk_nobody')).status).toBe(401);
    expect((await fetch(`${apiUrl}/authorize/uploads`)).status).toBe(404);
  }, 60_000);

  it('sixty and sixty at once over two keys of one account: exactly sixty pass', async () => {
    await stage.account('meter', 'free');
    const keys = await Promise.all([0, 1].map(() => createKey('meter', platform.facts.kubeconfig)));
    await eventually('both keys are known', 10_000, async () => {
      for (const each of keys) {
        const { body } = await as(each)('/v1/account/usage');
        expectThat(body.minute !== undefined, 'not yet');
      }
    });
    const answers = await Promise.all(
      keys.flatMap((each) => Array.from({ length: 60 }, () => as(each)('/v1/account'))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(60);
    const usage = await as(keys[0] ?? '')('/v1/account/usage');
    expect(usage).toMatchObject({ status: 200, body: { minute: { limit: 60, remaining: 0 }, ban: null } });
  }, 60_000);

  it('without a valid key sixty a minute and address pass', async () => {
    const ask = async () => (await fetch(`${apiUrl}/v1/openapi.json`)).status;
    const statuses = await Promise.all(Array.from({ length: 80 }, ask));
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(60);
    expect(statuses).toContain(429);
    expect((await rest('/v1/account')).status).toBe(200);
  });

  it('an administrator lifts a ban', async () => {
    await stage.account('culprit', 'free');
    const own = await createKey('culprit', platform.facts.kubeconfig);
    const banned = await untilBanned(() => as(own)('/v1/account'));
    expect(banned.body).toMatchObject({ code: 'abnormal-usage-detected', step: 1, strikes: 18 });
    expect(Number(banned.headers.get('retry-after'))).toBeGreaterThan(30);
    const usage = await as(own)('/v1/account/usage');
    expect(usage.body.ban).toMatchObject({ reason: expect.stringContaining('429') as unknown });
    const [, id] = own.split('_');
    await stage.kubectl.run([
      'annotate',
      'apikey',
      `key-${id}`,
      `projectdomain.io/lift-ban-at=${new Date(fromNow(1_000)).toISOString()}`,
    ]);
    await eventually('the ban is lifted', 10_000, async () => {
      const { body } = await as(own)('/v1/account/usage');
      expectThat(body.ban === null, 'still banned');
    });
  }, 120_000);
});

describe('the contract', () => {
  it('every call was answered as the document says', () => {
    const operations = [...contract.seen].map((entry) => entry.split(' ')[0]);
    expect([...new Set(operations)].length).toBeGreaterThanOrEqual(15);
  });
});
