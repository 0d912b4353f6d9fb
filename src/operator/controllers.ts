import { runController } from '../engine/controller.ts';
import type { Visit } from '../engine/controller.ts';
import type { Priority, Queue } from '../engine/queue.ts';
import { createQueue } from '../engine/queue.ts';
import { isConflict } from '../kube/errors.ts';
import type { KubeObject, ObjectKey } from '../kube/port.ts';
import type { Store } from '../kube/store.ts';
import { reconcileAccount } from '../reconcile/account/reconcile.ts';
import { reconcileApiKey } from '../reconcile/api-key/reconcile.ts';
import { reconcileHostnameClaim } from '../reconcile/hostname-claim/reconcile.ts';
import { reconcileOrphan } from '../reconcile/orphan/reconcile.ts';
import { reconcilePlans } from '../reconcile/plan/reconcile.ts';
import { reconcileProject } from '../reconcile/project/reconcile.ts';
import { reconcileProjectDomain } from '../reconcile/project-domain/reconcile.ts';
import type { Wake } from '../reconcile/triggers.ts';
import { triggersOf } from '../reconcile/triggers.ts';
import type { World } from '../reconcile/world.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { Stores } from './stores.ts';

/** Controllers with the number of visits each makes at a time; visits wait for DNS and the API server, not for us. */
const workers = { plan: 1, account: 2, project: 4, projectDomain: 20, hostnameClaim: 4, apiKey: 2, orphan: 2 } as const;

export type ControllerName = keyof typeof workers;

export type Queues = Readonly<Record<ControllerName, Queue>>;

export function createQueues(clock: Clock): Queues {
  const queue = () => createQueue(clock);
  return {
    plan: queue(),
    account: queue(),
    project: queue(),
    projectDomain: queue(),
    hostnameClaim: queue(),
    apiKey: queue(),
    orphan: queue(),
  };
}

export interface Wiring {
  readonly stores: Stores;
  readonly queues: Queues;
  /** the Service whose endpoints are the redirector's Pods */
  readonly redirector: ObjectKey;
  /** false while the first lists come in */
  readonly settled: () => boolean;
}

/** Connects every store's changes to the queues. Until `settled()` keys come from first lists and have time. */
export function connectTriggers({ stores, queues, redirector, settled }: Wiring): void {
  const triggers = triggersOf(stores, { redirector });
  const wake = (keys: Wake) => {
    const priority: Priority = settled() ? 'high' : 'low';
    for (const name of Object.keys(workers) as ControllerName[]) {
      for (const key of keys[name] ?? []) queues[name].add(key, { priority });
    }
  };
  const connect = <T extends KubeObject>(
    store: Store<T>,
    trigger: (change: { type: 'added' | 'modified' | 'deleted'; object: T; previous: T | undefined }) => Wake,
  ) => store.subscribe((event) => wake(trigger(event)));
  connect(stores.plans, triggers.plans);
  connect(stores.accounts, triggers.accounts);
  connect(stores.namespaces, triggers.namespaces);
  connect(stores.projects, triggers.projects);
  connect(stores.domains, triggers.domains);
  connect(stores.claims, triggers.claims);
  connect(stores.certificates, triggers.certificates);
  connect(stores.ingresses, triggers.ingresses);
  connect(stores.requests, triggers.requests);
  connect(stores.slices, triggers.slices);
  connect(stores.apiKeys, triggers.apiKeys);
}

export interface Running {
  readonly world: World;
  readonly queues: Queues;
  readonly log: Log;
  readonly clock: Clock;
  readonly observe: (visit: { readonly name: string; readonly failed: boolean; readonly ms: number }) => void;
}

/** Runs every controller until the signal aborts. */
export async function runControllers(
  { world, queues, log, clock, observe }: Running,
  signal: AbortSignal,
): Promise<void> {
  const visits: Readonly<Record<ControllerName, (key: string, signal: AbortSignal) => Promise<Visit>>> = {
    plan: () => reconcilePlans(world),
    account: (key) => reconcileAccount(world, key),
    project: (key, stop) => reconcileProject(world, key, stop),
    projectDomain: (key, stop) => reconcileProjectDomain(world, key, stop),
    hostnameClaim: (key) => reconcileHostnameClaim(world, key),
    apiKey: (key) => reconcileApiKey(world, key),
    orphan: (key) => reconcileOrphan(world, key),
  };
  queues.plan.add('defaults');
  await Promise.all(
    (Object.keys(workers) as ControllerName[]).map((name) =>
      runController(
        {
          name,
          queue: queues[name],
          workers: workers[name],
          reconcile: visits[name],
          log,
          clock,
          observe,
          isStale: isConflict,
        },
        signal,
      ),
    ),
  );
}
