import { runController } from '../controller-runtime/controller.ts';
import type { ReconcileWrites } from '../controller-runtime/reconcile-writes.ts';
import type { TimeSlices } from '../lib/time-slices.ts';
import { isConflict } from '../kubernetes/kubernetes-errors.ts';
import { controllers } from '../controllers/controllers.ts';
import type { ControllerName } from '../controllers/controllers.ts';
import type { ControllerNeeds } from '../controllers/controllers.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Tracer } from '../lib/tracer.ts';
import type { Queues, Workers } from './work-queues.ts';
import { controllerNames } from './work-queues.ts';

export interface ControllerRunDependencies {
  readonly dependencies: ControllerNeeds;
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
  const run = (name: ControllerName) => {
    const { reconcile, hasSecretKeys = false } = controllers[name];
    const options = { name, queue: queues[name], workers: workers[name], isStale: isConflict, hasSecretKeys };
    return runController(
      { ...common, ...options, reconcile: (key, stop, isScheduled) => reconcile(dependencies, key, stop, isScheduled) },
      signal,
    );
  };
  await Promise.all(controllerNames.map(run));
}
