import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ProjectDomainKind, ProjectKind } from '../../../src/resources/kinds.ts';
import { apiCalls } from '../../../src/server/call-table.ts';
import type { ApiOnStores } from '../../support/api-on-stores.ts';
import { startApiOnStores } from '../../support/api-on-stores.ts';

/** Requests under conditions, over HTTP: what was changed since is left alone, and what is known already is not sent again. */

let api: ApiOnStores;
let key: string;

beforeEach(async () => {
  api = await startApiOnStores();
  key = api.account('acme', 'enterprise').key;
  put('www.example.com', { role: 'Primary' });
  put('old.example.com', { role: 'Redirect', redirect: { to: 'www.example.com' } });
});
afterEach(() => api.stop());

const live = {
  state: 'Live',
  conditions: [{ type: 'Ready', status: 'True', reason: 'Routed', message: 'it answers' }],
};

function put(hostname: string, spec: object, metadata = {}): void {
  api.put({
    apiVersion: 'projectdomain.io/v1alpha1',
    kind: 'ProjectDomain',
    metadata: { name: hostname, namespace: 'acme', ...metadata },
    spec: { project: 'shop', hostname, ...spec },
    status: live,
  });
}

interface Sent {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

async function send(path: string, { method = 'GET', body, headers = {} }: Sent = {}) {
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  const answer = await fetch(`${api.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...json, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const { code } = text === '' ? {} : (JSON.parse(text) as { readonly code?: string });
  return { status: answer.status, headers: answer.headers, text, code, tag: answer.headers.get('etag') ?? '' };
}

const old = '/v1/projects/shop/domains/old.example.com';
const shop = '/v1/projects/shop';
const config = `${shop}/domain-config`;
const list = `${shop}/domains`;

const domainKey = { namespace: 'acme', name: 'old.example.com' };
const projectKey = { namespace: 'acme', name: 'shop' };

/** Something was found out about the domain. */
const find = () => {
  const domain = api.stores.domains.get(domainKey);
  api.put({ ...domain, status: { ...domain?.status, state: 'Degraded' } });
};
/** Somebody else changed what a client can change of it. */
const changeDomain = () => {
  const domain = api.stores.domains.get(domainKey);
  const redirect = { ...domain?.spec.redirect, status: 307 as const };
  api.put({ ...domain, spec: { ...domain?.spec, redirect } });
};
const changeProject = () => {
  const project = api.stores.projects.get(projectKey);
  api.put({ ...project, spec: { ...project?.spec, service: { name: 'other', port: 81 } } });
};
/** It was removed, and another one is there. */
const replaceDomain = async () => {
  await api.cluster.remove(ProjectDomainKind, domainKey);
  put('old.example.com', { role: 'Redirect', redirect: { to: 'www.example.com' } });
};
/** It was changed by way of another API server, of which no cache here has heard. */
const changeUnseen = () => api.stores.domains.put(structuredClone(seenBefore()));
let seenBefore: () => NonNullable<ReturnType<ApiOnStores['stores']['domains']['get']>>;

const to308 = { redirect: { to: 'www.example.com', status: 308 } };
const newConfig = { primary: null, redirects: [] };

/** What changes something, the address whose tag it is sent with, and what else changes that. */
const changes: readonly (readonly [string, string, Sent, string, () => void])[] = [
  ['PATCH of a domain', old, { method: 'PATCH', body: to308 }, old, changeDomain],
  ['DELETE of a domain', old, { method: 'DELETE' }, old, changeDomain],
  ['PATCH of a project', shop, { method: 'PATCH', body: { service: { name: 'new', port: 80 } } }, shop, changeProject],
  ['DELETE of a project', shop, { method: 'DELETE' }, shop, changeProject],
  ['PUT of a domain config', config, { method: 'PUT', body: newConfig }, config, changeProject],
  ['PATCH that swaps', `${old}?swap=true`, { method: 'PATCH', body: { role: 'primary' } }, old, changeDomain],
];

const successes = [200, 202, 204];

describe('If-Match', () => {
  beforeEach(() => {
    const claims = { metadata: { name: 'old.example.com' }, spec: { phase: 'Tombstone' } };
    api.put({ apiVersion: 'projectdomain.io/v1alpha1', kind: 'HostnameClaim', ...claims });
  });

  it.each(changes)('lets a %s be done of what was read', async (_, path, change, read) => {
    const { tag } = await send(read);
    const { status } = await send(path, { ...change, headers: { 'if-match': tag } });
    expect(successes).toContain(status);
  });

  it.each(changes)(
    'refuses a %s where that was changed since, and nothing is done',
    async (_, path, change, read, by) => {
      const { tag } = await send(read);
      by();
      const written = api.cluster.written.length;
      const answer = await send(path, { ...change, headers: { 'if-match': tag } });
      expect([answer.status, answer.code]).toEqual([412, 'precondition-failed']);
      expect(api.cluster.written).toHaveLength(written);
      const { tag: current } = await send(read);
      expect(current).not.toBe(tag);
      expect(successes).toContain((await send(path, { ...change, headers: { 'if-match': current } })).status);
    },
  );

  it.each(changes)('is met for a %s by *, and by nothing weak', async (_, path, change, read) => {
    const { tag } = await send(read);
    const weak = await send(path, { ...change, headers: { 'if-match': `W/${tag}` } });
    expect([weak.status, weak.code]).toEqual([412, 'precondition-failed']);
    expect(successes).toContain((await send(path, { ...change, headers: { 'if-match': '*' } })).status);
  });

  it('is met where only what was found out has changed, though the tag is another', async () => {
    const { tag } = await send(old);
    find();
    expect((await send(old)).tag).not.toBe(tag);
    expect((await send(old, { method: 'PATCH', body: to308, headers: { 'if-match': tag } })).status).toBe(200);
  });

  it('is not met by the tag of a domain that was removed and added again', async () => {
    const { tag } = await send(old);
    await replaceDomain();
    expect((await send(old, { method: 'DELETE', headers: { 'if-match': tag } })).code).toBe('precondition-failed');
  });

  it('has one of many changes that were sent at once be done, whoever is first', async () => {
    const { tag } = await send(old);
    const tries = [301, 302, 307, 308].map((status) => {
      return send(old, {
        method: 'PATCH',
        body: { redirect: { to: 'www.example.com', status } },
        headers: { 'if-match': tag },
      });
    });
    const answers = await Promise.all(tries);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412, 412, 412]);
  });

  it('is asked of the cluster where the cache is behind, and what is there is what is changed', async () => {
    const domain = api.stores.domains.get(domainKey);
    seenBefore = () => domain as never;
    changeDomain();
    const { tag } = await send(old);
    changeUnseen();
    expect((await send(old)).tag).not.toBe(tag);
    expect((await send(old, { method: 'PATCH', body: { prepare: false }, headers: { 'if-match': tag } })).status).toBe(
      200,
    );
    const written = await api.cluster.get(ProjectDomainKind, domainKey);
    expect(written?.spec.redirect).toMatchObject({ status: 307 });
  });

  it('of a domain that its project declares is about the project', async () => {
    const project = await api.cluster.get(ProjectKind, projectKey);
    const domains = { redirects: [{ from: 'old.example.com', to: 'www.example.com' }] };
    api.put({ ...project, spec: { ...project?.spec, domains } });
    const owner = { apiVersion: project?.apiVersion, kind: 'Project', name: 'shop', uid: project?.metadata.uid };
    const spec = { role: 'Redirect', redirect: { to: 'www.example.com', status: 301 } };
    put('old.example.com', spec, { ownerReferences: [{ ...owner, controller: true }] });
    const { tag } = await send(old);
    const change = { method: 'PATCH', body: { redirect: { to: 'www.example.com', status: 301 } } };
    expect((await send(old, { ...change, headers: { 'if-match': tag } })).status).toBe(200);
    changeProject();
    expect((await send(old, { ...change, headers: { 'if-match': tag } })).code).toBe('precondition-failed');
  });

  it('of a certificate is not met where there is none', async () => {
    const body = { certificate: 'c', privateKey: 'k' };
    const answer = await send(`${old}/certificate`, { method: 'PUT', body, headers: { 'if-match': '*' } });
    expect([answer.status, answer.code]).toEqual([412, 'precondition-failed']);
  });

  it('that cannot be read is refused, and nothing is done', async () => {
    const written = api.cluster.written.length;
    const answer = await send(old, { method: 'DELETE', headers: { 'if-match': 'abc' } });
    expect([answer.status, answer.code]).toEqual([400, 'malformed-request']);
    expect(api.cluster.written).toHaveLength(written);
  });

  it.each([
    ['DELETE of a key', '/v1/keys/none', { method: 'DELETE' }, 404],
    [
      'POST of a project',
      '/v1/projects',
      { method: 'POST', body: { name: 'x', service: { name: 'web', port: 80 } } },
      201,
    ],
    ['POST that verifies', `${old}/verify`, { method: 'POST' }, 202],
  ])('of a %s, where nothing has tags, is met by * alone', async (_, path, change, status) => {
    const { tag } = await send(shop);
    expect((await send(path, { ...change, headers: { 'if-match': tag } })).code).toBe('precondition-failed');
    expect((await send(path, { ...change, headers: { 'if-match': '*' } })).status).toBe(status);
  });

  it('is what a change has, and If-None-Match is refused', async () => {
    const answer = await send(old, { method: 'DELETE', headers: { 'if-none-match': '*' } });
    expect([answer.status, answer.code]).toEqual([400, 'malformed-request']);
  });

  it('of a certificate is about the domain that names it', async () => {
    const times = { notBefore: '2026-01-01T00:00:00Z', notAfter: '2027-01-01T00:00:00Z' };
    const certificate = {
      secretName: 's',
      chain: ['00'],
      issuer: 'An Authority',
      names: ['old.example.com'],
      ...times,
    };
    put('old.example.com', { role: 'Redirect', redirect: { to: 'www.example.com' }, certificate });
    const { tag, status } = await send(`${old}/certificate`);
    expect([status, tag.split('.')[0]]).toEqual([200, (await send(old)).tag.split('.')[0]]);
    expect((await send(`${old}/certificate`, { headers: { 'if-none-match': tag } })).status).toBe(304);
    changeDomain();
    const sent = { certificate: 'c', privateKey: 'k' };
    const replaced = await send(`${old}/certificate`, { method: 'PUT', body: sent, headers: { 'if-match': tag } });
    const removed = await send(`${old}/certificate`, { method: 'DELETE', headers: { 'if-match': tag } });
    expect([replaced.code, removed.code]).toEqual(['precondition-failed', 'precondition-failed']);
  });

  it('is not what decides where there is nothing', async () => {
    expect((await send(`${list}/none.example.com`, { method: 'DELETE', headers: { 'if-match': '*' } })).status).toBe(
      404,
    );
  });
});

describe('If-None-Match', () => {
  it.each([
    ['a domain', old],
    ['a project', shop],
    ['a domain config', config],
    ['a list of domains', list],
  ])('is answered 304 for %s that is as it was, without a body, with the quota', async (_, path) => {
    const first = await send(path);
    expect(first.tag).toMatch(/^"[\w.-]+"$/);
    const again = await send(path, { headers: { 'if-none-match': `"other", W/${first.tag}` } });
    expect([again.status, again.text, again.tag]).toEqual([304, '', first.tag]);
    expect(again.headers.get('x-ratelimit-limit')).not.toBeNull();
    expect(again.headers.get('content-type')).toBeNull();
    const head = await send(path, { method: 'HEAD' });
    expect([head.status, head.tag]).toEqual([200, first.tag]);
  });

  it.each([
    ['a domain', old, find],
    ['a domain', old, changeDomain],
    ['a project', shop, changeProject],
    ['a domain config', config, changeDomain],
    ['a list of domains', list, find],
    ['a list of domains', list, changeDomain],
  ])('is answered with %s that has changed in anything that is shown', async (_, path, change) => {
    const first = await send(path);
    change();
    const again = await send(path, { headers: { 'if-none-match': first.tag } });
    expect(again.status).toBe(200);
    expect([again.text === first.text, again.tag === first.tag]).toEqual([false, false]);
  });

  it('has another tag for each page of a list', async () => {
    const pages = await Promise.all([list, `${list}?limit=1`].map((path) => send(path)));
    expect(pages[0]?.tag).not.toBe(pages[1]?.tag);
  });

  it('does nothing where a list has no tag, and where it asks for another key’s', async () => {
    expect((await send('/v1/projects', { headers: { 'if-none-match': '*' } })).status).toBe(200);
    const { tag } = await send(shop);
    key = api.account('rival', 'enterprise').key;
    const theirs = await send(shop, { headers: { 'if-none-match': tag } });
    expect([theirs.status, theirs.tag === tag]).toEqual([200, false]);
  });
});

describe('a resource that is shown with a tag', () => {
  const tagged = apiCalls.filter(({ method, conditional }) => method === 'get' && conditional);

  it.each(tagged.map(({ path }) => path))('is changed and removed under a condition: %s', (path) => {
    const others = apiCalls.filter((call) => call.path === path && ['put', 'patch', 'delete'].includes(call.method));
    expect(others.filter(({ conditional }) => !conditional)).toEqual([]);
  });

  it('is each that can be shown alone and changed', () => {
    const paths = new Set(tagged.map(({ path }) => path));
    const changed = apiCalls.filter(({ method }) => method === 'put' || method === 'patch');
    expect(changed.filter(({ path }) => !paths.has(path))).toEqual([]);
  });
});
