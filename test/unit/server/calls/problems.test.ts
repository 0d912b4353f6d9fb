import { describe, expect, it } from '@jest/globals';
import { apiCalls } from '../../../../src/server/call-table.ts';
import type { ApiCall } from '../../../../src/server/api-call.ts';
import { problemOfError } from '../../../../src/use-cases/error-to-problem.ts';
import type { ProblemCode } from '../../../../src/use-cases/problem.ts';
import type { Cluster } from '../../../../src/kubernetes/kubernetes-port.ts';
import { KubernetesError } from '../../../../src/kubernetes/kubernetes-errors.ts';
import type { InMemoryApi } from '../../../support/in-memory-api.ts';
import { createInMemoryApi } from '../../../support/in-memory-api.ts';

/**
 * Every problem that a call documents, provoked once: a code that cannot happen any more, or one that a call forgot to
 * document, fails here.
 */

interface Provocation {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  /** what is in the cluster besides account acme on plan pro with project shop, and www.example.com in it */
  readonly given?: (api: InMemoryApi) => void;
  readonly plan?: string;
  readonly faults?: Partial<Cluster>;
}

const shop = { project: 'shop' };
const www = { ...shop, hostname: 'www.example.com' };
const page = { limit: 10 };
const service = { name: 'web', port: 80 };

const fault = (status: number, reason: string) => () =>
  Promise.reject(new KubernetesError({ status, reason, message: 'scripted', retryAfterMs: null }));
const away = { create: fault(503, 'ServiceUnavailable'), replace: fault(503, 'ServiceUnavailable') };
const gone = { apply: fault(503, 'ServiceUnavailable'), remove: fault(503, 'ServiceUnavailable') };
const cluster = { ...away, ...gone };

const noNamespace = (api: InMemoryApi) => {
  const [namespace] = api.stores.namespaces.list();
  if (namespace) api.stores.namespaces.drop(namespace);
};
const redirect = (to: string) => ({ role: 'redirect' as const, redirect: { to, status: 301 as const } });
const undeployed = (api: InMemoryApi) =>
  api.put({
    apiVersion: 'projectdomain.io/v1alpha1',
    kind: 'Project',
    metadata: { name: 'new', namespace: 'acme' },
    spec: { service },
  });
const many = (count: number) => (api: InMemoryApi) => {
  for (let index = 0; index < count; index += 1) {
    const hostname = `r${index}.example.com`;
    const spec = { project: 'shop', hostname, role: 'Redirect', redirect: { to: 'www.example.com' } } as const;
    api.domain('acme', hostname, { spec });
  }
};
const declared = (api: InMemoryApi) => {
  const uid = api.stores.projects.get({ namespace: 'acme', name: 'shop' })?.metadata.uid ?? '';
  const owner = { apiVersion: 'projectdomain.io/v1alpha1', kind: 'Project', name: 'shop', uid, controller: true };
  api.put({
    ...api.stores.projects.get({ namespace: 'acme', name: 'shop' }),
    spec: { service, domains: { primary: 'main.example.com', redirects: [{ from: 'example.com' }] } },
  });
  api.put({
    apiVersion: 'projectdomain.io/v1alpha1',
    kind: 'ProjectDomain',
    metadata: { name: 'declared-main', namespace: 'acme', ownerReferences: [owner] },
    spec: { project: 'shop', hostname: 'main.example.com', role: 'Primary' },
  });
};

const missing = { params: { project: 'none', hostname: 'www.example.com' } };
const unready = { given: noNamespace };

