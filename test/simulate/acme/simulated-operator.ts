import { createOrderAttempts } from '../../../src/controllers/acme-order/order-attempts.ts';
import { reconcileAcmeOrder } from '../../../src/controllers/acme-order/acme-order-reconciler.ts';
import type { RegisteredAccount } from '../../../src/controllers/acme-issuer/registered-accounts.ts';
import { createAuthorityHealth } from '../../../src/controllers/acme-issuer/authority-health.ts';
import { createRegisteredAccounts } from '../../../src/controllers/acme-issuer/registered-accounts.ts';
import type { ControllerSettings } from '../../../src/controllers/controller-settings.ts';
import { reconcileHostnameClaim } from '../../../src/controllers/hostname-claim/hostname-claim-reconciler.ts';
import { reconcileOrderLedger } from '../../../src/controllers/order-ledger/order-ledger-reconciler.ts';
import { reconcileProjectDomain } from '../../../src/controllers/project-domain/project-domain-reconciler.ts';
import { createRecentChecks } from '../../../src/controllers/project-domain/recent-checks.ts';
import type { Change, ReconcileKeys, ReconcileRequests } from '../../../src/controllers/reconcile-requests.ts';
import type { ControllerNeeds } from '../../../src/controllers/controllers.ts';
import type { Trigger } from '../../../src/controllers/triggers.ts';
import { routeTriggerOf, triggersOf } from '../../../src/controllers/triggers.ts';
import type { ReconcileResult } from '../../../src/controller-runtime/actions.ts';
import type { Dns } from '../../../src/dns/dns-facts.ts';
import { isConflict } from '../../../src/kubernetes/kubernetes-errors.ts';
import type { KubernetesObject } from '../../../src/kubernetes/kubernetes-port.ts';
import { noTracer } from '../../../src/lib/tracer.ts';
import { watchedStoresOf } from '../../../src/operator/operator-stores.ts';
import type { MemoryObjects } from './memory-objects.ts';
import type { VirtualTime } from './virtual-time.ts';

export interface SimulatedOperatorOptions {
  readonly objects: MemoryObjects;
  readonly time: VirtualTime;
  readonly settings: ControllerSettings;
  readonly dns: Dns;
  readonly account: RegisteredAccount;
  /** how long after one reconcile of the ledger the next one begins at the soonest: as long as one takes with so many names; milliseconds */
  readonly ledgerEveryMs: number;
}

export interface SimulatedOperator {
  /** by controller */
  readonly reconciles: ReadonlyMap<string, number>;
  /** errors that a reconcile ended with, but for conflicts */
  readonly faults: readonly unknown[];
}

type Controller = 'projectDomain' | 'hostnameClaim' | 'orderLedger' | 'acmeOrder';

interface Waiting {
  readonly at: number;
  /** nothing happened since the last reconcile, only its time comes */
  readonly isScheduled: boolean;
  readonly giveUp: () => void;
}

/** As controller-runtime/controller.ts has it after a conflict, and about what its queue does after a fault. */
const afterConflictMs = 200;
const afterFaultMs = 60_000;

/**
 * The operator's own reconcilers, woken by its own triggers, one after the other in simulated time. What it does of domains, claims, the
 * ledger and orders is its own code; projects, accounts and redirectors are there and stay.
 */
