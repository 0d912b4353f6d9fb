import type { WorkQueue } from '../controller-runtime/work-queue.ts';
import { createWorkQueue } from '../controller-runtime/work-queue.ts';
import { parseKey } from '../kubernetes/object-keys.ts';
import type { Clock } from '../lib/clock.ts';
import type { OperatorConfig } from './config.ts';
import type { OperatorStores } from './operator-stores.ts';

/**
 * Workers that nobody chooses. Of controllers that reconcile one key a second one would have nothing to do; revocations leave most of the
 * requests that an authority is sent at a time to orders.
 */
const fixed = { plan: 1, orderLedger: 1, acmeIssuer: 1, revocation: 4, gatewayListeners: 1 } as const;

export type ControllerName = keyof typeof fixed | keyof OperatorConfig['workers'];

/** How many reconciles each controller runs at a time. */
export type Workers = Readonly<Record<ControllerName, number>>;

export const workersOf = ({ workers }: Pick<OperatorConfig, 'workers'>): Workers => ({ ...workers, ...fixed });

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
export function createQueues(
  clock: Clock,
  { claims, apiKeys }: Pick<OperatorStores, 'claims' | 'apiKeys'>,
  workers: Workers,
): Queues {
  const byNamespace = (key: string) => parseKey(key).namespace;
  const itself = (key: string) => key;
  const byHolder = (hostname: string) => claims.get(parseKey(hostname))?.spec.holder.namespace ?? '';
  const queue = (name: ControllerName, shareOf: (key: string) => string) =>
    createWorkQueue(clock, { shareOf, workers: workers[name] });
  return {
    plan: queue('plan', itself),
    account: queue('account', itself),
    redirectorEndpoints: queue('redirectorEndpoints', itself),
    project: queue('project', byNamespace),
    projectDomain: queue('projectDomain', byNamespace),
    hostnameClaim: queue('hostnameClaim', byHolder),
    orderLedger: queue('orderLedger', itself),
    acmeIssuer: queue('acmeIssuer', itself),
    acmeOrder: queue('acmeOrder', byHolder),
    revocation: queue('revocation', byHolder),
    apiKey: queue('apiKey', (key) => apiKeys.get(parseKey(key))?.spec.account ?? ''),
    orphan: queue('orphan', byNamespace),
    gatewayListeners: queue('gatewayListeners', itself),
  };
}