const provocations: Readonly<Record<string, Partial<Record<ProblemCode, Provocation>>>> = {
  showAccount: {},
  showUsage: {},
  listProjects: { 'account-not-ready': { query: page, ...unready } },
  createProject: {
    'account-not-ready': { body: { name: 'x', service }, ...unready },
    'already-exists': { body: { name: 'shop', service } },
    'project-cap-reached': {
      body: { name: 'one-more', service },
      given: (api) => ['a', 'b', 'c', 'd'].forEach((name) => api.project('acme', name)),
      plan: 'free',
    },
    'cluster-unavailable': { body: { name: 'x', service }, faults: cluster },
  },
  showProject: { 'not-found': missing, 'account-not-ready': { params: shop, ...unready } },
  changeProject: {
    'not-found': { ...missing, body: {} },
    'account-not-ready': { params: shop, body: {}, ...unready },
    conflict: { params: shop, body: { subdomain: 'x' }, faults: { replace: fault(409, 'Conflict') } },
    'cluster-unavailable': { params: shop, body: { subdomain: 'x' }, faults: cluster },
  },
  deleteProject: {
    'not-found': missing,
    'account-not-ready': { params: shop, ...unready },
    'cluster-unavailable': { params: shop, faults: cluster },
  },
  showDomainConfig: { 'not-found': missing, 'account-not-ready': { params: shop, ...unready } },
  replaceDomainConfig: {
    'not-found': { ...missing, body: { primary: null, redirects: [] } },
    'account-not-ready': { params: shop, body: { primary: null, redirects: [] }, ...unready },
    'plan-upgrade-required': { params: shop, body: { primary: 'a.example.com', redirects: [] }, plan: 'free' },
    'domain-cap-reached': {
      params: shop,
      body: {
        primary: 'a.example.com',
        redirects: Array.from({ length: 50 }, (_, index) => ({ from: `c${index}.example.com`, status: 301 })),
      },
    },
    'hostname-in-use': { params: shop, body: { primary: 'www.example.com', redirects: [] } },
    'invalid-hostname': { params: shop, body: { primary: 'no host name', redirects: [] } },
    'invalid-redirect': { params: shop, body: { primary: null, redirects: [{ from: 'a.example.com', status: 301 }] } },
    conflict: {
      params: shop,
      body: { primary: null, redirects: [] },
      faults: { replace: fault(409, 'Conflict') },
    },
    'cluster-unavailable': { params: shop, body: { primary: null, redirects: [] }, faults: cluster },
  },
  listDomains: {
    'not-found': { ...missing, query: page },
    'account-not-ready': { params: shop, query: page, ...unready },
  },
  addDomain: {
    'not-found': { ...missing, body: { hostname: 'a.example.com', role: 'primary' }, query: { dryRun: 'false' } },
    'account-not-ready': { params: shop, body: { hostname: 'a.example.com', role: 'primary' }, query: {}, ...unready },
    'plan-upgrade-required': {
      params: shop,
      body: { hostname: 'a.example.com', role: 'primary' },
      query: {},
      plan: 'free',
    },
    'project-not-deployed': {
      params: { project: 'new' },
      body: { hostname: 'a.example.com', role: 'primary' },
      query: {},
      given: undeployed,
    },
    'domain-cap-reached': {
      params: shop,
      body: { hostname: 'a.example.com', ...redirect('www.example.com') },
      query: {},
      given: many(49),
    },
    'primary-exists': { params: shop, body: { hostname: 'a.example.com', role: 'primary' }, query: {} },
    'hostname-in-use': { params: shop, body: { hostname: 'www.example.com', ...redirect('a.example.com') }, query: {} },
    'invalid-hostname': { params: shop, body: { hostname: 'com', role: 'primary' }, query: {} },
    'invalid-redirect': { params: shop, body: { hostname: 'a.example.com', role: 'redirect' }, query: {} },
    'cluster-unavailable': {
      params: shop,
      body: { hostname: 'a.example.com', ...redirect('www.example.com') },
      query: {},
      faults: cluster,
    },
  },
  showDomain: {
    'not-found': { params: { ...shop, hostname: 'none.example.com' } },
    'account-not-ready': { params: www, ...unready },
  },
  changeDomain: {
    'not-found': { params: { ...shop, hostname: 'none.example.com' }, body: {} },
    'account-not-ready': { params: www, body: {}, ...unready },
    'plan-upgrade-required': { params: www, body: {}, plan: 'free' },
    'primary-exists': {
      params: { ...shop, hostname: 'z.example.com' },
      body: { role: 'primary' },
      given: (api) =>
        api.domain('acme', 'z.example.com', {
          spec: { project: 'shop', hostname: 'z.example.com', role: 'Redirect', redirect: { to: 'www.example.com' } },
        }),
    },
    'invalid-hostname': {
      params: { ...shop, hostname: 'shop.apps.example.net' },
      body: {},
      given: (api) => api.domain('acme', 'shop.apps.example.net'),
    },
    'invalid-redirect': { params: www, body: { role: 'redirect' } },
    conflict: { params: www, body: {}, faults: { replace: fault(409, 'Conflict') } },
    'cluster-unavailable': { params: www, body: {}, faults: cluster },
  },
  removeDomain: {
    'not-found': { params: { ...shop, hostname: 'none.example.com' } },
    'account-not-ready': { params: www, ...unready },
    'invalid-redirect': { params: { ...shop, hostname: 'main.example.com' }, given: declared },
    conflict: { params: www, faults: { remove: fault(409, 'Conflict') } },
    'cluster-unavailable': { params: www, faults: cluster },
  },
  verifyDomain: {
    'not-found': { params: www, query: {}, faults: { apply: fault(409, 'Conflict') } },
    'account-not-ready': { params: www, query: {}, ...unready },
    'domain-pending': {
      params: { ...shop, hostname: 'z2.example.com' },
      query: {},
      given: (api) => api.domain('acme', 'z2.example.com', { status: { state: 'Pending' } }),
    },
    'cluster-unavailable': { params: www, query: {}, faults: cluster },
  },
  watchDomain: {
    'not-found': { params: { ...shop, hostname: 'none.example.com' } },
    'account-not-ready': { params: www, ...unready },
    'too-many-streams': {
      params: www,
      given: (api) => Array.from({ length: 10 }, () => api.dependencies.streams.take('acme')),
    },
  },
  listKeys: {},
  createKey: {
    'key-cap-reached': {
      body: { scopes: ['domains:read'] },
      given: (api) => Array.from({ length: 4 }, () => api.key('acme', ['domains:read'])),
      plan: 'free',
    },
    'cluster-unavailable': { body: { scopes: ['domains:read'] }, faults: cluster },
  },
  deleteKey: {
    'not-found': { params: { key: 'none' } },
    'cluster-unavailable': { params: { key: 'own' }, faults: cluster },
  },
};

