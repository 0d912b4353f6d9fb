import { randomInt } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Rest } from '../../dev/lib/rest.ts';
import { restClient } from '../../dev/lib/rest.ts';
import type { ApiStores } from '../../src/api-server/api-stores.ts';
import { createApiStores } from '../../src/api-server/api-stores.ts';
import { createApp } from '../../src/server/http-app.ts';
import type { ApiDependencies } from '../../src/use-cases/api-dependencies.ts';
import { createStreamSlots } from '../../src/use-cases/event-streams.ts';
import { createWrites } from '../../src/use-cases/writes/writes.ts';
import { drawKey } from '../../src/rules/api-key-format.ts';
import { accountLabel } from '../../src/resources/account-label.ts';
import type { Limiter } from '../../src/quota/quota-port.ts';
import type { MemoryCluster } from './memory-cluster.ts';
import { createMemoryCluster } from './memory-cluster.ts';
import { defaultPlans } from './plans.ts';

const apiVersion = 'projectdomain.io/v1alpha1';

/** The API server's own code behind a real socket; the cluster behind it is in memory, so that faults can be scripted. */
export interface ApiOnStores {
  readonly url: string;
  readonly stores: ApiStores;
  readonly cluster: MemoryCluster;
  /** Makes account, namespace and project `shop` (deployed), and a key of all scopes. */
  account(name: string, plan: string): Rest & { readonly key: string };
  /** A deployed project, at `<name>-<account>` under the platform's domain. */
  project(account: string, name: string): void;
  /** Who shows this key. */
  as(key: string): Rest;
  /** Puts an object into the cluster and the cache at once. */
  put(object: object): void;
  stop(): Promise<void>;
}

/** Never says no: what these tests attack lies behind the quota. */
const generous: Limiter = {
  decide: () => {
    const now = Date.now();
    const minute = { limit: 1_000_000, remaining: 1_000_000, resetAt: Math.ceil(now / 1_000) + 60 };
    const common = { kind: 'allowed', now, minute, day: minute, binding: 'minute', retryAfter: null } as const;
    return Promise.resolve({ ...common, ban: null, banBegins: false, degraded: false });
  },
  close: () => Promise.resolve(),
};

export interface Circumstances {
  /** how long the cluster takes for a write; milliseconds */
  readonly writeMs?: number;
  /** how many it works on at a time; the others wait in front of it, and their deadline runs */
  readonly atATime?: number;
  /** how much later the cache hears of a write; milliseconds */
  readonly watchMs?: number;
}

export async function startApiOnStores(circumstances: Circumstances = {}): Promise<ApiOnStores> {
  const stores = createApiStores((error) => {
    throw error;
  });
  const cluster = createMemoryCluster(stores, circumstances);
  for (const [name, spec] of Object.entries(defaultPlans))
    cluster.put({ apiVersion, kind: 'Plan', metadata: { name }, spec });
  const stopping = new AbortController();
  const dependencies: ApiDependencies = {
    caches: stores,
    cluster,
    writes: createWrites(),
    streams: createStreamSlots(),
    settings: {
      platformDomain: 'apps.example.net',
      cnameDomain: 'cname.apps.example.net',
      requireTxt: false,
      secret: Buffer.alloc(32, 1),
    },
    limiter: generous,
    now: () => Date.now(),
    random: randomInt,
    stopping: stopping.signal,
  };
  const ignore = () => undefined;
  const app = createApp({
    dependencies,
    address: () => '127.0.0.1',
    isHttps: () => false,
    arrived: ignore,
    served: ignore,
    decided: ignore,
    failed: (error) => void process.stderr.write(`${String(error)}\n`),
    pages: () => (_request, _response, next) => next(),
  });
  const server = createServer({ keepAliveTimeout: 75_000 }, app);
  await new Promise<void>((done) => server.listen({ port: 0, host: '127.0.0.1', backlog: 2_048 }, done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const project = (namespace: string, name: string, subdomain = `${name}-${namespace}`) =>
    cluster.put({
      apiVersion,
      kind: 'Project',
      metadata: { name, namespace },
      spec: { service: { name: 'web', port: 80 }, subdomain },
      status: { deployedAt: '2026-01-01T00:00:00Z', platformHostname: `${subdomain}.apps.example.net` },
    });
  return {
    url,
    stores,
    cluster,
    put: cluster.put,
    project,
    as: (key) => restClient(url, key),
    account(name, plan) {
      const { key, keyId, sha256 } = drawKey(randomInt);
      cluster.put({ apiVersion, kind: 'Account', metadata: { name }, spec: { plan, id: `id-of-${name}` } });
      cluster.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: { [accountLabel]: name } } });
      project(name, 'shop', name);
      cluster.put({
        apiVersion,
        kind: 'ApiKey',
        metadata: { name: `key-${keyId}` },
        spec: { account: name, keyId, sha256, scopes: ['domains:read', 'domains:write', 'keys:write'] },
      });
      return Object.assign(restClient(url, key), { key });
    },
    async stop() {
      stopping.abort();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
