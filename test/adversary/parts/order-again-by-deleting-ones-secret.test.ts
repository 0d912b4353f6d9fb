import { describe, expect, it } from '@jest/globals';
import type { OrderEntry } from '../../../src/rules/order-ledger/hostname-orders.ts';
import { decideProjectDomain } from '../../../src/controllers/project-domain/decide-project-domain.ts';
import type { ProjectDomainSnapshot } from '../../../src/controllers/project-domain/project-domain-snapshot.ts';
import { certificateIn, claim, granting, heldBy, verdict, now, request, snapshot } from '../../support/snapshot.ts';

/**
 * A tenant deletes the TLS Secret of its own hostname whenever it has one, so that cert-manager orders again for ever.
 * Held off: the orders of the name are counted however they ended, each is paid as a first one, and the sixth of a week
 * waits and says so.
 */

const hour = 3_600_000;

/** What the claim and the status show after this many certificates, one an hour, each lost at once. */
function afterDeleting(times: number, changes: Partial<ProjectDomainSnapshot> = {}): ProjectDomainSnapshot {
  const open = request(`r${times}`);
  const orders: readonly OrderEntry[] = Array.from({ length: times }, (_, index) => ({
    request: `u-r${index}`,
    at: new Date(now - (times - index) * hour).toISOString(),
    outcome: 'Issued',
  }));
  return snapshot({
    ...heldBy,
    claim: claim({ orders: [...orders] }),
    certificate: {
      ...certificateIn(false),
      status: { conditions: [{ type: 'Ready', status: 'False' }] },
    },
    requests: [open],
    orderLedger: granting(open),
    verdict: verdict(),
    ...changes,
  });
}

const isApproved = (snap: ProjectDomainSnapshot): boolean =>
  JSON.stringify(decideProjectDomain(snap).writes).includes('"Approved"');

describe('a tenant that deletes its Secret again and again', () => {
  it.each([1, 2, 3, 4])('has a certificate again after %d', (times) => {
    expect(isApproved(afterDeleting(times))).toBe(true);
  });

  it.each([5, 6, 20])('waits after %d, whatever the issuer still has', (times) => {
    const snap = afterDeleting(times);
    expect(isApproved(snap)).toBe(false);
    expect(JSON.stringify(decideProjectDomain(snap).writes)).toContain('"waitsFor":"LedgerNameFull"');
  });

  it('pays for each as for a first one, not as for a renewal', () => {
    const write = decideProjectDomain(afterDeleting(2)).writes.find(({ kind }) => kind.kind === 'HostnameClaim');
    expect(JSON.stringify(write)).toContain('"kind":"First"');
  });
});
