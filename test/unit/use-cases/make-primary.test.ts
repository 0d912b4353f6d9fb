import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ProjectDomainKind, ProjectKind } from '../../../src/resources/kinds.ts';
import { apiCalls } from '../../../src/server/call-table.ts';
import type { RequestContext } from '../../../src/use-cases/api-dependencies.ts';
import { showChoices, makePrimary } from '../../../src/use-cases/make-primary.ts';
import type { InMemoryApi } from '../../support/in-memory-api.ts';
import { documentOf } from '../../support/document-of.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';

/** Roles that change places, and which changes are offered. */

const www = 'www.example.com';
const apex = 'example.com';
const old = 'old.example.com';
const platform = 'acme.apps.example.net';
let api: InMemoryApi;
let context: RequestContext;

beforeEach(() => {
  api = createInMemoryApi();
  context = api.as(api.account('acme', 'pro'));
  spent = [];
});
afterEach(() => api.stop());

const primary = (hostname: string, state: 'Live' | 'Unverified' = 'Live') =>
  api.domain('acme', hostname, { spec: { project: 'shop', hostname, role: 'Primary' }, status: { state } });
const redirect = (hostname: string, to: string, state: 'Live' | 'Unverified' = 'Live') =>
  api.domain('acme', hostname, {
    spec: { project: 'shop', hostname, role: 'Redirect', redirect: { to, status: 302 } },
    status: { state },
  });

const roles = () =>
  Object.fromEntries(
    api.stores.domains
      .list()
      .map(({ spec }) => [spec.hostname, spec.role === 'Redirect' ? `to ${spec.redirect?.to}` : 'primary']),
  );
let spent: number[];
const spend = (units: number) => Promise.resolve(void spent.push(units));
const path = { project: 'shop', spend };
const make = (hostname: string) => makePrimary(context, { ...path, hostname });
const choices = (hostname: string) => showChoices(context, { project: 'shop', hostname });

