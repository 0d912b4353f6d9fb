import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import { claimWith } from '../../issuing/order-history.ts';
import { isConflict } from '../../kubernetes/kubernetes-errors.ts';
import type { Cluster } from '../../kubernetes/kubernetes-port.ts';
import { HostnameClaimKind } from '../../resources/kinds.ts';
import type { OrderEntry } from '../../rules/order-ledger/hostname-orders.ts';

/** One order on the claim of its hostname, as it is written. */
export interface OrderRecord {
  /**
   * Rejects with a conflict where the claim has changed since it was read: nothing may be done then that this was to record. What
   * follows a write has happened already, and is recorded on the claim as it is by then.
   */
  write(change: Partial<OrderEntry>): Promise<void>;
}

const triesAtMost = 4;

/** Each write goes on from the one before: the cache may not show that yet. */
export function openOrderRecord(
  cluster: Pick<Cluster, 'get' | 'replace'>,
  claim: HostnameClaim,
  { request }: Pick<OrderEntry, 'request'>,
): OrderRecord {
  let latest = claim;
  const replace = async (change: Partial<OrderEntry>) => {
    const orders = (latest.spec.orders ?? []).map((order) =>
      order.request === request ? { ...order, ...change } : order,
    );
    latest = await cluster.replace(HostnameClaimKind, claimWith(latest, orders));
  };
  return {
    async write(change) {
      const mayRetry = latest !== claim;
      for (let tries = 1; ; tries += 1) {
        try {
          return await replace(change);
        } catch (error) {
          if (!mayRetry || !isConflict(error) || tries === triesAtMost) throw error;
          latest = (await cluster.get(HostnameClaimKind, { namespace: '', name: claim.metadata.name })) ?? latest;
        }
      }
    },
  };
}