export function startOperator(options: SimulatedOperatorOptions): SimulatedOperator {
  const { objects, time, settings, ledgerEveryMs } = options;
  const { stores } = objects;
  const dependencies = dependenciesOf(options);
  const { signal } = new AbortController();
  const waiting = new Map<string, Waiting>();
  const reconciles = new Map<string, number>();
  const faults: unknown[] = [];
  let ledgerAt = 0;

  const reconcile: Readonly<Record<Controller, (key: string, isScheduled: boolean) => Promise<ReconcileResult>>> = {
    projectDomain: (key, isScheduled) => reconcileProjectDomain(dependencies, { key, isScheduled }, signal),
    hostnameClaim: (key) => reconcileHostnameClaim(dependencies, key),
    orderLedger: () => {
      ledgerAt = time.now() + ledgerEveryMs;
      return reconcileOrderLedger(dependencies);
    },
    acmeOrder: (key) => reconcileAcmeOrder(dependencies, key, signal),
  };
  const add = (controller: Controller, key: string, afterMs: number, isScheduled = false) => {
    const id = `${controller} ${key}`;
    const soonest = controller === 'orderLedger' ? ledgerAt : 0;
    const before = waiting.get(id);
    const at = Math.min(Math.max(time.now() + afterMs, soonest), before?.at ?? Number.POSITIVE_INFINITY);
    const scheduled = isScheduled && (before?.isScheduled ?? true);
    if (before?.at === at && before.isScheduled === scheduled) return;
    before?.giveUp();
    const giveUp = time.at(at, async () => {
      waiting.delete(id);
      await run(controller, key, scheduled);
    });
    waiting.set(id, { at, isScheduled: scheduled, giveUp });
  };
  const run = async (controller: Controller, key: string, isScheduled: boolean) => {
    reconciles.set(controller, (reconciles.get(controller) ?? 0) + 1);
    try {
      const { requeueAfterMs } = await reconcile[controller](key, isScheduled);
      if (requeueAfterMs !== undefined) add(controller, key, Math.max(1, requeueAfterMs), true);
    } catch (error) {
      if (!isConflict(error)) faults.push(error);
      add(controller, key, isConflict(error) ? afterConflictMs : afterFaultMs);
    }
  };
  const wake = ({ sweeps = [], ahead = {}, ...keys }: ReconcileRequests) => {
    give(ahead);
    give(keys);
    for (const sweep of sweeps) for (const piece of sweep.pieces()) give(piece);
  };
  const give = (keys: ReconcileKeys) => {
    for (const [controller, wanted = []] of Object.entries(keys) as readonly [string, readonly string[]][])
      if (isRun(controller)) for (const key of wanted) add(controller, key, 0);
  };

  const triggers: Readonly<Record<string, unknown>> = triggersOf(stores, settings);
  const routeTrigger = routeTriggerOf(stores, settings);
  for (const [name, store] of Object.entries(watchedStoresOf(stores))) {
    const trigger = triggers[name] as Trigger<KubernetesObject> | undefined;
    store.subscribe((change: Change) => wake(trigger ? trigger(change) : routeTrigger(name, change)));
  }
  dependencies.recentChecks.begin(time.now());
  return { reconciles, faults };
}

const controllers: ReadonlySet<string> = new Set<Controller>([
  'projectDomain',
  'hostnameClaim',
  'orderLedger',
  'acmeOrder',
]);
const isRun = (name: string): name is Controller => controllers.has(name);

function dependenciesOf({ objects, time, settings, dns, account }: SimulatedOperatorOptions): ControllerNeeds {
  const accounts = createRegisteredAccounts();
  accounts.record(settings.issuer.name, [account]);
  const parts: Partial<ControllerNeeds> = {
    settings,
    accounts,
    authorityHealth: createAuthorityHealth(time.now),
    dns,
    caches: objects.stores,
    cluster: objects.cluster,
    tracer: noTracer,
    probe: { ask: () => Promise.resolve({ ok: true }) },
    tokenProbe: { ask: () => Promise.resolve({}) },
    challengeProbe: (_, expected) => Promise.resolve(new Set(expected.keys())),
    challengeZone: null,
    orderAttempts: createOrderAttempts(),
    targets: { of: () => [], saw: () => undefined },
    recentChecks: createRecentChecks(),
    observeRecordFound: () => undefined,
    certManagerUnavailable: () => false,
    gatewayGuard: () => Promise.resolve(null),
    edgeControllers: () => Promise.resolve({}),
    recordEvent: () => undefined,
    now: time.now,
  };
  return parts as ControllerNeeds;
}
