import { recordValues } from '../../src/rules/dns-target.ts';
import { randomInt, randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually, expectThat } from '../../dev/lib/eventually.ts';
import { createApp } from '../../src/server/http-app.ts';
import { createCursors } from '../../src/use-cases/cursors.ts';
import { createDomainOrders } from '../../src/use-cases/domain-orders.ts';
import { createBulkTurns } from '../../src/use-cases/bulk/bulk-turns.ts';
import { createLongLists } from '../../src/use-cases/find-domains.ts';
import { createRememberedViews } from '../../src/use-cases/remembered-views.ts';
import { createStreamSlots } from '../../src/use-cases/event-streams.ts';
import type { Lookups } from '../../src/use-cases/lookup-queue.ts';
import { createLookups } from '../../src/use-cases/lookup-queue.ts';
import { createWrites } from '../../src/use-cases/writes/writes.ts';
import { createKeyStatus } from '../../src/use-cases/key-usage-status.ts';
import { clientAddress, forwardedHttps } from '../../src/server/client-address.ts';
import type { SocketLimits } from '../../src/lib/bounded-server.ts';
import type { ApiDependencies } from '../../src/use-cases/api-dependencies.ts';
import type { ApiStores } from '../../src/api-server/api-stores.ts';
import { createApiListener } from '../../src/api-server/api-listener.ts';
import { createApiStores } from '../../src/api-server/api-stores.ts';
import type { ApiKey } from '../../src/generated/api-key.ts';
import type { Cluster, Kind, KubernetesObject, ObjectKey } from '../../src/kubernetes/kubernetes-port.ts';
import type { Store } from '../../src/kubernetes/store.ts';
import { accountLabel } from '../../src/resources/object-metadata.ts';
import { drawKey } from '../../src/rules/api-key-format.ts';
import { createLimiter } from '../../src/quota/limiter.ts';
import { createRedisScriptClient } from '../../src/quota/redis-script-client.ts';
import type { RedisPlace } from '../../src/lib/redis/redis-client.ts';
import { connectRedis } from '../../src/lib/redis/redis-client.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { silentLog } from '../../src/lib/log.ts';
import { createDashboard } from '../../src/dashboard/dashboard-app.ts';
import { createHandoverLinks } from '../../src/dashboard/links/redis-handover-links.ts';
import { createSessions } from '../../src/dashboard/sessions/redis-sessions.ts';
import type { Sessions } from '../../src/dashboard/sessions/sessions-port.ts';
import type { Limiter } from '../../src/quota/quota-port.ts';
import { askRaw } from '../browser/raw.ts';
import type { RawAnswer, RawCall } from '../browser/raw.ts';
import { emptyDns } from './scripted-lookups.ts';
import { presentation } from './view-context.ts';
import { answeredAnew } from './answered-anew.ts';

/** The whole API over real HTTP and a real Redis; the cluster behind it is what stands in its caches. */
export interface AttackApi {
  readonly url: string;
  readonly sessions: Sessions;
  readonly limiter: Limiter;
  readonly stores: ApiStores;
  /** sessions found that the API did not write */
  forgeries(): number;
  /** An account of a plan with these limits, its namespace and a deployed project `shop` with a domain. */
  account(name: string, limits?: Partial<RateLimit>): void;
  key(account: string, changes?: Partial<ApiKey['spec']>): MadeKey;
  rest(key: string | null, path: string, call?: RawCall & { readonly json?: unknown }): Promise<RawAnswer>;
  /** A browser that keeps its cookie and reads the token of the page it saw last. */
  browser(from?: string, agent?: string): Browser;
  close(): Promise<void>;
}

interface RateLimit {
  readonly requestsPerMinute: number;
  readonly requestsPerDay: number;
}

export interface MadeKey {
  readonly key: string;
  readonly keyId: string;
  readonly name: string;
}

export interface Browser {
  cookie: string;
  csrf: string;
  readonly agent: string;
  readonly from: string;
  get(path: string): Promise<RawAnswer>;
  post(path: string, form?: Readonly<Record<string, string>>): Promise<RawAnswer>;
  /** Enters the key, and goes to the first page when that was right. */
  signIn(key: string): Promise<RawAnswer>;
}

