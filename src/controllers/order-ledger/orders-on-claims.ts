import { setImmediate } from 'node:timers/promises';
import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import type { Cache } from '../../kubernetes/kubernetes-port.ts';
import { registrableDomain } from '../../rules/hostname.ts';
import type { OrderLimits } from '../../rules/order-ledger/order-limits.ts';
import type { LedgerOrder } from '../../rules/order-ledger/window-usage.ts';
import { inWindow, placedTimes } from '../../rules/order-ledger/window-usage.ts';
import { claimedHostname } from '../../rules/claim-name.ts';

/** How many claims are read before yielding to the event loop. */
const slice = 100;

/**
 * The orders recorded on all claims that still count for the issuer, for when its ledger was lost. There may be hundreds
 * of thousands of claims, so they are read in slices.
 */
export async function ordersOnClaims(
  claims: Pick<Cache<HostnameClaim>, 'values'>,
  limits: Pick<OrderLimits, 'orders'>,
  now: number,
): Promise<readonly LedgerOrder[]> {
  const found: LedgerOrder[] = [];
  let read = 0;
  for (const claim of claims.values()) {
    found.push(...ordersOf(claim, limits, now));
    read += 1;
    if (read % slice === 0) await setImmediate();
  }
  return found;
}

/** Orders count against the account that holds the name now. */
function ordersOf(
  { metadata, spec }: HostnameClaim,
  limits: Pick<OrderLimits, 'orders'>,
  now: number,
): readonly LedgerOrder[] {
  return inWindow(spec.orders ?? [], limits, now).map(({ request, at, outcome, kind, acme, issuerAccount }) => ({
    request,
    at,
    account: spec.account,
    hostname: claimedHostname(metadata.name),
    domain: registrableDomain(claimedHostname(metadata.name)),
    kind: spec.proof.method === 'Platform' ? ('Platform' as const) : (kind ?? 'First'),
    state: outcome,
    ...(issuerAccount === undefined ? {} : { issuerAccount }),
    ...placedTimes(acme?.placed),
  }));
}
