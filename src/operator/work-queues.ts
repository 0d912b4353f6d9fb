import type { WorkQueue } from '../controller-runtime/work-queue.ts';
import { createWorkQueue } from '../controller-runtime/work-queue.ts';
import type { WorkerSettings } from '../controllers/controller.ts';
import type { ControllerName, ControllerNeeds } from '../controllers/controllers.ts';
import { controllers } from '../controllers/controllers.ts';
import type { Clock } from '../lib/clock.ts';
import type { OperatorStores } from './operator-stores.ts';
import type { ControllerOptions } from '../controller-runtime/controller.ts';
import { runController } from '../controller-runtime/controller.ts';
import { isConflict } from '../kubernetes/kubernetes-errors.ts';

const controllerNames = Object.keys(controllers) as readonly ControllerName[];

function byName<T>(make: (name: ControllerName) => T): Readonly<Record<ControllerName, T>> {
  return Object.fromEntries(controllerNames.map((name) => [name, make(name)])) as Record<ControllerName, T>;
}

/** How many reconciles each controller runs at a time. */
export type Workers = Readonly<Record<ControllerName, number>>;

export const workersOf = ({ workers }: { readonly workers: WorkerSettings }): Workers =>
  byName((name) => controllers[name].workers(workers));

/** What metrics say of the queues: keys that wait, and for how many seconds the oldest has. */
export const queueFigures = (queues: Queues) => ({
  depth: () => byController(queues, (queue) => queue.depth()),
  slow: () => byController(queues, (queue) => queue.slow()),
  stretch: () =>
    Object.entries(queues).flatMap(([controller, queue]) =>
      Object.entries(queue.stretch()).map(([statistic, value]) => ({ labels: { controller, statistic }, value })),
    ),
  queueAges: () =>
    Object.entries(queues).flatMap(([controller, queue]) =>
      Object.entries(queue.ages()).map(([priority, ms]) => ({ labels: { controller, priority }, value: ms / 1_000 })),
    ),
});

const byController = (queues: Queues, figure: (queue: WorkQueue) => number): ReadonlyMap<string, number> =>
  new Map(Object.entries(queues).map(([name, queue]) => [name, figure(queue)]));

export type Queues = Readonly<Record<ControllerName, WorkQueue>>;

/** A queue for each controller. Workers are shared out over namespaces, and so over accounts. */
export const createQueues = (
  clock: Clock,
  caches: Pick<OperatorStores, 'claims' | 'apiKeys'>,
  workers: Workers,
): Queues =>
  byName((name) =>
    createWorkQueue(clock, { shareOf: (key) => controllers[name].shareOf(key, caches), workers: workers[name] }),
  );

type Common = Pick<ControllerOptions, 'slices' | 'log' | 'clock' | 'writes' | 'tracer' | 'observe'>;

interface ControllerRunDependencies extends Common {
  readonly dependencies: ControllerNeeds;
  readonly queues: Queues;
  readonly workers: Workers;
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
