import { setImmediate } from 'node:timers/promises';
import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import type { Cache } from '../../kubernetes/kubernetes-port.ts';
import { registrableDomain } from '../../rules/hostname.ts';
import type { OrderLimits } from '../../rules/order-ledger/order-limits.ts';
import type { LedgerOrder } from '../../rules/order-ledger/window-usage.ts';
import { inWindow } from '../../rules/order-ledger/window-usage.ts';

/** How many claims are read before yielding to the event loop. */
const slice = 1_000;

/**
 * The orders recorded on all claims that still count for the issuer, for when its ledger was lost. There may be hundreds
 * of thousands of claims, so they are read in slices.
 */
export async function ordersOnClaims(
  claims: Pick<Cache<HostnameClaim>, 'list'>,
  limits: OrderLimits,
  now: number,
): Promise<readonly LedgerOrder[]> {
  const found: LedgerOrder[] = [];
  for (const [index, claim] of claims.list().entries()) {
    found.push(...ordersOf(claim, limits, now));
    if (index % slice === slice - 1) await setImmediate();
  }
  return found;
}

/** Orders count against the account that holds the name now. */
function ordersOf({ metadata, spec }: HostnameClaim, limits: OrderLimits, now: number): readonly LedgerOrder[] {
  return inWindow(spec.orders ?? [], limits, now).map(({ request, at, outcome, kind }) => ({
    request,
    at,
    account: spec.account,
    hostname: metadata.name,
    domain: registrableDomain(metadata.name),
    kind: spec.proof.method === 'Platform' ? ('Platform' as const) : (kind ?? 'First'),
    state: outcome,
  }));
}
