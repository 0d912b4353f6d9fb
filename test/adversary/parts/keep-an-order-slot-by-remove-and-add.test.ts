import { describe, expect, it } from '@jest/globals';
import type { HostnameClaim } from '../../../src/generated/hostname-claim.ts';
import { hostnameWait } from '../../../src/rules/order-ledger/hostname-orders.ts';
import { decideHostnameClaim } from '../../../src/controllers/hostname-claim/decide-hostname-claim.ts';
import { decideProjectDomain } from '../../../src/controllers/project-domain/decide-project-domain.ts';
import { readCheckStatus } from '../../../src/controllers/project-domain/check-status.ts';
import type { ProjectDomainSnapshot } from '../../../src/controllers/project-domain/project-domain-snapshot.ts';
import { claim, domain, verdict, now, orderLimits, snapshot, routes } from '../../support/snapshot.ts';

/**
 * A tenant removes its hostname and adds it again, or hands it from account to account, so that what was ordered of it is
 * forgotten and it orders once more. Held off: the orders stay on the claim through tombstone, return and transfer.
 */

const orders = [5, 4, 3, 2, 1].map((days) => ({
  request: `u-${days}`,
  at: new Date(now - days * 24 * 3_600_000).toISOString(),
  outcome: 'Issued' as const,
}));

function specAfter(snap: ProjectDomainSnapshot): HostnameClaim['spec'] {
  const write = decideProjectDomain(snap).writes.find(
    ({ verb, kind }) => verb === 'replace' && kind.kind === 'HostnameClaim',
  );
  if (write?.verb !== 'replace') throw new Error('the claim is not written');
  return write.object.spec as HostnameClaim['spec'];
}

const tombstone = (changes: Partial<HostnameClaim['spec']> = {}) =>
  claim({ phase: 'Tombstone', releasedAt: new Date(now).toISOString(), orders, ...changes });

describe('a name that had its five certificates of the week', () => {
  it.each<[string, HostnameClaim['spec']]>([
    [
      'removed',
      (() => {
        const actions = decideHostnameClaim({
          now,
          routes,
          claim: claim({ orders }),
          held: false,
          children: { route: false, certificate: false },
        });
        const [write] = actions.writes;
        if (write?.verb !== 'replace') throw new Error('the claim is not written');
        return write.object.spec as HostnameClaim['spec'];
      })(),
    ],
    ['added again', specAfter(snapshot({ verdict: verdict(), claim: tombstone() }))],
    [
      'moved to another account',
      specAfter(
        snapshot({
          verdict: verdict(),
          claim: tombstone({ account: 'acc-other', holder: { namespace: 'other', name: 'www' } }),
          claimRelation: { kind: 'Foreign', phase: 'Tombstone', epoch: 2 },
          checkStatus: { ...readCheckStatus(domain()), successes: 1 },
        }),
      ),
    ],
  ])('has them still when it is %s', (_, spec) => {
    expect(spec.orders).toEqual(orders);
    expect(hostnameWait(spec.orders ?? [], { limits: orderLimits, isHere: () => true }, now)?.reason).toBe(
      'LedgerNameFull',
    );
  });
});
