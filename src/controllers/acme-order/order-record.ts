import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import { claimWith } from '../../issuing/order-history.ts';
import { isConflict } from '../../kubernetes/kubernetes-errors.ts';
import type { Cluster } from '../../kubernetes/kubernetes-port.ts';
import { HostnameClaimKind } from '../../resources/kinds.ts';
import type { OrderEntry } from '../../rules/order-ledger/hostname-orders.ts';

/** What is remembered of an order outside of processes: the hostname's claim has it. */
export type AcmeOrder = NonNullable<OrderEntry['acme']>;

/** What changes of an order's entry; `acme` null for none any more. */
export interface OrderChange extends Omit<Partial<OrderEntry>, 'acme'> {
  readonly acme?: AcmeOrder | null;
}

/** One order on the claim of its hostname, as it is written. */
export interface OrderRecord {
  /** what is recorded of the order at its authority, this process' writes included */
  acme(): AcmeOrder | null;
  /** What is about to be done. Rejects where the claim has changed since it was read: then nothing may be done. */
  intend(change: OrderChange): Promise<void>;
  /** What happened: recorded on the claim as it is by now, too. */
  note(change: OrderChange): Promise<void>;
}

const triesAtMost = 4;

/** Each write goes on from the one before: the cache may not show that yet. */
export function openOrderRecord(
  cluster: Pick<Cluster, 'get' | 'replace'>,
  claim: HostnameClaim,
  { request }: Pick<OrderEntry, 'request'>,
): OrderRecord {
  let latest = claim;
  const intend = async (change: OrderChange) => {
    const orders = (latest.spec.orders ?? []).map((order) =>
      order.request === request ? changed(order, change) : order,
    );
    latest = await cluster.replace(HostnameClaimKind, claimWith(latest, orders));
  };
  return {
    acme: () => latest.spec.orders?.find((order) => order.request === request)?.acme ?? null,
    intend,
    async note(change) {
      for (let tries = 1; ; tries += 1) {
        try {
          return await intend(change);
        } catch (error) {
          if (!isConflict(error) || tries === triesAtMost) throw error;
          latest = (await cluster.get(HostnameClaimKind, { namespace: '', name: claim.metadata.name })) ?? latest;
        }
      }
    },
  };
}

function changed({ acme: before, ...order }: OrderEntry, { acme: after = before, ...change }: OrderChange): OrderEntry {
  return { ...order, ...change, ...(after ? { acme: after } : {}) };
}
