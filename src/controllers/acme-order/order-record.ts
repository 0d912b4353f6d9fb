import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import { claimWith } from '../../issuing/order-history.ts';
import type { Cluster } from '../../kubernetes/kubernetes-port.ts';
import { HostnameClaimKind } from '../../resources/kinds.ts';
import type { OrderEntry } from '../../rules/order-ledger/hostname-orders.ts';

/** One order on the claim of its hostname, as it is written. */
export interface OrderRecord {
  /** Rejects with a conflict where the claim has changed since it was read, and nothing may be done that it was to record. */
  write(change: Partial<OrderEntry>): Promise<void>;
}

/** Each write goes on from the one before: the cache may not show that yet. */
export function openOrderRecord(
  cluster: Pick<Cluster, 'replace'>,
  claim: HostnameClaim,
  { request }: Pick<OrderEntry, 'request'>,
): OrderRecord {
  let latest = claim;
  return {
    async write(change) {
      const orders = (latest.spec.orders ?? []).map((order) =>
        order.request === request ? { ...order, ...change } : order,
      );
      latest = await cluster.replace(HostnameClaimKind, claimWith(latest, orders));
    },
  };
}