describe('making a domain the primary', () => {
  it.each<[string, () => void, Readonly<Record<string, string>>]>([
    ['where the project has none', () => redirect(apex, platform), { [apex]: 'primary' }],
    [
      'swaps it with the present one',
      () => [primary(www), redirect(apex, www)],
      { [apex]: 'primary', [www]: `to ${apex}` },
    ],
    [
      'swaps it with one that it did not lead to',
      () => [primary(www), redirect(apex, platform)],
      { [apex]: 'primary', [www]: `to ${apex}` },
    ],
    [
      'takes along whatever led to the present one, for redirects never lead to redirects',
      () => [primary(www), redirect(apex, www), redirect(old, www)],
      { [apex]: 'primary', [www]: `to ${apex}`, [old]: `to ${apex}` },
    ],
    [
      'completes what an earlier call began',
      () => [redirect(www, apex), redirect(apex, www), redirect(old, www)],
      { [apex]: 'primary', [www]: `to ${apex}`, [old]: `to ${apex}` },
    ],
    [
      'lets a second primary take over from the first',
      () => [primary(www), primary(apex)],
      { [apex]: 'primary', [www]: `to ${apex}` },
    ],
  ])('%s', async (_, given, expected) => {
    given();
    expect(await make(apex)).toMatchObject({ hostname: apex, role: 'primary', redirect: null });
    expect(roles()).toEqual(expected);
  });

  it('keeps the status of the redirects that it takes along', async () => {
    primary(www);
    redirect(apex, www);
    redirect(old, www);
    await make(apex);
    const after = await api.cluster.get(ProjectDomainKind, { namespace: 'acme', name: old });
    expect(after?.spec.redirect).toEqual({ to: apex, status: 302 });
  });

  /** Fails when a form that was opened earlier sends the visitors of a served domain into the dark. */
  it('is refused to a domain that is not served, in place of one that is', async () => {
    primary(www);
    redirect(apex, www, 'Unverified');
    await expect(make(apex)).rejects.toMatchObject({ code: 'conflict' });
    expect(roles()).toEqual({ [www]: 'primary', [apex]: `to ${www}` });
  });

  /** Fails when a closed tab leaves two redirects that lead to each other. */
  it('is completed when the client leaves after its first change', async () => {
    primary(www);
    redirect(apex, www);
    const client = new AbortController();
    const replace: InMemoryApi['cluster']['replace'] = (...args) => {
      client.abort();
      return api.cluster.replace(...args);
    };
    const dependencies = { ...context.dependencies, cluster: { ...api.cluster, replace } };
    await makePrimary({ ...context, dependencies, signal: client.signal }, { ...path, hostname: apex });
    expect(roles()).toEqual({ [apex]: 'primary', [www]: `to ${apex}` });
  });

  it.each<[string, () => void, readonly number[]]>([
    ['nothing more for the first one', () => redirect(apex, platform), []],
    ['one request more for the primary before it', () => [primary(www), redirect(apex, platform)], [1]],
    [
      'one more for each redirect that is taken along',
      () => [primary(www), redirect(apex, www), redirect(old, www), redirect('older.example.com', www)],
      [3],
    ],
  ])('costs %s', async (_, given, units) => {
    given();
    await make(apex);
    expect(spent).toEqual(units);
  });

  it('changes nothing where the account cannot pay for all of it', async () => {
    primary(www);
    redirect(apex, www);
    const before = roles();
    const refused = makePrimary(context, { ...path, hostname: apex, spend: () => Promise.reject(new Error('429')) });
    await expect(refused).rejects.toThrow('429');
    expect(roles()).toEqual(before);
  });

  it.each<[string, readonly object[], readonly object[]]>([
    ['whose destination is implied', [{ from: apex }], []],
    ['whose destination is named', [{ from: apex, to: www, status: 302 }], []],
    [
      'beside others that led to the primary',
      [{ from: apex }, { from: old, status: 307 }],
      [{ from: old, status: 307, to: apex }],
    ],
  ])('is one change of the configuration for a declared redirect %s', async (_, redirects, others) => {
    const shop = api.stores.projects.get({ namespace: 'acme', name: 'shop' });
    api.put({ ...shop, spec: { ...shop?.spec, domains: { primary: www, redirects } } });
    const { uid = '' } = shop?.metadata ?? {};
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Project', name: 'shop', uid, controller: true }];
    const declared = (hostname: string, spec: object) =>
      api.put({
        apiVersion: 'projectdomain.io/v1alpha1',
        kind: 'ProjectDomain',
        metadata: { name: hostname, namespace: 'acme', ownerReferences },
        spec: { project: 'shop', hostname, ...spec },
        status: { state: 'Live' },
      });
    declared(www, { role: 'Primary' });
    declared(apex, { role: 'Redirect', redirect: { to: www, status: 301 } });
    declared(old, { role: 'Redirect', redirect: { to: www, status: 307 } });
    const configs: unknown[] = [];
    const replace: InMemoryApi['cluster']['replace'] = (kind, object) => {
      configs.push((object as unknown as { spec: { domains: object } }).spec.domains);
      const written = api.cluster.replace(kind, object);
      // The operator follows the configuration.
      declared(apex, { role: 'Primary' });
      return written;
    };
    const dependencies = { ...context.dependencies, cluster: { ...api.cluster, replace } };
    await makePrimary({ ...context, dependencies }, { ...path, hostname: apex });
    expect(configs).toEqual([{ primary: apex, redirects: [...others, { from: www, to: apex, status: 301 }] }]);
  });

  it('names the destination of declared redirects before their primary goes', async () => {
    const shop = api.stores.projects.get({ namespace: 'acme', name: 'shop' });
    const domains = { primary: www, redirects: [{ from: old }] };
    api.put({ ...shop, spec: { ...shop?.spec, domains } });
    const { uid = '' } = shop?.metadata ?? {};
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Project', name: 'shop', uid, controller: true }];
    const declared = (hostname: string, spec: object) =>
      api.put({
        apiVersion: 'projectdomain.io/v1alpha1',
        kind: 'ProjectDomain',
        metadata: { name: hostname, namespace: 'acme', ownerReferences },
        spec: { project: 'shop', hostname, ...spec },
      });
    declared(www, { role: 'Primary' });
    declared(old, { role: 'Redirect', redirect: { to: www, status: 301 } });
    redirect(apex, www);
    const configs: unknown[] = [];
    const replace: InMemoryApi['cluster']['replace'] = (kind, object) => {
      if (kind.kind === ProjectKind.kind)
        configs.push((object as unknown as { spec: { domains: object } }).spec.domains);
      const written = api.cluster.replace(kind, object);
      // The operator follows the configuration.
      if (configs.length === 2) declared(www, { role: 'Redirect', redirect: { to: apex, status: 301 } });
      return written;
    };
    const dependencies = { ...context.dependencies, cluster: { ...api.cluster, replace } };
    await makePrimary({ ...context, dependencies }, { ...path, hostname: apex });
    expect(configs).toEqual([
      { primary: www, redirects: [{ from: old, to: www, status: 301 }] },
      {
        redirects: [
          { from: old, to: www, status: 301 },
          { from: www, to: apex, status: 301 },
        ],
      },
      {
        redirects: [
          { from: www, to: apex, status: 301 },
          { from: old, to: apex, status: 301 },
        ],
      },
    ]);
  });
});

