import type { WorkQueue } from '../controller-runtime/work-queue.ts';
import { createWorkQueue } from '../controller-runtime/work-queue.ts';
import { parseKey } from '../kubernetes/object-keys.ts';
import type { Clock } from '../lib/clock.ts';
import type { OperatorStores } from './operator-stores.ts';

/**
 * How many reconciles each controller runs at a time: they wait for DNS and the kube-apiserver more than for the CPU.
 */
export const workers = {
  plan: 1,
  account: 8,
  redirectorEndpoints: 32,
  project: 16,
  projectDomain: 64,
  hostnameClaim: 16,
  orderLedger: 1,
  apiKey: 8,
  orphan: 8,
} as const;

export type ControllerName = keyof typeof workers;

export const controllerNames = Object.keys(workers) as readonly ControllerName[];

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
export function createQueues(clock: Clock, { claims, apiKeys }: Pick<OperatorStores, 'claims' | 'apiKeys'>): Queues {
  const byNamespace = (key: string) => parseKey(key).namespace;
  const itself = (key: string) => key;
  const queue = (name: ControllerName, shareOf: (key: string) => string) =>
    createWorkQueue(clock, { shareOf, workers: workers[name] });
  return {
    plan: queue('plan', itself),
    account: queue('account', itself),
    redirectorEndpoints: queue('redirectorEndpoints', itself),
    project: queue('project', byNamespace),
    projectDomain: queue('projectDomain', byNamespace),
    hostnameClaim: queue('hostnameClaim', (key) => claims.get(parseKey(key))?.spec.holder.namespace ?? ''),
    orderLedger: queue('orderLedger', itself),
    apiKey: queue('apiKey', (key) => apiKeys.get(parseKey(key))?.spec.account ?? ''),
    orphan: queue('orphan', byNamespace),
  };
}