async function answerTo(call: ApiCall, provocation: Provocation): Promise<ProblemCode | null> {
  const { params = {}, query, body, given, plan = 'pro', faults = {} } = provocation;
  const api = createInMemoryApi();
  const key = api.account('acme', plan);
  api.domain('acme', 'www.example.com');
  const context = api.as(key);
  given?.(api);
  const own = context.caller.apiKey.spec.keyId ?? '';
  const dependencies = { ...api.dependencies, cluster: { ...api.cluster, ...faults } };
  const named = params.key === 'own' ? { key: own } : params;
  try {
    await call.handle({ ...context, dependencies, params: named, query, body });
    return null;
  } catch (error) {
    return problemOfError(error)?.code ?? null;
  } finally {
    api.stop();
  }
}

const table = apiCalls.flatMap((call) =>
  Object.entries(provocations[call.name] ?? {}).map(
    ([code, provocation]) => [call.name, code, call, provocation] as const,
  ),
);

describe('a call answers', () => {
  it.each(table)('%s with %s', async (_, code, call, provocation) => {
    expect(await answerTo(call, provocation)).toBe(code);
  });

  it.each(apiCalls.map((call) => [call.name, call] as const))(
    '%s with no problem that is not provoked here',
    (_, call) => {
      expect([...call.problems].toSorted()).toEqual(Object.keys(provocations[call.name] ?? { missing: 1 }).toSorted());
    },
  );
});