export interface AttackOptions {
  readonly trustedProxies?: readonly string[];
  readonly secret?: Uint8Array;
  /** of its sockets, other than the shipped ones */
  readonly limits?: Partial<SocketLimits>;
  /** where browsers have the dashboard, where that is not what Host says */
  readonly publicUrl?: string;
  /** how hostnames are looked up in DNS; without it everything is an empty zone */
  readonly lookups?: Lookups;
}

const apiVersion = 'projectdomain.io/v1alpha1';
let versions = 1_000;
const stamped = (extra: object) => ({ uid: randomUUID(), resourceVersion: String((versions += 1)), ...extra });

export async function startAttackApi(place: RedisPlace, options: AttackOptions = {}): Promise<AttackApi> {
  const stores = createApiStores((error) => {
    throw error;
  });
  const redis = connectRedis(place, silentLog);
  const limiter = createLimiter({
    client: createRedisScriptClient(redis),
    replicas: () => 1,
    clock: systemClock,
    observe: () => undefined,
  });
  const stopping = new AbortController();
  let forgeries = 0;
  const secret = options.secret ?? Buffer.alloc(32, 7);
  const cnameDomain = 'cname.apps.example.net';
  const inRedis = { redis, secret, now: () => Date.now(), forged: () => (forgeries += 1) };
  const dependencies: ApiDependencies = Object.freeze({
    caches: stores,
    cluster: clusterOver(stores),
    writes: createWrites(),
    streams: createStreamSlots(),
    cursors: createCursors(secret),
    orders: createDomainOrders(stores.domains),
    views: createRememberedViews(),
    longLists: createLongLists(),
    bulks: createBulkTurns(),
    shadowed: () => undefined,
    lookups: options.lookups ?? createLookups({ dns: emptyDns }),
    driftInterval: () => 15 * 60_000,
    handoverLinks: createHandoverLinks(inRedis),
    isIssuedByPublicRoot: () => false,
    settings: {
      platformDomain: 'apps.example.net',
      cnameDomain,
      requireTxt: false,
      challengeZone: null,
      wildcards: false,
      records: recordValues(secret, cnameDomain),
    },
    limiter,
    now: () => Date.now(),
    random: randomInt,
    stopping: stopping.signal,
  });
  const sessions = createSessions(inRedis);
  const noteUse = createKeyStatus(dependencies, silentLog);
  const faults: unknown[] = [];
  const { trustedProxies = [], publicUrl = null } = options;
  const address = clientAddress(trustedProxies, 'X-Forwarded-For');
  const server = createApiListener(
    createApp({
      dependencies,
      answerOnce: answeredAnew,
      address,
      isHttps: forwardedHttps(trustedProxies, 'X-Forwarded-For'),
      arrived: () => undefined,
      decided: (decision, caller) => caller && noteUse(caller, decision),
      failed: (error) => void faults.push(error),
      observe: () => ({ within: (work) => work(), served: () => undefined }),
      pages: (mount) =>
        createDashboard({ ...mount, dependencies: { ...dependencies, ...presentation, publicUrl, sessions } }),
    }),
    { dependencies, address, limits: options.limits ?? {} },
    { trustedProxies },
  );
  const url = await listening(server);
  await eventually('Redis decides', 10_000, async () => {
    const ask = { budget: 'a:start', key: null, limits: { perMinute: 1, perDay: null }, liftedAt: null } as const;
    expectThat(!(await limiter.decide({ ...ask, spend: 0 })).degraded, 'alone');
  });
  const rest: AttackApi['rest'] = (key, path, { json, ...call } = {}) =>
    askRaw(`${url}${path}`, {
      ...call,
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      headers: { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...call.headers },
    });
  return {
    url,
    sessions,
    limiter,
    forgeries: () => forgeries,
    stores,
    account: (name, limits = {}) => addAccount(stores, name, limits),
    key: (account, changes = {}) => addKey(stores, account, changes),
    rest,
    browser: (from = '127.0.0.1', agent = 'Mozilla/5.0') => createBrowser(url, from, agent),
    async close() {
      stopping.abort();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await limiter.close();
      if (faults.length > 0) throw new Error(`the API failed: ${faults.map(String).join('; ')}`);
    },
  };
}

