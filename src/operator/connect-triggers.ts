import { createSweeper } from '../controller-runtime/sweeper.ts';
import type { UnfinishedWork } from '../controller-runtime/unfinished-work.ts';
import type { WorkQueue } from '../controller-runtime/work-queue.ts';
import type { AuthorityHealth } from '../controllers/acme-issuer/authority-health.ts';
import type { Change, KeySweep, ReconcileKeys, ReconcileRequests } from '../controllers/reconcile-requests.ts';
import type { StartVisit } from '../controllers/start-visits.ts';
import { renewalVisits, settledVisits, unsettledVisits, visitsOfEverything } from '../controllers/start-visits.ts';
import { otherIngressTrigger } from '../controllers/other-ingress-trigger.ts';
import type { Trigger, TriggerSettings } from '../controllers/triggers.ts';
import { routeTriggerOf, sweepOfAuthorities, sweepOfStart, triggersOf } from '../controllers/triggers.ts';
import type { KubernetesObject } from '../kubernetes/kubernetes-port.ts';
import { parseKey } from '../kubernetes/object-keys.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { TimeSlices } from '../lib/time-slices.ts';
import { createRestingSlices } from '../lib/time-slices.ts';
import type { ChangedObject } from './changes-since.ts';
import type { OperatorStores, WatchedStores } from './operator-stores.ts';
import { watchedStoresOf } from './operator-stores.ts';
import type { ControllerName, Queues } from './work-queues.ts';

export interface TriggerDependencies {
  readonly stores: OperatorStores;
  readonly queues: Queues;
  readonly settings: TriggerSettings;
  readonly authorityHealth: Pick<AuthorityHealth, 'subscribe'>;
  /** what changed since the checkpoint of a predecessor; null without one: then everything is visited at once */
  readonly changed: readonly ChangedObject[] | null;
  readonly unfinished: UnfinishedWork;
  readonly clock: Clock;
  readonly slices: TimeSlices;
  readonly log: Log;
}

type TriggerOf = (store: string, change: Change) => ReconcileRequests;

/**
 * Connects the changes of every store to the queues, and first queues what changed while nobody led, and every object once.
 * Called by a new leader; a standby queues nothing.
 */
export function connectTriggers(dependencies: TriggerDependencies, signal: AbortSignal): void {
  const { stores, queues, settings, authorityHealth, changed, unfinished, clock, slices, log } = dependencies;
  const triggerOf = triggersByStore(stores, settings);
  const watched = watchedStoresOf(stores);
  const onFault = (error: unknown) => log.error({ err: error }, 'a sweep failed before its end');
  const sweeping = { unfinished, clock, slices, onFault };
  const give = (keys: ReconcileKeys, epoch: number) => forEachKey(queues, keys, sweptKey(epoch));
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
  const requests = requestsOf(changed ?? [], watched, triggerOf);
  startSweeps([{ name: 'start', pieces: () => eachOnce(startKeys(dependencies, requests)) }]);
  const visits = createSweeper<StartVisit>({ ...sweeping, give: visitor(queues) }, signal);
  const resting = { ...sweeping, slices: createRestingSlices(clock), give: visitor(queues) };
  const later = createSweeper<StartVisit>(resting, signal);
  later.start({ name: 'renewals', pieces: () => renewalVisits(stores, clock.now) });
  if (changed === null) return visits.start({ name: 'everything', pieces: () => visitsOfEverything(stores) });
  visits.start({ name: 'unsettled', pieces: () => unsettledVisits(stores, clock.now()) });
  later.start({ name: 'settled', pieces: () => settledVisits(stores, clock.now) });
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

/** Never swept at low priority: until they are reconciled, requests still go to a Pod that is stopping. */
const urgent: ReadonlySet<ControllerName> = new Set<ControllerName>(['redirectorEndpoints']);

const sweptKey =
  (epoch: number): GiveKey =>
  (queue, key, controller) =>
    queue.add(key, { priority: urgent.has(controller) ? 'high' : 'low', epoch });

const visitor =
  (queues: Queues) =>
  ({ keys, afterMs }: StartVisit, epoch: number): void =>
    forEachKey(queues, keys, afterMs === 0 ? sweptKey(epoch) : (queue, key) => queue.visit(key, afterMs));

/** Whom the changes concern: of what is there nobody knows what it was before, so it counts as added. */
function* requestsOf(
  changed: readonly ChangedObject[],
  stores: WatchedStores,
  triggerOf: TriggerOf,
): Iterable<ReconcileRequests> {
  for (const { store, key, deleted } of changed) {
    const object = stores[store]?.get(parseKey(key));
    if (deleted) yield triggerOf(store, { type: 'deleted', object: deleted, previous: undefined });
    if (object) yield triggerOf(store, { type: 'added', object, previous: undefined });
  }
}

/** What a new leader always does at once, and whom the changes concern. */
function* startKeys(
  { stores, settings }: TriggerDependencies,
  requests: Iterable<ReconcileRequests>,
): Iterable<ReconcileKeys> {
  yield* sweepOfStart(stores, settings).pieces();
  const asked = new Map<string, KeySweep>();
  for (const { sweeps = [], ahead = {}, ...keys } of requests) {
    yield ahead;
    yield keys;
    for (const sweep of sweeps) asked.set(sweep.name, sweep);
  }
  for (const sweep of asked.values()) yield* sweep.pieces();
}

/** The same pieces, each with the keys that none before it had: many changes concern the same object. */
function* eachOnce(pieces: Iterable<ReconcileKeys>): Iterable<ReconcileKeys> {
  const given = new Set<string>();
  const isNew = (controller: string, key: string): boolean => {
    const { size } = given;
    return given.add(`${controller} ${key}`).size > size;
  };
  for (const keys of pieces) {
    const wanted = Object.entries(keys) as readonly [ControllerName, readonly string[]][];
    yield Object.fromEntries(wanted.map(([name, list]) => [name, list.filter((key) => isNew(name, key))]));
  }
}
