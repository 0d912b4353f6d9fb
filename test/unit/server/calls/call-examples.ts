import { randomBytes } from 'node:crypto';
import type { ProblemCode } from '../../../../src/use-cases/problem.ts';
import type { Cluster } from '../../../../src/kubernetes/kubernetes-port.ts';
import { KubernetesError } from '../../../../src/kubernetes/kubernetes-errors.ts';
import type { InMemoryApi } from '../../../support/in-memory-api.ts';
import { certificateMaker } from '../../../support/made-certificates.ts';
import { linkSecretBytes } from '../../../../src/use-cases/handover-links-port.ts';

/** Of every call what it answers when all is well, and how each problem that it documents comes about. */

export interface Asked {
  readonly params?: Readonly<Record<string, string>>;
  /** as they come in: the call's own schemas read them */
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly given?: (api: InMemoryApi) => void;
  /** the client goes away once its domain is removed, while the operator is still at it */
  readonly isGoneOnceRemoved?: boolean;
}

export interface Provocation {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  /** what is in the cluster besides account acme on plan pro with project shop, and www.example.com in it */
  readonly given?: (api: InMemoryApi) => void;
  readonly plan?: string;
  readonly faults?: Partial<Cluster>;
}

export const shop = { project: 'shop' };
export const www = { ...shop, hostname: 'www.example.com' };
const page = { limit: 10 };
export const service = { name: 'web', port: 80 };

const fault = (status: number, reason: string) => () =>
  Promise.reject(new KubernetesError({ status, reason, message: 'scripted', retryAfterMs: null }));
const away = { create: fault(503, 'ServiceUnavailable'), replace: fault(503, 'ServiceUnavailable') };
const gone = { apply: fault(503, 'ServiceUnavailable'), remove: fault(503, 'ServiceUnavailable') };
const cluster = { ...away, ...gone };

const denied = () =>
  Promise.reject(
    new KubernetesError({
      ...{ status: 403, reason: 'Forbidden', retryAfterMs: null },
      message: 'admission webhook "rules.example.com" denied the request: no',
    }),
  );
const refusing = { create: denied, replace: denied, apply: denied, remove: denied };

const noNamespace = (api: InMemoryApi) => {
  const [namespace] = api.stores.namespaces.list();
  if (namespace) api.stores.namespaces.drop(namespace);
};
const labels = (count: number, value = 'v') =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`name-${at}`, value]));
const redirect = (to: string) => ({ role: 'redirect' as const, redirect: { to, status: 301 as const } });
const undeployed = (api: InMemoryApi) =>
  api.put({
    apiVersion: 'projectdomain.io/v1alpha1',
    kind: 'Project',
    metadata: { name: 'new', namespace: 'acme' },
    spec: { service },
  });