function listening(server: Server): Promise<string> {
  return new Promise((done) => {
    server.listen(0, '127.0.0.1', () => done(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
}

function addAccount(stores: ApiStores, name: string, limits: Partial<RateLimit>): void {
  const rateLimit = { requestsPerMinute: 60, requestsPerDay: 1_000, ...limits };
  const spec = { rateLimit, customDomains: { enabled: true, maxPerProject: 50 } };
  stores.plans.put({ apiVersion, kind: 'Plan', metadata: { name: `plan-${name}`, ...stamped({}) }, spec });
  stores.accounts.put({
    apiVersion,
    kind: 'Account',
    metadata: { name, ...stamped({}) },
    spec: { plan: `plan-${name}`, id: randomUUID() },
  });
  const labels = { [accountLabel]: name };
  stores.namespaces.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels, ...stamped({}) } });
  stores.projects.put({
    apiVersion,
    kind: 'Project',
    metadata: { name: 'shop', namespace: name, ...stamped({}) },
    spec: { service: { name: 'web', port: 80 }, subdomain: `${name}-shop` },
    status: { deployedAt: '2026-01-01T00:00:00Z' },
  });
  stores.domains.put({
    apiVersion,
    kind: 'ProjectDomain',
    metadata: {
      name: `www.${name}.example`,
      namespace: name,
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...stamped({}),
    },
    spec: { project: 'shop', hostname: `www.${name}.example`, role: 'Primary' },
    status: { state: 'Live' },
  } as never);
}

function addKey(stores: ApiStores, account: string, changes: Partial<ApiKey['spec']>): MadeKey {
  const { key, keyId, sha256 } = drawKey(randomInt);
  const name = `key-${keyId}`;
  const scopes = ['domains:read', 'domains:write', 'keys:write'] as const;
  const spec = { account, scopes, keyId, sha256, ...changes };
  stores.apiKeys.put({ apiVersion, kind: 'ApiKey', metadata: { name, ...stamped({}) }, spec });
  return { key, keyId, name };
}

/** Writes what is written into the caches, as a watch would bring it back. */
function clusterOver(stores: ApiStores): Cluster {
  const storeOf = (kind: Kind) => {
    const byKind: Readonly<Record<string, unknown>> = {
      ApiKey: stores.apiKeys,
      Project: stores.projects,
      ProjectDomain: stores.domains,
    };
    return byKind[kind.kind] as Store<KubernetesObject>;
  };
  const merge = (kind: Kind, intent: KubernetesObject) => {
    const { name, namespace = '' } = intent.metadata;
    const before = storeOf(kind).get({ namespace, name });
    const uid = before?.metadata.uid ?? randomUUID();
    const after = { ...before, ...intent, metadata: { ...before?.metadata, ...intent.metadata, ...stamped({ uid }) } };
    storeOf(kind).put(after);
    return Promise.resolve(after as never);
  };
  const get = (kind: Kind, key: ObjectKey) => Promise.resolve(storeOf(kind).get(key) as never);
  return {
    get,
    list: (kind) => Promise.resolve(storeOf(kind).list() as never),
    create: merge,
    replace: merge,
    replaceStatus: merge,
    apply: merge,
    applyStatus: merge,
    remove(kind, key) {
      const there = storeOf(kind).get(key);
      if (there) storeOf(kind).drop(there);
      return Promise.resolve(there !== undefined);
    },
  };
}

function createBrowser(url: string, from: string, agent: string): Browser {
  const ask = async (path: string, call: RawCall): Promise<RawAnswer> => {
    const answer = await askRaw(`${url}${path}`, {
      ...call,
      from,
      headers: { ...(browser.cookie === '' ? {} : { cookie: browser.cookie }), 'user-agent': agent, ...call.headers },
    });
    const set = String(answer.headers['set-cookie'] ?? '').split(';')[0] ?? '';
    if (set !== '') browser.cookie = set;
    browser.csrf = /name="csrf" value="([^"]+)"/.exec(answer.body)?.[1] ?? browser.csrf;
    return answer;
  };
  const browser: Browser = {
    cookie: '',
    csrf: '',
    agent,
    from,
    get: (path) => ask(path, {}),
    post: (path, form = {}) => ask(path, { method: 'POST', form: { csrf: browser.csrf, ...form } }),
    async signIn(key) {
      const entered = await ask('/dashboard/sign-in', { method: 'POST', form: { key } });
      if (entered.status === 303) await ask('/dashboard/help', {});
      return entered;
    },
  };
  return browser;
}
