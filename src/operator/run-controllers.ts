import { runController } from '../controller-runtime/controller.ts';
import type { ReconcileResult } from '../controller-runtime/controller.ts';
import type { ReconcileWrites } from '../controller-runtime/reconcile-writes.ts';
import type { Priority } from '../controller-runtime/work-queue.ts';
import type { TimeSlices } from '../lib/time-slices.ts';
import { createSweeper } from '../controller-runtime/sweeper.ts';
import { isConflict } from '../kubernetes/kubernetes-errors.ts';
import type { KubernetesObject, ObjectKey } from '../kubernetes/kubernetes-port.ts';
import type { Store } from '../kubernetes/store.ts';
import { reconcileAccount } from '../controllers/account/account-reconciler.ts';
import { reconcileApiKey } from '../controllers/api-key/api-key-reconciler.ts';
import { reconcileHostnameClaim } from '../controllers/hostname-claim/hostname-claim-reconciler.ts';
import { reconcileOrphan } from '../controllers/orphan/orphan-reconciler.ts';
import { reconcileOrderLedger } from '../controllers/order-ledger/order-ledger-reconciler.ts';
import { reconcilePlans } from '../controllers/plan/plan-reconciler.ts';
import { reconcileProject } from '../controllers/project/project-reconciler.ts';
import { reconcileProjectDomain } from '../controllers/project-domain/project-domain-reconciler.ts';
import { reconcileRedirectorEndpoints } from '../controllers/redirector-endpoints/redirector-endpoints-reconciler.ts';
import type { Trigger } from '../controllers/triggers.ts';
import { routeTriggerOf, sweepOfEverything, triggersOf } from '../controllers/triggers.ts';
import type { ReconcileKeys, KeySweep, ReconcileRequests } from '../controllers/reconcile-requests.ts';
import type { ReconcilerDependencies } from '../controllers/reconciler-dependencies.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Tracer } from '../lib/tracer.ts';
import type { ControllerName, Queues, Workers } from './work-queues.ts';
import type { OperatorStores } from './operator-stores.ts';

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
 * Connects the changes of every store to the queues, and first queues everything that exists. Called by a new leader; a
 * standby queues nothing.
 */
export function connectTriggers(
  { stores, queues, redirector, clock, slices, log }: TriggerDependencies,
  signal: AbortSignal,
): void {
  const triggers = triggersOf(stores, { redirector });
  const routeTrigger = routeTriggerOf(stores);
  const add = (keys: ReconcileKeys, priority: Priority) => {
    for (const [name, wanted = []] of Object.entries(keys) as readonly [ControllerName, readonly string[]][]) {
      for (const key of wanted) queues[name].add(key, { priority: urgent.has(name) ? 'high' : priority });
    }
  };
  const onFault = (error: unknown) => log.error({ err: error }, 'a sweep failed before its end');
  const sweeper = createSweeper<ReconcileKeys>({ give: (keys) => add(keys, 'low'), clock, slices, onFault }, signal);
  const enqueue = ({ sweeps = [], ...keys }: ReconcileRequests) => {
    add(keys, 'high');
    sweeps.forEach((sweep: KeySweep) => sweeper.start(sweep));
  };
  for (const [name, trigger] of Object.entries(triggers)) {
    const store = stores[name as keyof typeof triggers] as Store<KubernetesObject>;
    store.subscribe((event) => enqueue((trigger as Trigger<KubernetesObject>)(event)));
  }
  for (const [name, store] of Object.entries(stores.routeStores)) {
    store.subscribe((event) => enqueue(routeTrigger(name, event)));
  }
  enqueue({ sweeps: [sweepOfEverything(stores)] });
}

/** Never swept at low priority: until they are reconciled, requests still go to a Pod that is stopping. */
const urgent: ReadonlySet<ControllerName> = new Set<ControllerName>(['redirectorEndpoints']);

export interface ControllerRunDependencies {
  readonly dependencies: ReconcilerDependencies;
  readonly queues: Queues;
  readonly workers: Workers;
  readonly slices: TimeSlices;
  readonly log: Log;
  readonly clock: Clock;
  readonly writes: ReconcileWrites;
  readonly tracer: Tracer;
  readonly observe: (reconcile: { readonly name: string; readonly failed: boolean; readonly ms: number }) => void;
}

/** Runs every controller until the signal aborts. */
export async function runControllers(
  { dependencies, queues, workers, ...common }: ControllerRunDependencies,
  signal: AbortSignal,
): Promise<void> {
  const reconciles: Readonly<Record<ControllerName, (key: string, signal: AbortSignal) => Promise<ReconcileResult>>> = {
    plan: () => reconcilePlans(dependencies),
    account: (key) => reconcileAccount(dependencies, key),
    redirectorEndpoints: (key) => reconcileRedirectorEndpoints(dependencies, key),
    project: (key, stop) => reconcileProject(dependencies, key, stop),
    projectDomain: (key, stop) => reconcileProjectDomain(dependencies, key, stop),
    hostnameClaim: (key) => reconcileHostnameClaim(dependencies, key),
    orderLedger: () => reconcileOrderLedger(dependencies),
    apiKey: (key) => reconcileApiKey(dependencies, key),
    orphan: (key) => reconcileOrphan(dependencies, key),
  };
  const run = (name: ControllerName) =>
    runController(
      {
        ...common,
        name,
        queue: queues[name],
        workers: workers[name],
        reconcile: reconciles[name],
        isStale: isConflict,
        hasSecretKeys: name === 'apiKey',
      },
      signal,
    );
  await Promise.all((Object.keys(reconciles) as readonly ControllerName[]).map(run));
}
