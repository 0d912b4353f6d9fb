import { createSweeper } from '../controller-runtime/sweeper.ts';
import type { WorkQueue } from '../controller-runtime/work-queue.ts';
import type { ControllerName } from '../controllers/controllers.ts';
import { controllers } from '../controllers/controllers.ts';
import type { AuthorityHealth } from '../controllers/acme-issuer/authority-health.ts';
import type { Change, KeySweep, ReconcileKeys, ReconcileRequests } from '../controllers/reconcile-requests.ts';
import type { LaterVisit } from '../controllers/sweeps.ts';
import { everything, renewalVisits } from '../controllers/sweeps.ts';
import { otherIngressTrigger } from '../controllers/other-ingress-trigger.ts';
import type { Trigger, TriggerSettings } from '../controllers/triggers.ts';
import { routeTriggerOf, sweepOfAuthorities, sweepOfStart, triggersOf } from '../controllers/triggers.ts';
import type { KubernetesObject } from '../kubernetes/kubernetes-port.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { TimeSlices } from '../lib/time-slices.ts';
import { createRestingSlices } from '../lib/time-slices.ts';
import type { OperatorStores } from './operator-stores.ts';
import { watchedStoresOf } from './operator-stores.ts';
import type { Queues } from './work-queues.ts';

export interface TriggerDependencies {
  readonly stores: OperatorStores;
  readonly queues: Queues;
  readonly settings: TriggerSettings;
  readonly authorityHealth: Pick<AuthorityHealth, 'subscribe'>;
  readonly clock: Clock;
  readonly slices: TimeSlices;
  readonly log: Log;
}

type TriggerOf = (store: string, change: Change) => ReconcileRequests;

/** Connects the changes of every store to the queues, and first queues every object once. Called by a new leader; a standby queues nothing. */
export function connectTriggers(dependencies: TriggerDependencies, signal: AbortSignal): void {
  const { stores, queues, settings, authorityHealth, clock, slices, log } = dependencies;
  const triggerOf = triggersByStore(stores, settings);
  const watched = watchedStoresOf(stores);
  const onFault = (error: unknown) => log.error({ err: error }, 'a sweep failed before its end');
  const sweeping = { clock, slices, onFault };
  const give = (keys: ReconcileKeys) => forEachKey(queues, keys, sweptKey);
  const sweeper = createSweeper<ReconcileKeys>({ ...sweeping, give }, signal);
  const startSweeps = (sweeps: readonly KeySweep[]) => sweeps.forEach((sweep) => sweeper.start(sweep));
  for (const [name, store] of Object.entries(watched)) {
    store.subscribe((event) => {
      const { sweeps = [], ahead = {}, ...keys } = triggerOf(name, event);
      forEachKey(queues, ahead, (queue, key) => queue.add(key, { isAhead: true }));
      forEachKey(queues, keys, (queue, key) => queue.add(key));
      startSweeps(sweeps);
    });
  }
  stores.otherIngresses.subscribe((event) =>
    forEachKey(queues, otherIngressTrigger(stores, event), (queue, key) => queue.add(key)),
  );
  authorityHealth.subscribe(() => startSweeps([sweepOfAuthorities(stores, settings)]));
  startSweeps([sweepOfStart(stores, settings), { name: 'everything', pieces: () => everything(stores) }]);
  const visit = ({ keys, afterMs }: LaterVisit) => forEachKey(queues, keys, (queue, key) => queue.visit(key, afterMs));
  const later = createSweeper<LaterVisit>({ ...sweeping, slices: createRestingSlices(clock), give: visit }, signal);
  later.start({ name: 'renewals', pieces: () => renewalVisits(stores, clock.now) });
}

function triggersByStore(stores: OperatorStores, settings: TriggerSettings): TriggerOf {
  const triggers: Readonly<Record<string, unknown>> = triggersOf(stores, settings);
  const routeTrigger = routeTriggerOf(stores, settings);
  return (store, change) => {
    const trigger = triggers[store] as Trigger<KubernetesObject> | undefined;
    return trigger ? trigger(change) : routeTrigger(store, change);
  };
}

type GiveKey = (queue: WorkQueue, key: string, controller: ControllerName) => void;

function forEachKey(queues: Queues, keys: ReconcileKeys, give: GiveKey): void {
  for (const [name, wanted = []] of Object.entries(keys) as readonly [ControllerName, readonly string[]][])
    for (const key of wanted) give(queues[name], key, name);
}

const sweptKey: GiveKey = (queue, key, controller) =>
  queue.add(key, { priority: controllers[controller].isUrgent ? 'high' : 'low' });
