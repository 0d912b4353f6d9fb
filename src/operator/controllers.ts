import { runController } from '../engine/controller.ts';
import type { ReconcileResult } from '../engine/controller.ts';
import type { Priority } from '../engine/queue.ts';
import type { TimeSlices } from '../runtime/slices.ts';
import { createSweeper } from '../engine/sweeper.ts';
import { isConflict } from '../kube/errors.ts';
import type { KubernetesObject, ObjectKey } from '../kube/port.ts';
import type { Store } from '../kube/store.ts';
import { reconcileAccount } from '../reconcile/account/reconcile.ts';
import { reconcileApiKey } from '../reconcile/api-key/reconcile.ts';
import { reconcileHostnameClaim } from '../reconcile/hostname-claim/reconcile.ts';
import { reconcileOrphan } from '../reconcile/orphan/reconcile.ts';
import { reconcileOrderLedger } from '../reconcile/order-ledger/reconcile.ts';
import { reconcilePlans } from '../reconcile/plan/reconcile.ts';
import { reconcileProject } from '../reconcile/project/reconcile.ts';
import { reconcileProjectDomain } from '../reconcile/project-domain/reconcile.ts';
import { reconcileRedirectorEndpoints } from '../reconcile/redirector-endpoints/reconcile.ts';
import { sweepOfEverything, triggersOf } from '../reconcile/triggers.ts';
import type { ReconcileKeys, KeySweep, ReconcileRequests } from '../reconcile/wake.ts';
import type { ReconcilerDependencies } from '../reconcile/world.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { loggedError } from '../runtime/log.ts';
import type { ControllerName, Queues } from './queues.ts';
import { controllerNames, workers } from './queues.ts';
import type { OperatorStores } from './stores.ts';

export interface TriggerDependencies {
  readonly stores: OperatorStores;
  readonly queues: Queues;
  /** the Service whose endpoints are the redirector's Pods */
  readonly redirector: ObjectKey;
  readonly clock: Clock;
  readonly slices: TimeSlices;
  readonly log: Log;
}

/**
 * Connects every store's changes to the queues and begins with everything there is: called by a new leader. A standby
 * queues nothing.
 */
export function connectTriggers({ stores, queues, redirector, clock, slices, log }: TriggerDependencies, signal: AbortSignal): void {
  const triggers = triggersOf(stores, { redirector });
  const add = (keys: ReconcileKeys, priority: Priority) => {
    for (const name of controllerNames) {
      for (const key of keys[name] ?? []) queues[name].add(key, { priority: urgent.has(name) ? 'high' : priority });
    }
  };
  const onFault = (error: unknown) => log.error({ error: loggedError(error) }, 'a sweep ended early');
  const sweeper = createSweeper<ReconcileKeys>({ give: (keys) => add(keys, 'low'), clock, slices, onFault }, signal);
  const wake = ({ sweeps = [], ...keys }: ReconcileRequests) => {
    add(keys, 'high');
    sweeps.forEach((sweep: KeySweep) => sweeper.start(sweep));
  };
  const connect = <T extends KubernetesObject>(
    store: Store<T>,
    trigger: (change: { type: 'added' | 'modified' | 'deleted'; object: T; previous: T | undefined }) => ReconcileRequests,
  ) => store.subscribe((event) => wake(trigger(event)));
  connect(stores.plans, triggers.plans);
  connect(stores.accounts, triggers.accounts);
  connect(stores.namespaces, triggers.namespaces);
  connect(stores.projects, triggers.projects);
  connect(stores.domains, triggers.domains);
  connect(stores.claims, triggers.claims);
  connect(stores.orderLedgers, triggers.orderLedgers);
  connect(stores.certificates, triggers.certificates);
  connect(stores.ingresses, triggers.ingresses);
  connect(stores.certificateRequests, triggers.certificateRequests);
  connect(stores.endpointSlices, triggers.endpointSlices);
  connect(stores.apiKeys, triggers.apiKeys);
  wake({ sweeps: [sweepOfEverything(stores)] });
}

/** Requests are being answered by a Pod that goes: nothing about these keys can wait. */
const urgent: ReadonlySet<ControllerName> = new Set<ControllerName>(['redirectorEndpoints']);

export interface ControllerRunDependencies {
  readonly world: ReconcilerDependencies;
  readonly queues: Queues;
  readonly slices: TimeSlices;
  readonly log: Log;
  readonly clock: Clock;
  readonly observe: (visit: { readonly name: string; readonly failed: boolean; readonly ms: number }) => void;
}

/** Runs every controller until the signal aborts. */
export async function runControllers({ world, queues, ...common }: ControllerRunDependencies, signal: AbortSignal): Promise<void> {
  const visits: Readonly<Record<ControllerName, (key: string, signal: AbortSignal) => Promise<ReconcileResult>>> = {
    plan: () => reconcilePlans(world),
    account: (key) => reconcileAccount(world, key),
    redirectorEndpoints: (key) => reconcileRedirectorEndpoints(world, key),
    project: (key, stop) => reconcileProject(world, key, stop),
    projectDomain: (key, stop) => reconcileProjectDomain(world, key, stop),
    hostnameClaim: (key) => reconcileHostnameClaim(world, key),
    orderLedger: () => reconcileOrderLedger(world),
    apiKey: (key) => reconcileApiKey(world, key),
    orphan: (key) => reconcileOrphan(world, key),
  };
  const run = (name: ControllerName) =>
    runController(
      { ...common, name, queue: queues[name], workers: workers[name], reconcile: visits[name], isStale: isConflict },
      signal,
    );
  await Promise.all(controllerNames.map(run));
}
