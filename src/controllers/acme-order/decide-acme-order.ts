import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import type { IssuerRef } from '../../issuing/issuer-ref.ts';
import { isOrderedHere, issuerGroup } from '../../issuing/issuer-ref.ts';
import { isApproved, isEnded } from '../../issuing/request-outcome.ts';
import type { CertificateRequest } from '../../resources/cert-manager-types.ts';
import { findCondition, isTrue } from '../../rules/conditions.ts';
import type { OrderEntry } from '../../rules/order-ledger/hostname-orders.ts';
import type { RegisteredAccount } from '../acme-issuer/registered-accounts.ts';
import type { AcmeOrder } from './advance-order.ts';

/** Everything that is decided from about one open order of a hostname, frozen. */
export interface AcmeOrderSnapshot {
  /** milliseconds since the Unix epoch */
  readonly now: number;
  readonly claim: HostnameClaim;
  /** one that the claim has as Pending */
  readonly order: OrderEntry;
  /** the request that it is for; undefined once that is gone */
  readonly request: CertificateRequest | undefined;
  readonly issuer: IssuerRef;
  /** in order of preference; none before they are registered */
  readonly accounts: readonly RegisteredAccount[];
}

/** What one open order needs of this process. */
export type NextForOrder =
  /** nothing: it is not ours, or what it waits for brings it back */
  | { readonly next: 'Leave' }
  | { readonly next: 'Wait'; readonly forMs: number }
  /** no certificate follows any more: its proofs are given up, with its account if that is still there, and its outcome is recorded */
  | { readonly next: 'Close'; readonly acme: AcmeOrder; readonly account: RegisteredAccount | null }
  /** it goes on at its authority, from what is remembered of it */
  | {
      readonly next: 'Advance';
      readonly request: CertificateRequest;
      readonly known: AcmeOrder | null;
      readonly account: RegisteredAccount;
    };

/** An order is placed while the check that permits it is at most this old. */
const freshForMs = 60_000;
const untilRegisteredMs = 2_000;
/** The check that it waits for is recorded on the claim, which brings it back before. */
const untilCheckedMs = 30_000;

const leave: NextForOrder = Object.freeze({ next: 'Leave' });
const wait = (forMs: number): NextForOrder => ({ next: 'Wait', forMs });

/**
 * Decides what an open order needs. It is placed for a request that the claim has recorded, that the operator has approved, and whose
 * hostname was checked within the minute; approval alone never suffices. Pure.
 */
export function decideAcmeOrder(snapshot: AcmeOrderSnapshot): NextForOrder {
  const { order, request, accounts, claim } = snapshot;
  const { acme } = order;
  const own = acme && accounts.find((account) => account.acme.url === acme.account);
  if (!request || isOver(snapshot, request)) {
    if (!acme) return leave;
    if (!isOrderedHere(snapshot.issuer)) return { next: 'Close', acme, account: null };
    return accounts.length === 0 ? wait(untilRegisteredMs) : { next: 'Close', acme, account: own ?? null };
  }
  if (claim.spec.phase !== 'Held' || !isApproved(request)) return leave;
  const account = own ?? accounts[0];
  if (!account) return wait(untilRegisteredMs);
  const known = acme ? (own ? acme : withoutOrder(acme)) : null;
  if (known?.order === undefined && !isFresh(snapshot)) return wait(untilCheckedMs);
  return { next: 'Advance', request, known, account };
}

/** The request has its certificate or failed, is another issuer's by now, or whoever holds the hostname gives it up. */
function isOver({ claim, issuer, order }: AcmeOrderSnapshot, request: CertificateRequest): boolean {
  const { group, kind, name } = request.spec.issuerRef;
  const isOurs = group === issuerGroup(issuer) && kind === issuer.kind && name === issuer.name;
  const isDenied = isTrue(findCondition(request.status?.conditions, 'Denied'));
  return !isOurs || isDenied || isEnded(request) || (order.acme !== undefined && claim.spec.phase !== 'Held');
}

/** What was placed with an account that is gone is placed anew, and counts all the same. */
const withoutOrder = ({ account, thumbprint, placed }: AcmeOrder): AcmeOrder => ({ account, thumbprint, placed });

/** Nobody's DNS leads a platform hostname here but the platform's own. */
function isFresh({ claim, order, now }: AcmeOrderSnapshot): boolean {
  if (claim.spec.proof.method === 'Platform') return true;
  return order.checkedAt !== undefined && now - Date.parse(order.checkedAt) <= freshForMs;
}