describe('PATCH of a role', () => {
  const patch = (swap: string) =>
    apiCalls
      .find(({ name }) => name === 'changeDomain')
      ?.handle({
        ...context,
        spend,
        documentOf,
        params: { project: 'shop', hostname: apex },
        query: { swap },
        body: { role: 'primary' },
      });

  /** Who proved a hostname first would outrank the primary that is served. */
  const provenFirst = () =>
    api.put({
      apiVersion: 'projectdomain.io/v1alpha1',
      kind: 'HostnameClaim',
      metadata: { name: apex },
      spec: {
        ...{ account: 'id-of-acme', holder: { namespace: 'acme', name: apex }, phase: 'Held', epoch: 1 },
        proof: { method: 'CNAME', at: '2020-01-01T00:00:00Z' },
      },
    });

  it.each<[string, 'Live' | 'Unverified', boolean]>([
    ['a Live primary, whatever was proven first', 'Live', true],
    ['a Live primary', 'Live', false],
    ['one that is not served yet', 'Unverified', true],
  ])('to primary is refused beside %s, with the way out', async (_, state, isProven) => {
    primary(www, state);
    redirect(apex, www);
    if (isProven) provenFirst();
    await expect(patch('false')).rejects.toMatchObject({
      code: 'primary-exists',
      message: expect.stringContaining('?swap=true') as unknown,
      members: { primary: www },
    });
    expect(roles()).toEqual({ [www]: 'primary', [apex]: `to ${www}` });
  });

  it('to primary with swap changes places, and pays for it', async () => {
    primary(www);
    redirect(apex, www);
    expect(await patch('true')).toMatchObject({ status: 200, body: { hostname: apex, role: 'primary' } });
    expect(roles()).toEqual({ [apex]: 'primary', [www]: `to ${apex}` });
    expect(spent).toEqual([1]);
  });

  it('to primary needs no swap where there is none, or only a wildcard', async () => {
    redirect(apex, platform);
    primary('*.example.org');
    expect(await patch('false')).toMatchObject({ body: { role: 'primary' } });
  });

  it.each<[string, object]>([
    ['another role', { role: 'redirect', redirect: { to: www, status: 301 } }],
    ['no role', {}],
    ['more than a role', { role: 'primary', prepare: true }],
  ])('with swap and %s is refused before anything is changed', async (_, body) => {
    primary(www);
    redirect(apex, www);
    const call = apiCalls.find(({ name }) => name === 'changeDomain');
    const asked = {
      ...context,
      spend,
      documentOf,
      params: { project: 'shop', hostname: apex },
      query: { swap: 'true' },
      body,
    };
    await expect(call?.handle(asked)).rejects.toMatchObject({ code: 'malformed-request' });
    expect(spent).toEqual([]);
  });
});

describe('what is offered', () => {
  it.each<[string, () => void, string, object]>([
    ['the only primary stays what it is', () => primary(www), www, { canBePrimary: false, destinations: [platform] }],
    [
      'a primary that redirects lead to is no redirect',
      () => [primary(www), redirect(apex, www)],
      www,
      { canBePrimary: false, destinations: [] },
    ],
    [
      'a redirect can become primary, or lead elsewhere',
      () => [primary(www), redirect(apex, www), redirect(old, www)],
      apex,
      { canBePrimary: true, primaries: [www], primaryFollowers: [old], destinations: [www, platform] },
    ],
    [
      'a redirect that is not served cannot take over from a primary that is',
      () => [primary(www), redirect(apex, www, 'Unverified')],
      apex,
      { canBePrimary: false, destinations: [www, platform] },
    ],
    [
      'it can where no primary is served',
      () => [primary(www, 'Unverified'), redirect(apex, www, 'Unverified')],
      apex,
      { canBePrimary: true },
    ],
    [
      'a second primary may become a redirect to the first',
      () => [primary(www), primary(apex, 'Unverified')],
      apex,
      { canBePrimary: false, primaries: [www], destinations: [www, platform] },
    ],
  ])('%s', async (_, given, hostname, expected) => {
    given();
    expect(await choices(hostname)).toMatchObject(expected);
  });

  it('a plan without custom domains offers nothing', async () => {
    const free = api.as(api.account('poor', 'free'));
    api.domain('poor', www);
    const offered = await showChoices(free, { project: 'shop', hostname: www });
    expect(offered).toMatchObject({ canBePrimary: false, destinations: [] });
  });
});
