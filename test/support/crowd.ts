import { routes, settings } from './snapshot.ts';
import { createTimeSlices } from '../../src/lib/time-slices.ts';
import type { Kind, KubernetesObject } from '../../src/kubernetes/kubernetes-port.ts';
import { AccountKind, NamespaceKind, PlanKind, ProjectDomainKind, ProjectKind } from '../../src/resources/kinds.ts';
import { connectTriggers } from '../../src/operator/connect-triggers.ts';
import type { Queues } from '../../src/operator/work-queues.ts';
import { createQueues, workersOf } from '../../src/operator/work-queues.ts';
import { operatorConfig } from './process-configs.ts';
import type { Steps } from './counted-slices.ts';
import { countedSlices } from './counted-slices.ts';
import type { OperatorStores } from '../../src/operator/operator-stores.ts';
import { createOperatorStores } from '../../src/operator/operator-stores.ts';
import type { ProjectDomain } from '../../src/generated/project-domain.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { silentLog } from '../../src/lib/log.ts';
import { defaultPlans } from './plans.ts';

export interface Crowd {
  readonly stores: OperatorStores;
  readonly queues: Queues;
  /** Puts a changed object into its store, with the next version, as a watch would. */
  change<T extends KubernetesObject>(store: { put(object: T): void }, object: T, changes: Changes): void;
  domain(account: number, index: number): ProjectDomain;
  /** Connects the triggers, as a new leader does. Tells how far its sweeps are. */
  connect(): Steps;
  /** Connects the triggers and waits until what a new leader begins with is in the queues; then empties these. */
  lead(): Promise<Steps>;
  close(): void;
}

interface Changes {
  readonly spec?: object;
  readonly annotations?: Readonly<Record<string, string>>;
}

export interface Size {
  readonly accounts: number;
  readonly domainsEach: number;
}

/**
 * The operator's real caches, indexes, triggers and queues with many accounts, a project each, in this process. By the clock its sweeps
 * know when a slice is over.
 */
export function createCrowd({ accounts, domainsEach }: Size, clock: Clock = systemClock): Crowd {
  let version = 0;
  const stores = createOperatorStores(routes, (error) => {
    throw error;
  });
  const queues = createQueues(clock, stores, workersOf(operatorConfig));
  const metadata = (name: string, namespace?: string) => {
    version += 1;
    const uid = `${namespace ?? ''}-${name}`;
    const place = namespace === undefined ? {} : { namespace };
    const creationTimestamp = new Date(Date.UTC(2026, 0, 1) + version * 1_000).toISOString();
    return { name, ...place, uid, resourceVersion: String(version), generation: 1, creationTimestamp };
  };
  const made = <T extends KubernetesObject>({ apiVersion, kind }: Kind<T>, rest: object): T =>
    ({ apiVersion, kind, ...rest }) as unknown as T;

  stores.plans.put(made(PlanKind, { metadata: metadata('pro'), spec: defaultPlans.pro }));
  for (let account = 0; account < accounts; account += 1) {
    const name = `a${account}`;
    const labels = { 'projectdomain.io/account': name };
    stores.accounts.put(made(AccountKind, { metadata: metadata(name), spec: { plan: 'pro', id: `id-${name}` } }));
    stores.namespaces.put(made(NamespaceKind, { metadata: { ...metadata(name), labels } }));
    const status = { deployedAt: '2026-01-01T00:00:00Z', platformHostname: `${name}.apps.example.net` };
    const service = { name: 'web', port: 80 };
    stores.projects.put(made(ProjectKind, { metadata: metadata('shop', name), spec: { service }, status }));
    for (let index = 0; index < domainsEach; index += 1) {
      const spec = {
        project: 'shop',
        hostname: `d${index}.${name}.test`,
        role: 'Redirect',
        redirect: { to: 'x.test' },
      };
      stores.domains.put(made(ProjectDomainKind, { metadata: metadata(`d${index}`, name), spec }));
    }
  }
  const ended = new AbortController();
  const drain = async () => {
    const stop = new AbortController();
    for (const queue of Object.values(queues)) {
      while (queue.depth() > 0) queue.done((await queue.take(stop.signal)) ?? '');
    }
  };
  return {
    stores,
    queues,
    change(store, object, { spec, annotations }) {
      version += 1;
      const { generation = 1 } = object.metadata;
      const { spec: before } = object as { spec?: object };
      store.put({
        ...object,
        metadata: {
          ...object.metadata,
          resourceVersion: String(version),
          generation: spec ? generation + 1 : generation,
          annotations: { ...object.metadata.annotations, ...annotations },
        },
        ...(spec ? { spec: { ...before, ...spec } } : {}),
      });
    },
    domain(account, index) {
      const found = stores.domains.get({ namespace: `a${account}`, name: `d${index}` });
      if (!found) throw new Error(`there is no domain ${index} of account ${account}`);
      return found;
    },
    close: () => ended.abort(),
    connect() {
      const slices = countedSlices(createTimeSlices(clock.elapsed));
      const authorityHealth = { subscribe: () => undefined };
      connectTriggers({ stores, queues, settings, authorityHealth, clock, slices, log: silentLog }, ended.signal);
      return slices;
    },
    async lead() {
      const sweeps = this.connect();
      while (queues.projectDomain.depth() < accounts * domainsEach) await clock.sleep(10);
      await clock.sleep(10);
      await drain();
      return sweeps;
    },
  };
}
