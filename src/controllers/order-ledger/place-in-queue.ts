import type { ProjectDomain } from '../../generated/project-domain.ts';
import type { DomainHead } from '../../rules/domain-head.ts';
import { registrableDomain } from '../../rules/hostname.ts';
import type { PlaceInQueue } from '../../rules/order-ledger/expected-turn.ts';
import { firstInQueue } from '../../rules/order-ledger/expected-turn.ts';
import { domainQueue, namespaceQueue } from '../../rules/order-ledger/order-queue.ts';
import { namespacesOf } from '../account-lookup.ts';
import type { Caches } from '../needs.ts';

/** Of a longer queue, which many accounts below one registered domain can make, everybody counts as its last. */
const readAtMost = 10_000;

/**
 * How many wait before a domain's request, by when the domains were added. Looked up only where the domain does not say yet until when it waits,
 * or that has passed: with ten thousand of one account it is a walk over all of them.
 */
export function placeInQueue(
  caches: Pick<Caches, 'domains' | 'namespaces'>,
  { metadata, spec, status }: ProjectDomain,
  accountName: string | undefined,
  now: number,
): PlaceInQueue {
  const announced = Date.parse(status?.certificate?.waitsUntil ?? '');
  if (accountName === undefined || announced > now) return firstInQueue;
  const { creationTimestamp: added = '', name } = metadata;
  const isBefore = ({ metadata: { creationTimestamp = '', name: other } }: Pick<DomainHead, 'metadata'>): boolean =>
    creationTimestamp < added || (creationTimestamp === added && other < name);
  const countIn = (queue: string): number => {
    const all = caches.domains.countByIndex('orderQueue', queue);
    return all > readAtMost ? all : caches.domains.byIndex('orderQueue', queue).filter(isBefore).length;
  };
  return {
    inAccount: namespacesOf(caches, accountName).reduce((sum, place) => sum + countIn(namespaceQueue(place)), 0),
    inDomain: countIn(domainQueue(registrableDomain(spec.hostname))),
  };
}
