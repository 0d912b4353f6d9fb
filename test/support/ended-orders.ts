import { expectThat, within } from '../../dev/lib/eventually.ts';
import type { Stage } from '../../dev/story/stage.ts';
import type { HostnameClaim } from '../../src/generated/hostname-claim.ts';
import type { OrderEntry } from '../../src/rules/order-ledger/hostname-orders.ts';

/**
 * The orders that claims remember, once none is open. A site may be Live a little before the outcome of its order is recorded: its proofs are given
 * up first.
 */
export const endedOrders = ({ kubectl, patienceMs }: Stage): Promise<readonly OrderEntry[]> =>
  within('no order is open', patienceMs, async () => {
    const listed = await kubectl.run(['get', 'hostnameclaims', '-o', 'json']);
    const { items } = JSON.parse(listed) as { readonly items: readonly HostnameClaim[] };
    const recorded = items.flatMap(({ spec }) => spec.orders ?? []);
    const open = recorded.filter(({ outcome }) => outcome === 'Pending');
    expectThat(open.length === 0, JSON.stringify(open));
    return recorded;
  });
