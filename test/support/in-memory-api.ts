import { recordValues } from '../../src/rules/dns-target.ts';
import { randomInt } from 'node:crypto';
import type { ApiStores } from '../../src/api-server/api-stores.ts';
import { createApiStores } from '../../src/api-server/api-stores.ts';
import { callerOf } from '../../src/use-cases/caller.ts';
import type { ApiDependencies, RequestContext } from '../../src/use-cases/api-dependencies.ts';
import { createStreamSlots } from '../../src/use-cases/event-streams.ts';
import type { Lookups } from '../../src/use-cases/lookup-queue.ts';
import { createLookups } from '../../src/use-cases/lookup-queue.ts';
import { createCursors } from '../../src/use-cases/cursors.ts';
import { createDomainOrders } from '../../src/use-cases/domain-orders.ts';
import { createBulkTurns } from '../../src/use-cases/bulk/bulk-turns.ts';
import { createLongLists } from '../../src/use-cases/find-domains.ts';
import { createRememberedViews } from '../../src/use-cases/remembered-views.ts';
import { createWrites } from '../../src/use-cases/writes/writes.ts';
import { accountLabel } from '../../src/resources/object-metadata.ts';
import type { ProjectDomain } from '../../src/generated/project-domain.ts';
import { drawKey, scopes as allScopes } from '../../src/rules/api-key-format.ts';
import type { Scope } from '../../src/rules/api-key-format.ts';
import type { Limiter } from '../../src/quota/quota-port.ts';
import type { MemoryCluster, Pace } from './memory-cluster.ts';
import { createMemoryCluster } from './memory-cluster.ts';
import { defaultPlans } from './plans.ts';
import type { MemoryHandoverLinks } from './memory-handover-links.ts';
import { createMemoryHandoverLinks } from './memory-handover-links.ts';
import { emptyDns } from './scripted-lookups.ts';

const apiVersion = 'projectdomain.io/v1alpha1';

/** Everything that use cases touch, in memory: no socket, no Redis, and a cluster whose faults are scripted. */
export interface InMemoryApi {
  readonly dependencies: ApiDependencies;
  readonly stores: ApiStores;
  readonly cluster: MemoryCluster;
  readonly handoverLinks: MemoryHandoverLinks;
  /** Makes account, namespace and project `shop` (deployed), and returns a key of all scopes. */
  account(name: string, plan: string): string;
  /** A key of an account with these scopes. */
  key(account: string, scopes: readonly Scope[]): string;
  /** A deployed project, at `<name>-<account>` under the platform's domain. */
  project(account: string, name: string, subdomain?: string): void;
  /** A stand-alone domain of project `shop`, named by its hostname; Live unless it is said otherwise. */
  domain(account: string, hostname: string, changes?: Partial<Pick<ProjectDomain, 'spec' | 'status'>>): void;
  /** Puts an object into the cluster and the cache at once. */
  put(object: object): void;
  /** What a use case is called with by whoever shows this key. */
  as(key: string, changes?: Partial<RequestContext>): RequestContext;
  /** Ends whatever waits. */
  stop(): void;
}

/** Never says no: what these tests are about lies behind the quota. */
const generous: Limiter = {
  recall: () => null,
  decide: () => {
    const now = Date.now();
    const minute = { limit: 1_000_000, remaining: 999_990, resetsAtMs: now + 60_000 };
    const common = { kind: 'allowed', now, minute, day: minute, binding: 'minute', retryAfter: null } as const;
    return Promise.resolve({ ...common, ban: null, banBegins: false, degraded: false });
  },
  close: () => Promise.resolve(),
};

/** As the chart's plans. */
const shownAs = (plan: string) => ({ listed: true, ...(plan === 'enterprise' ? { negotiated: true } : {}) });

export function createInMemoryApi(pace: Pace = {}, lookups: Lookups = createLookups({ dns: emptyDns })): InMemoryApi {
  const stores = createApiStores((error) => {
    throw error;
  });
  const cluster = createMemoryCluster(stores, pace);
  for (const [name, spec] of Object.entries(defaultPlans))
    cluster.put({ apiVersion, kind: 'Plan', metadata: { name }, spec: { ...spec, ...shownAs(name) } });
  const stopping = new AbortController();
  const handoverLinks = createMemoryHandoverLinks(() => Date.now());
  const dependencies: ApiDependencies = {
    caches: stores,
    cluster,
    writes: createWrites(),
    streams: createStreamSlots(),
    cursors: createCursors(Buffer.alloc(32, 1)),
    orders: createDomainOrders(stores.domains),
    views: createRememberedViews(),
    longLists: createLongLists(),
    bulks: createBulkTurns(),
    shadowed: () => undefined,
    lookups,
    driftInterval: () => 15 * 60_000,
    handoverLinks,
    isIssuedByPublicRoot: () => false,
    settings: {
      platformDomain: 'apps.example.net',
      cnameDomain: 'cname.apps.example.net',
      requireTxt: false,
      challengeZone: null,
      wildcards: false,
      records: recordValues(Buffer.alloc(32, 1), 'cname.apps.example.net'),
    },
    limiter: generous,
    now: () => Date.now(),
    random: randomInt,
    stopping: stopping.signal,
  };
  const project = (namespace: string, name: string, subdomain = `${name}-${namespace}`) => {
    const platformHostname = `${subdomain}.apps.example.net`;
    cluster.put({
      apiVersion,
      kind: 'Project',
      metadata: { name, namespace },
      spec: { service: { name: 'web', port: 80 }, subdomain },
      status: { deployedAt: '2026-01-01T00:00:00Z', platformHostname },
    });
    cluster.put({
      apiVersion,
      kind: 'HostnameClaim',
      metadata: { name: platformHostname },
      spec: {
        account: `id-of-${namespace}`,
        holder: { namespace, name },
        phase: 'Held',
        epoch: 1,
        proof: { method: 'Platform', at: '2026-01-01T00:00:00Z' },
      },
    });
  };
  const makeKey = (account: string, scopes: readonly Scope[]) => {
    const { key, keyId, sha256 } = drawKey(randomInt);
    const spec = { account, keyId, sha256, scopes };
    cluster.put({ apiVersion, kind: 'ApiKey', metadata: { name: `key-${keyId}` }, spec });
    return key;
  };
  return {
    dependencies,
    stores,
    cluster,
    handoverLinks,
    put: cluster.put,
    project,
    key: makeKey,
    account(name, plan) {
      cluster.put({ apiVersion, kind: 'Account', metadata: { name }, spec: { plan, id: `id-of-${name}` } });
      cluster.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: { [accountLabel]: name } } });
      project(name, 'shop', name);
      return makeKey(name, allScopes);
    },
    domain: (namespace, hostname, changes = {}) =>
      cluster.put({
        apiVersion,
        kind: 'ProjectDomain',
        metadata: { name: hostname, namespace },
        spec: { project: 'shop', hostname, role: 'Primary' },
        status: {
          state: 'Live',
          conditions: [{ type: 'Ready', status: 'True', reason: 'Routed', message: 'it answers' }],
        },
        ...changes,
      }),
    as(key, changes = {}) {
      const caller = callerOf(stores, key, Date.now());
      if ('refused' in caller) throw new Error(caller.refused);
      return { dependencies, caller, signal: new AbortController().signal, ...changes };
    },
    stop: () => stopping.abort(),
  };
}