const withoutWww = (api: InMemoryApi) => {
  const domain = api.stores.domains.get({ namespace: 'acme', name: 'www.example.com' });
  if (domain) api.stores.domains.drop(domain);
};
const many = (count: number) => (api: InMemoryApi) => {
  for (let index = 0; index < count; index += 1) {
    const hostname = `r${index}.example.com`;
    const spec = { project: 'shop', hostname, role: 'Redirect', redirect: { to: 'www.example.com' } } as const;
    api.domain('acme', hostname, { spec });
  }
};
/** As many as have a turn, and as may wait for one. */
const manyLists = (api: InMemoryApi) => {
  many(150)(api);
  const turn = { account: 'acme', object: null, signal: new AbortController().signal };
  // Those that wait are refused once their time is over.
  for (let index = 0; index < 9; index += 1)
    api.dependencies.longLists.run(turn, () => new Promise(() => {})).catch(() => undefined);
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

/** An account's lookups of names whose servers never answer. */
const lookUpMany = (account: string, count: number) => (api: InMemoryApi) => {
  const signal = api.dependencies.stopping;
  for (let index = 0; index < count; index += 1) {
    const request = {
      hostname: `silent${index}.example.com`,
      target: null,
      ownership: null,
      relation: 'Free',
      routedBy: null,
    } as const;
    api.dependencies.lookups.look(account, request, signal).catch(() => undefined);
  }
};
const lookUpFromAll = (api: InMemoryApi) => {
  for (let account = 0; account < 80; account += 1) lookUpMany(`account${account}`, 1)(api);
};

const links = (count: number) => (api: InMemoryApi) => {
  const { account = '', keyId = '' } = api.stores.apiKeys.list()[0]?.spec ?? {};
  const { namespace = '', name = '', uid = '' } = api.stores.domains.list()[0]?.metadata ?? {};
  const times = { created: Date.now(), expires: Date.now() + 60_000 };
  for (let index = 0; index < count; index += 1)
    void api.handoverLinks.create({ account, keyId, namespace, name, uid, ...times }, randomBytes(linkSecretBytes));
};
const linksAway = (api: InMemoryApi) => api.handoverLinks.beAway(true);

const missing = { params: { project: 'none', hostname: 'www.example.com' } };
const unready = { given: noNamespace };

const undeployedDomain: Provocation = {
  params: { project: 'new', hostname: 'n.example.com' },
  given: (api) => {
    undeployed(api);
    api.domain('acme', 'n.example.com', { spec: { project: 'new', hostname: 'n.example.com', role: 'Primary' } });
  },
};
const secondHolder: Provocation = {
  params: { ...shop, hostname: 'z.example.com' },
  given: (api) => {
    const spec = {
      project: 'shop',
      hostname: 'z.example.com',
      role: 'Redirect' as const,
      redirect: { to: 'www.example.com' },
    };
    api.domain('acme', 'z.example.com', { spec });
    api.put({
      apiVersion: 'projectdomain.io/v1alpha1',
      kind: 'ProjectDomain',
      metadata: { name: 'z-older', namespace: 'acme', creationTimestamp: '2025-12-31T00:00:00Z' },
      spec,
    });
  },
};
const platformsDomain: Provocation = {
  params: { ...shop, hostname: 'shop.apps.example.net' },
  given: (api) => api.domain('acme', 'shop.apps.example.net'),
};

/** Of a certificate that is refused before anybody reads it. */
const unread = { certificate: 'none', privateKey: 'none' };
const maker = certificateMaker();
const { root } = maker.authorities();
const leaf = maker.make({ by: root });
maker.remove();
const sound = () => ({ certificate: leaf.pem + root.pem, privateKey: leaf.key });
const held = (api: InMemoryApi) =>
  api.put({
    apiVersion: 'projectdomain.io/v1alpha1',
    kind: 'HostnameClaim',
    metadata: { name: 'www.example.com' },
    spec: {
      account: 'id-of-acme',
      holder: { namespace: 'acme', name: 'www.example.com' },
      phase: 'Held',
      proof: { method: 'TXT', at: '2026-01-01T00:00:00Z' },
    },
  });
/** One that is not of ours, so that nobody has to know of it. */
const certificate = {
  secretName: `pd-own-${'a'.repeat(26)}`,
  chain: ['a'.repeat(64)],
  names: ['www.example.com'],
  issuer: 'CN=ca',
  notBefore: '2026-01-01T00:00:00Z',
  notAfter: '2026-12-01T00:00:00Z',
};
const withCertificate = (api: InMemoryApi) =>
  api.domain('acme', 'www.example.com', {
    spec: { project: 'shop', hostname: 'www.example.com', role: 'Primary', certificate },
  });

const anotherRedirect = {
  primary: null,
  redirects: [{ from: 'a.example.com', to: 'acme.apps.example.net', status: 301 }],
};

/** Another account's project, at `neighbours` below the platform's domain. */
const neighbours = (api: InMemoryApi) => {
  api.account('rival', 'pro');
  api.project('rival', 'shop', 'neighbours');
};

/** By call and code. */
export const provocations: Readonly<Record<string, Partial<Record<ProblemCode, Provocation>>>> = {
  showAccount: {},
  showUsage: {},
  listProjects: { 'account-not-ready': { query: page, ...unready } },
  createProject: {
    'account-not-ready': { body: { name: 'x', service }, ...unready },
    'invalid-hostname': { body: { name: 'xn--pypal-4ve', service } },
    'subdomain-reserved': { body: { name: 'x', service, subdomain: 'www' } },
    'subdomain-taken': { body: { name: 'x', service, subdomain: 'neighbours' }, given: neighbours },
    'already-exists': { body: { name: 'shop', service } },
    'project-cap-reached': {
      body: { name: 'one-more', service },
      given: (api) => ['a', 'b', 'c', 'd'].forEach((name) => api.project('acme', name)),
      plan: 'free',
    },
    'cluster-unavailable': { body: { name: 'x', service }, faults: cluster },
    'write-refused': { body: { name: 'x', service }, faults: refusing },
  },
  showProject: { 'not-found': missing, 'account-not-ready': { params: shop, ...unready } },
  changeProject: {
    'invalid-hostname': { params: shop, body: { subdomain: 'ab--cd' } },
    'subdomain-reserved': { params: shop, body: { subdomain: 'login' } },
    'subdomain-taken': { params: shop, body: { subdomain: 'neighbours' }, given: neighbours },
    'not-found': { ...missing, body: {} },
    'account-not-ready': { params: shop, body: {}, ...unready },
    conflict: { params: shop, body: { subdomain: 'x' }, faults: { replace: fault(409, 'Conflict') } },
    'cluster-unavailable': { params: shop, body: { subdomain: 'x' }, faults: cluster },
    'write-refused': { params: shop, body: { subdomain: 'x' }, faults: refusing },
  },
  deleteProject: {
    'not-found': missing,
    'account-not-ready': { params: shop, ...unready },
    'cluster-unavailable': { params: shop, faults: cluster },
    'write-refused': { params: shop, faults: refusing },
  },
  showDomainConfig: { 'not-found': missing, 'account-not-ready': { params: shop, ...unready } },
  replaceDomainConfig: {
    'not-found': { ...missing, body: { primary: null, redirects: [] } },
    'account-not-ready': { params: shop, body: { primary: null, redirects: [] }, ...unready },
    'plan-upgrade-required': { params: shop, body: { primary: 'a.example.com', redirects: [] }, plan: 'free' },
    'project-not-deployed': {
      params: { project: 'new' },
      body: { primary: 'a.example.com', redirects: [] },
      given: undeployed,
    },
    'domain-cap-reached': {
      params: shop,
      body: {
        primary: null,
        redirects: Array.from({ length: 50 }, (_, index) => ({
          from: `c${index}.example.com`,
          to: 'www.example.com',
          status: 301,
        })),
      },
    },
    'primary-exists': { params: shop, body: { primary: 'a.example.com', redirects: [] } },
    'hostname-in-use': {
      params: shop,
      body: { primary: null, redirects: [{ from: 'a.example.com', to: 'www.example.com', status: 301 }] },
      given: (api) => {
        api.project('acme', 'other');
        api.domain('acme', 'a.example.com', { spec: { project: 'other', hostname: 'a.example.com' } });
      },
    },
    'invalid-hostname': { params: shop, body: { primary: 'no host name', redirects: [] } },
    'invalid-redirect': { params: shop, body: { primary: null, redirects: [{ from: 'a.example.com', status: 301 }] } },
    conflict: {
      params: shop,
      body: anotherRedirect,
      faults: { replace: fault(409, 'Conflict') },
    },
    'cluster-unavailable': { params: shop, body: anotherRedirect, faults: cluster },
    'write-refused': { params: shop, body: anotherRedirect, faults: refusing },
  },
  listAccountDomains: {
    'account-not-ready': { query: page, ...unready },
    overloaded: { query: { q: 'www' }, given: manyLists },
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
    'invalid-redirect': { params: shop, body: { hostname: 'a.example.com', ...redirect('a.example.com') }, query: {} },
    'prepare-unavailable': {
      params: shop,
      body: { hostname: 'a.example.com', ...redirect('www.example.com'), prepare: true },
      query: {},
    },
    'cluster-unavailable': {
      params: shop,
      body: { hostname: 'a.example.com', ...redirect('www.example.com') },
      query: {},
      faults: cluster,
    },
    'write-refused': {
      params: shop,
      body: { hostname: 'a.example.com', ...redirect('www.example.com') },
      query: {},
      faults: refusing,
    },
    'label-cap-reached': {
      params: shop,
      body: { hostname: 'a.example.com', ...redirect('www.example.com'), labels: labels(20, 'v'.repeat(100)) },
      query: {},
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
    'project-not-deployed': { ...undeployedDomain, body: {} },
    'domain-cap-reached': { params: { ...shop, hostname: 'r50.example.com' }, body: {}, given: many(51) },
    'hostname-in-use': { ...secondHolder, body: {} },
    'primary-exists': {
      params: { ...shop, hostname: 'z.example.com' },
      body: { role: 'primary' },
      given: (api) =>
        api.domain('acme', 'z.example.com', {
          spec: { project: 'shop', hostname: 'z.example.com', role: 'Redirect', redirect: { to: 'www.example.com' } },
        }),
    },
    'invalid-hostname': { ...platformsDomain, body: {} },
    'invalid-redirect': { params: www, body: { role: 'redirect' } },
    'prepare-unavailable': { params: www, body: { prepare: true } },
    conflict: { params: www, body: {}, faults: { replace: fault(409, 'Conflict') } },
    'cluster-unavailable': { params: www, body: {}, faults: cluster },
    'write-refused': { params: www, body: {}, faults: refusing },
    'label-cap-reached': { params: www, body: { labels: labels(21) } },
  },
  removeDomain: {
    'not-found': { params: { ...shop, hostname: 'none.example.com' } },
    'account-not-ready': { params: www, ...unready },
    'invalid-redirect': { params: { ...shop, hostname: 'main.example.com' }, given: declared },
    conflict: { params: www, faults: { remove: fault(409, 'Conflict') } },
    'cluster-unavailable': { params: www, faults: cluster },
    'write-refused': { params: www, faults: refusing },
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
    'write-refused': { params: www, query: {}, faults: refusing },
  },
  showCertificate: {
    'not-found': { params: www },
    'account-not-ready': { params: www, ...unready },
  },
  replaceCertificate: {
    'not-found': { params: { ...shop, hostname: 'none.example.com' }, body: unread },
    'account-not-ready': { params: www, body: unread, ...unready },
    'plan-upgrade-required': { params: www, body: unread, plan: 'free' },
    'project-not-deployed': { ...undeployedDomain, body: unread },
    'domain-cap-reached': { params: { ...shop, hostname: 'r50.example.com' }, body: unread, given: many(51) },
    'primary-exists': {
      params: { ...shop, hostname: 'z.example.com' },
      body: unread,
      given: (api) =>
        api.domain('acme', 'z.example.com', {
          spec: { project: 'shop', hostname: 'z.example.com', role: 'Primary' },
        }),
    },
    'hostname-in-use': { ...secondHolder, body: unread },
    'invalid-hostname': { ...platformsDomain, body: unread },
    'invalid-redirect': {
      params: { ...shop, hostname: 'z.example.com' },
      body: unread,
      given: (api) =>
        api.domain('acme', 'z.example.com', {
          spec: { project: 'shop', hostname: 'z.example.com', role: 'Redirect', redirect: { to: 'z.example.com' } },
        }),
    },
    'hostname-not-held': { params: www, body: unread },
    'invalid-certificate': { params: www, body: unread, given: held },
    conflict: { params: www, body: sound(), given: held, faults: { replace: fault(409, 'Conflict') } },
    'cluster-unavailable': { params: www, body: sound(), given: held, faults: cluster },
    'write-refused': { params: www, body: sound(), given: held, faults: refusing },
  },
  removeCertificate: {
    'not-found': { params: www },
    'account-not-ready': { params: www, ...unready },
    conflict: { params: www, given: withCertificate, faults: { replace: fault(409, 'Conflict') } },
    'cluster-unavailable': { params: www, given: withCertificate, faults: cluster },
    'write-refused': { params: www, given: withCertificate, faults: refusing },
  },
  watchDomain: {
    'not-found': { params: { ...shop, hostname: 'none.example.com' } },
    'account-not-ready': { params: www, ...unready },
    'too-many-streams': {
      params: www,
      given: (api) => Array.from({ length: 10 }, () => api.dependencies.streams.take('acme')),
    },
  },
  listHandoverLinks: {
    'not-found': missing,
    'account-not-ready': { params: www, ...unready },
    'links-unavailable': { params: www, given: linksAway },
  },
  createHandoverLink: {
    'not-found': { ...missing, body: { days: 7 } },
    'account-not-ready': { params: www, body: { days: 7 }, ...unready },
    'link-cap-reached': { params: www, body: { days: 7 }, given: links(5) },
    'links-unavailable': { params: www, body: { days: 7 }, given: linksAway },
  },
  revokeHandoverLink: {
    'not-found': { params: { ...www, link: 'none' } },
    'account-not-ready': { params: { ...www, link: 'none' }, ...unready },
    'links-unavailable': { params: { ...www, link: 'none' }, given: linksAway },
  },
  lookUp: {
    'not-found': { body: { hostname: 'a.example.com', project: 'none' } },
    'account-not-ready': { body: { hostname: 'a.example.com', project: 'shop' }, ...unready },
    'invalid-hostname': { body: { hostname: 'a.apps.example.net' } },
    'too-many-lookups': { body: { hostname: 'a.example.com' }, given: lookUpMany('acme', 6) },
    overloaded: { body: { hostname: 'a.example.com' }, given: lookUpFromAll },
  },
  addDomains: { 'too-many-items': { body: { items: Array(1_001).fill({}) } } },
  verifyDomains: { 'too-many-items': { body: { items: Array(301).fill({}) } } },
  removeDomains: { 'too-many-items': { body: { items: Array(301).fill({}) } } },
  listKeys: {},
  createKey: {
    'key-cap-reached': {
      body: { scopes: ['domains:read'] },
      given: (api) => Array.from({ length: 4 }, () => api.key('acme', ['domains:read'])),
      plan: 'free',
    },
    'cluster-unavailable': { body: { scopes: ['domains:read'] }, faults: cluster },
    'write-refused': { body: { scopes: ['domains:read'] }, faults: refusing },
  },
  deleteKey: {
    'not-found': { params: { key: 'none' } },
    'cluster-unavailable': { params: { key: 'own' }, faults: cluster },
    'write-refused': { params: { key: 'own' }, faults: refusing },
  },
};

export const example = { hostname: 'example.com', role: 'redirect', redirect: { to: 'www.example.com' } };
const heldElsewhere = (api: InMemoryApi) =>
  api.put({
    apiVersion: 'projectdomain.io/v1alpha1',
    kind: 'HostnameClaim',
    metadata: { name: 'www.example.com' },
    spec: { account: 'id-of-acme', holder: { namespace: 'acme', name: 'www.example.com' }, phase: 'Held' },
  });

/** What each call makes of what its use case says; null for an empty body. */
export const answers: readonly (readonly [
  sentence: string,
  call: string,
  asked: Asked,
  status: number,
  part: object | null,
])[] = [
  [
    'shows facts of a certificate of its own',
    'showCertificate',
    { params: www, given: withCertificate },
    200,
    { issuer: 'CN=ca', names: ['www.example.com'], fingerprint: 'a'.repeat(64), served: false },
  ],
  [
    'takes a certificate',
    'replaceCertificate',
    { params: www, body: sound(), given: held },
    200,
    { issuer: 'O=Example, CN=Example Root', names: ['www.example.com'], served: false },
  ],
  ['goes back to automatic certificates', 'removeCertificate', { params: www, given: withCertificate }, 204, null],
  [
    'shows the account with caps of plan and process',
    'showAccount',
    {},
    200,
    { name: 'acme', limits: { maximum: { projects: 20, eventStreams: 10, bulkItems: 300 } } },
  ],
  [
    'shows what is used as what is not left',
    'showUsage',
    {},
    200,
    { minute: { used: 10, remaining: 999_990 }, ban: null },
  ],
  ['lists projects', 'listProjects', {}, 200, { items: [{ name: 'shop' }], nextCursor: null }],
  [
    'makes a project',
    'createProject',
    { body: { name: 'new', service } },
    201,
    { name: 'new', subdomain: null, platformHostname: null, state: 'pending', reason: 'waiting', deployedAt: null },
  ],
  [
    'finds a project that is there with the same service and subdomain',
    'createProject',
    { body: { name: 'shop', service, subdomain: 'acme' } },
    200,
    { name: 'shop', subdomain: 'acme' },
  ],
  [
    'makes a project at a subdomain that it asks for by name',
    'createProject',
    { body: { name: 'new', service, subdomain: 'store' } },
    201,
    { name: 'new', subdomain: 'store', platformHostname: null },
  ],
  [
    'makes a project whose name is another’s address, or reserved, as it is given one',
    'createProject',
    { body: { name: 'neighbours', service }, given: neighbours },
    201,
    { name: 'neighbours', subdomain: null, platformHostname: null },
  ],
  [
    'takes a subdomain by name away',
    'changeProject',
    { params: shop, body: { subdomain: null } },
    200,
    { subdomain: null, service },
  ],
  ['keeps a subdomain that is not given', 'changeProject', { params: shop, body: {} }, 200, { subdomain: 'acme' }],
  [
    'shows a project',
    'showProject',
    { params: shop },
    200,
    { name: 'shop', platformHostname: 'acme.apps.example.net' },
  ],
  [
    'changes what is given of a project',
    'changeProject',
    { params: shop, body: { subdomain: 'other' } },
    200,
    { subdomain: 'other', service },
  ],
  ['deletes a project without a body', 'deleteProject', { params: shop }, 204, null],
  [
    'shows a configuration of what was added separately',
    'showDomainConfig',
    { params: shop },
    200,
    { primary: 'www.example.com', redirects: [], others: [] },
  ],
  [
    'takes back what it shows',
    'replaceDomainConfig',
    { params: shop, body: { primary: 'www.example.com', redirects: [], others: [] } },
    200,
    { primary: 'www.example.com', redirects: [], adopted: ['www.example.com'], kept: [] },
  ],
  [
    'names what was added separately and is not listed, which stays',
    'replaceDomainConfig',
    { params: shop, body: { redirects: [] } },
    200,
    { primary: 'www.example.com', redirects: [], adopted: [], kept: ['www.example.com'] },
  ],
  [
    'shows a configuration with the destinations that it means',
    'replaceDomainConfig',
    {
      params: shop,
      body: { primary: 'a.example.com', redirects: [{ from: 'b.example.com' }] },
      given: withoutWww,
    },
    200,
    { primary: 'a.example.com', redirects: [{ from: 'b.example.com', to: 'a.example.com', status: 301 }] },
  ],
  [
    'lists the domains of all projects',
    'listAccountDomains',
    {},
    200,
    { items: [{ hostname: 'www.example.com', project: 'shop' }], nextCursor: null, total: { count: 1, exact: true } },
  ],
  [
    'lists domains that match',
    'listAccountDomains',
    { query: { state: 'pending' } },
    200,
    { items: [], nextCursor: null, total: { count: 0, exact: true } },
  ],
  [
    'lists domains',
    'listDomains',
    { params: shop },
    200,
    { items: [{ hostname: 'www.example.com' }], nextCursor: null },
  ],
  [
    'shows a domain, whatever the case of its name',
    'showDomain',
    { params: { ...shop, hostname: 'WWW.example.com' } },
    200,
    { hostname: 'www.example.com', role: 'primary', state: 'live' },
  ],
  [
    'adds a domain',
    'addDomain',
    { params: shop, body: example },
    201,
    { hostname: 'example.com', role: 'redirect', state: 'unverified' },
  ],
  [
    'adds a domain with labels',
    'addDomain',
    { params: shop, body: { ...example, labels: { customer: 'cus_123' } } },
    201,
    { hostname: 'example.com', labels: { customer: 'cus_123' } },
  ],
  [
    'changes the labels that are named',
    'changeDomain',
    { params: www, body: { labels: { customer: 'cus_123', none: null } } },
    200,
    { hostname: 'www.example.com', role: 'primary', labels: { customer: 'cus_123' } },
  ],
  [
    'adds nothing in a dry run',
    'addDomain',
    { params: shop, body: example, query: { dryRun: 'true' } },
    200,
    { hostname: 'example.com', createdAt: null },
  ],
  [
    'looks at DNS in a dry run that asks for it, and adds nothing',
    'addDomain',
    { params: shop, body: example, query: { dryRun: 'lookup' } },
    200,
    { hostname: 'example.com', createdAt: null, lookup: { zone: 'example.com', routing: { code: 'record-missing' } } },
  ],
  [
    'shows the records of a dry run although there is no time for its look at DNS',
    'addDomain',
    { params: shop, body: example, query: { dryRun: 'lookup' }, given: lookUpMany('acme', 6) },
    200,
    { hostname: 'example.com', records: [{ name: '@', type: 'ALIAS' }, { type: 'TXT' }], lookup: null },
  ],
  [
    'says of a hostname what DNS has, what it should have, and that Add would refuse it as a second primary',
    'lookUp',
    { body: { hostname: 'a.example.com', project: 'shop' } },
    200,
    {
      acceptance: { accepted: false, code: 'primary-exists' },
      records: [{ type: 'CNAME', name: 'a', fqdn: 'a.example.com' }],
      zone: 'example.com',
      issues: [{ code: 'record-missing' }],
    },
  ],
  [
    'says of a hostname that another account holds which record would claim it, and not who holds it',
    'lookUp',
    {
      body: { hostname: 'held.example.com', project: 'new' },
      given: (api) => {
        api.project('acme', 'new');
        api.put({
          apiVersion: 'projectdomain.io/v1alpha1',
          kind: 'HostnameClaim',
          metadata: { name: 'held.example.com' },
          spec: { account: 'id-of-other', holder: { namespace: 'other', name: 'held' }, phase: 'Held', epoch: 1 },
        });
      },
    },
    200,
    {
      acceptance: {
        accepted: true,
        code: null,
        message: 'another account proved this hostname; create the TXT record shown to claim it',
      },
      records: [{ type: 'CNAME' }, { type: 'TXT', name: '_projectdomain-challenge.held' }],
    },
  ],
  [
    'looks at what needs no project without one',
    'lookUp',
    { body: { hostname: 'a.example.com' } },
    200,
    { project: null, acceptance: null, records: [], caa: { verdict: 'yes' } },
  ],
  [
    'shows a domain that is added again',
    'addDomain',
    { params: shop, body: { hostname: 'www.example.com' } },
    200,
    { hostname: 'www.example.com', state: 'live' },
  ],
  [
    'changes a domain',
    'changeDomain',
    {
      params: { ...shop, hostname: 'r.example.com' },
      body: { redirect: { to: 'www.example.com', status: 308 } },
      given: (api) =>
        api.domain('acme', 'r.example.com', {
          spec: { project: 'shop', hostname: 'r.example.com', role: 'Redirect', redirect: { to: 'www.example.com' } },
        }),
    },
    200,
    { redirect: { to: 'www.example.com', status: 308 } },
  ],
  ['removes a domain without a body', 'removeDomain', { params: www }, 204, null],
  [
    'says that removal goes on while the name is held',
    'removeDomain',
    { params: www, given: heldElsewhere, isGoneOnceRemoved: true },
    202,
    { hostname: 'www.example.com' },
  ],
  ['asks for a check', 'verifyDomain', { params: www }, 202, { hostname: 'www.example.com' }],
  [
    'says that a check is not over in time',
    'verifyDomain',
    { params: www, query: { wait: '1' } },
    202,
    { state: 'live' },
  ],
  [
    'adds many domains, each with an answer of its own',
    'addDomains',
    {
      body: {
        items: [
          { project: 'shop', ...example },
          { project: 'shop', ...example, hostname: 'WWW' },
          { project: 'none', ...example },
          { project: 'shop', hostname: 'www.example.com' },
          { project: 'shop', hostname: 'a.example.com', colour: 1 },
          'a.example.com',
        ],
      },
    },
    200,
    {
      items: [
        {
          ...{ project: 'shop', hostname: 'example.com', status: 201, problem: null },
          domain: { state: 'unverified', records: [{ name: '@', type: 'ALIAS' }, { type: 'TXT' }] },
        },
        { project: 'shop', status: 422, domain: null, problem: { code: 'invalid-hostname' } },
        { project: 'none', status: 404, domain: null, problem: { code: 'not-found', status: 404 } },
        { hostname: 'www.example.com', status: 200, domain: { state: 'live' }, problem: null },
        { project: null, hostname: null, status: 400, problem: { code: 'unknown-field' } },
        { project: null, hostname: null, status: 400, problem: { code: 'malformed-request' } },
      ],
      succeeded: 2,
      failed: 4,
    },
  ],
  [
    'says of many domains what adding them would be answered with',
    'addDomains',
    {
      body: {
        items: [
          { project: 'shop', ...example },
          { project: 'shop', hostname: 'b.example.com' },
        ],
      },
      query: { dryRun: 'true' },
    },
    200,
    { items: [{ status: 201 }, { status: 409, problem: { code: 'primary-exists' } }], succeeded: 1, failed: 1 },
  ],
  [
    'asks for a check of many domains',
    'verifyDomains',
    { body: { items: [www, { ...shop, hostname: 'none.example.com' }, { hostname: 'a.example.com' }] } },
    200,
    {
      items: [
        { ...www, status: 202, domain: { state: 'live' } },
        { status: 404, problem: { code: 'not-found', missing: 'domain' } },
        { status: 400, problem: { code: 'malformed-request' } },
      ],
      succeeded: 1,
      failed: 2,
    },
  ],
  [
    'removes many domains, one that is named twice once',
    'removeDomains',
    { body: { items: [www, www] } },
    200,
    {
      items: [
        { ...www, status: 202 },
        { ...www, status: 404 },
      ],
      succeeded: 1,
      failed: 1,
    },
  ],
  ['lists no links where there are none', 'listHandoverLinks', { params: www }, 200, { items: [] }],
  ['makes a link of seven days', 'createHandoverLink', { params: www, body: {} }, 201, {}],
  ['lists keys without their secrets', 'listKeys', {}, 200, { nextCursor: null }],
  [
    'shows a new key this once',
    'createKey',
    { body: { scopes: ['domains:read'] } },
    201,
    { scopes: ['domains:read'], expiresAt: null },
  ],
  ['deletes a key without a body', 'deleteKey', {}, 204, null],
];
