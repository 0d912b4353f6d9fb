import { describe, expect, it } from '@jest/globals';
import { placeInQueue } from '../../../src/controllers/order-ledger/order-usage.ts';
import { watchedKinds } from '../../../src/controllers/watched-kinds.ts';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import { createStores } from '../../../src/kubernetes/watch-stores.ts';
import { timestamp } from '../../../src/rules/conditions.ts';
import type { PlaceInQueue } from '../../../src/rules/order-ledger/expected-turn.ts';
import { now } from '../../support/snapshot.ts';

/** What tells a request a time that is another's: who counts as before it, in the caches that the operator reads. */

type Waiting = NonNullable<NonNullable<ProjectDomain['status']>['certificate']>;

/** Of the account acme, which has two namespaces, unless another is named. */
interface Sketch {
  readonly hostname: string;
  readonly namespace?: string;
  /** minutes after the first one */
  readonly added?: number;
  readonly certificate?: Waiting;
}

const waits: Waiting = { request: 'uid' };
const atLimit: Waiting = { request: 'uid', waitsFor: 'LedgerDomainFull', waitsUntil: timestamp(now + 1) };

const domainOf = ({ hostname, namespace = 'acme', added = 0, certificate = waits }: Sketch): ProjectDomain => ({
  apiVersion: 'projectdomain.io/v1alpha1',
  kind: 'ProjectDomain',
  metadata: { name: hostname, namespace, creationTimestamp: timestamp(now - 3_600_000 + added * 60_000) },
  spec: { hostname, project: 'shop' },
  status: { certificate },
});

const namespace = (name: string, account: string) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels: { 'projectdomain.io/account': account } },
});

function placeAmong(others: readonly Sketch[], own: Sketch): PlaceInQueue {
  const { domains, namespaces } = createStores(watchedKinds, (error) => {
    throw error;
  });
  for (const one of [namespace('acme', 'acme'), namespace('acme-two', 'acme'), namespace('globex', 'globex')])
    namespaces.put(one);
  for (const sketch of [...others, own]) domains.put(domainOf(sketch));
  return placeInQueue({ domains, namespaces }, domainOf(own), 'acme', now);
}

describe('who waits before a request', () => {
  it.each<[string, readonly Sketch[], Partial<Sketch>, PlaceInQueue]>([
    ['nobody', [], {}, { inAccount: 0, inDomain: 0 }],
    [
      'those of the same account that were added earlier, in whichever of its namespaces',
      [
        { hostname: 'a.example', added: 1 },
        { hostname: 'b.example', added: 2, namespace: 'acme-two' },
        { hostname: 'c.example', added: 9 },
      ],
      {},
      { inAccount: 2, inDomain: 0 },
    ],
    [
      'of those added in the same second, the ones whose name comes first',
      [
        { hostname: 'm.example', added: 5 },
        { hostname: 'z.example', added: 5 },
      ],
      {},
      { inAccount: 1, inDomain: 0 },
    ],
    ['nobody of another account', [{ hostname: 'a.example', namespace: 'globex' }], {}, { inAccount: 0, inDomain: 0 }],
    ['nobody who waits for no order', [{ hostname: 'a.example', certificate: {} }], {}, { inAccount: 0, inDomain: 0 }],
    [
      'whoever waits for the limit of the same registered domain, in the queue of that alone',
      [
        { hostname: 'a.own.example', certificate: atLimit },
        { hostname: 'b.own.example', certificate: atLimit, namespace: 'globex' },
        { hostname: 'a.other.example', certificate: atLimit },
      ],
      {},
      { inAccount: 0, inDomain: 2 },
    ],
    [
      'not looked up for one whose announced time is still to come',
      [{ hostname: 'a.example' }],
      { certificate: { ...waits, waitsFor: 'LedgerShareUsed', waitsUntil: timestamp(now + 60_000) } },
      { inAccount: 0, inDomain: 0 },
    ],
    [
      'looked up again once that has passed',
      [{ hostname: 'a.example' }],
      { certificate: { ...waits, waitsFor: 'LedgerShareUsed', waitsUntil: timestamp(now - 60_000) } },
      { inAccount: 1, inDomain: 0 },
    ],
  ])('%s', (_, others, changes, expected) => {
    expect(placeAmong(others, { hostname: 'www.own.example', added: 5, ...changes })).toEqual(expected);
  });

  it('all of a queue that is too long to be read for one request, so that no neighbour makes it slow', () => {
    const crowd = Array.from({ length: 10_001 }, (_, index) => ({ hostname: `d${index}.example`, added: 9 }));
    expect(placeAmong(crowd, { hostname: 'www.own.example', added: 5 })).toEqual({ inAccount: 10_002, inDomain: 0 });
  });
});
