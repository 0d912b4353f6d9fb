import { runController } from '../controller-runtime/controller.ts';
import type { ControllerOptions } from '../controller-runtime/controller.ts';
import type { ReconcileWrites } from '../controller-runtime/reconcile-writes.ts';
import type { TimeSlices } from '../lib/time-slices.ts';
import { isConflict } from '../kubernetes/kubernetes-errors.ts';
import { reconcileAccount } from '../controllers/account/account-reconciler.ts';
import { reconcileAcmeIssuer } from '../controllers/acme-issuer/acme-issuer-reconciler.ts';
import { reconcileAcmeOrder } from '../controllers/acme-order/acme-order-reconciler.ts';
import { reconcileApiKey } from '../controllers/api-key/api-key-reconciler.ts';
import { reconcileGatewayListeners } from '../controllers/gateway-listeners/gateway-listeners-reconciler.ts';
import { reconcileHostnameClaim } from '../controllers/hostname-claim/hostname-claim-reconciler.ts';
import { reconcileOrphan } from '../controllers/orphan/orphan-reconciler.ts';
import { reconcileOrderLedger } from '../controllers/order-ledger/order-ledger-reconciler.ts';
import { reconcilePlans } from '../controllers/plan/plan-reconciler.ts';
import { reconcileProject } from '../controllers/project/project-reconciler.ts';
import { reconcileProjectDomain } from '../controllers/project-domain/project-domain-reconciler.ts';
import { reconcileRedirectorEndpoints } from '../controllers/redirector-endpoints/redirector-endpoints-reconciler.ts';
import { reconcileRevocation } from '../controllers/revocation/revocation-reconciler.ts';
import { tellingRefusals } from '../controllers/tell-refusals.ts';
import type { ReconcilerDependencies } from '../controllers/reconciler-dependencies.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Tracer } from '../lib/tracer.ts';
import type { ControllerName, Queues, Workers } from './work-queues.ts';

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
  const reconciles: Readonly<Record<ControllerName, ControllerOptions['reconcile']>> = {
    plan: () => reconcilePlans(dependencies),
    account: (key) => reconcileAccount(dependencies, key),
    redirectorEndpoints: (key) => reconcileRedirectorEndpoints(dependencies, key),
    project: (key, stop) => reconcileProject(dependencies, key, stop),
    projectDomain: (key, stop, isScheduled) => reconcileProjectDomain(dependencies, { key, isScheduled }, stop),
    hostnameClaim: (key) => reconcileHostnameClaim(dependencies, key),
    orderLedger: () => reconcileOrderLedger(dependencies),
    acmeIssuer: (key) => reconcileAcmeIssuer(dependencies, key),
    acmeOrder: (key, stop) => tellingRefusals(dependencies, key, () => reconcileAcmeOrder(dependencies, key, stop)),
    revocation: (key, stop) => tellingRefusals(dependencies, key, () => reconcileRevocation(dependencies, key, stop)),
    apiKey: (key) => reconcileApiKey(dependencies, key),
    orphan: (key) => reconcileOrphan(dependencies, key),
    gatewayListeners: (key) => reconcileGatewayListeners(dependencies, key),
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
