import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import type { IssuerRef } from '../../issuing/issuer-ref.ts';
import { isNamed, isOrderedHere } from '../../issuing/issuer-ref.ts';
import { isApproved, isEnded } from '../../issuing/request-status.ts';
import type { CertificateRequest } from '../../resources/cert-manager-types.ts';
import { findCondition, isTrue } from '../../rules/conditions.ts';
import type { OrderEntry } from '../../rules/order-ledger/hostname-orders.ts';
import type { AccountAway } from '../acme-issuer/ordering-accounts.ts';
import type { RegisteredAccount } from '../acme-issuer/registered-accounts.ts';
import type { AcmeOrder } from './order-record.ts';

/** Everything that is decided from about one open order of a hostname, frozen. */
export interface AcmeOrderSnapshot {
  /** milliseconds since the Unix epoch */
  readonly now: number;
  readonly claim: HostnameClaim;
  /** one that the claim has as Pending */
  readonly order: OrderEntry;
  /** the request that it is for; undefined while none is seen */
  readonly request: CertificateRequest | undefined;
  readonly issuer: IssuerRef;
  /** those that can be used now, in order of preference; none before they are registered */
  readonly accounts: readonly RegisteredAccount[];
  /** URLs of the issuer's accounts, whether they can be used now or not */
  readonly knownAccounts: readonly string[];
  /** name of the account that it is to be placed with; null where the issuer has one alone, without a name */
  readonly placedWith: string | null;
  /** why that account takes it not now; null where it does */
  readonly away: OrderAway | null;
  /** name of the account that it can go on with instead; null for none */
  readonly alternative: string | null;
}

/** Beside what an account is away for: CAA does not permit it any more, or its authority named a time. */
export type OrderAway = AccountAway | 'Forbidden' | 'Waits';

/** What one open order needs of this process. */
export type NextForOrder =
  /** nothing: it is not ours, or what it waits for brings it back */
  | { readonly next: 'Leave' }
  /** `because` is a sentence for people; null where what it waits for is a matter of moments */
  | { readonly next: 'Wait'; readonly forMs: number; readonly because: string | null }
  /** it goes on with another account, as nothing that its own may have placed is known of */
  | { readonly next: 'Move'; readonly issuerAccount: string; readonly waitsAccount: string }
  /** its authority has it and does not answer: its request is removed, so that another order follows with another account */
  | { readonly next: 'Abandon'; readonly request: CertificateRequest }
  /** no certificate follows any more: what was proven is given up, if there is an account to do it with, and its outcome is recorded */
  | { readonly next: 'Close'; readonly acme: AcmeOrder | null; readonly account: RegisteredAccount | null }
  /** it goes on at its authority, from what is remembered of it; a new order has to be sent before a time, if any */
  | {
      readonly next: 'Advance';
      readonly request: CertificateRequest;
      readonly known: AcmeOrder | null;
      readonly account: RegisteredAccount;
      readonly placeBefore: number | null;
    };

/** An order is placed while the check that permits it is at most this old. */
const freshForMs = 60_000;
const untilRegisteredMs = 2_000;
/** The check that it waits for is recorded on the claim, which brings it back before. */
const untilCheckedMs = 30_000;
/** Caches of several kinds are not of one moment: for so long a request that is not seen may be there all the same. */
const unseenForMs = 5 * 60_000;
const lookForItMs = 60_000;
/** How soon an order that its authority keeps waiting may find that another account takes it. */
const lookForAnotherMs = 60_000;

const leave: NextForOrder = Object.freeze({ next: 'Leave' });
const wait = (forMs: number, because: string | null): NextForOrder => ({ next: 'Wait', forMs, because });
const untilRegistered = wait(untilRegisteredMs, 'waiting for the ACME account of the issuer');

/**
 * Decides what an open order needs. It is placed for a request that the claim has recorded, that the operator has approved, and whose
 * hostname was checked within the minute; approval alone never suffices. Pure.
 */
export function decideAcmeOrder(snapshot: AcmeOrderSnapshot): NextForOrder {
  const { order, request, issuer, claim, now } = snapshot;
  if (!request) {
    if (!order.acme && !isOrderedHere(issuer)) return leave;
    return now - Date.parse(order.at) < unseenForMs ? wait(lookForItMs, null) : close(snapshot);
  }
  if (isOver(snapshot, request)) return order.acme ? close(snapshot) : leave;
  if (claim.spec.phase !== 'Held' || !isApproved(request)) return leave;
  return goesOn(snapshot, request) ?? advance(snapshot, request);
}

function close({ order: { acme }, issuer, accounts, knownAccounts }: AcmeOrderSnapshot): NextForOrder {
  if (!acme || !isOrderedHere(issuer)) return { next: 'Close', acme: acme ?? null, account: null };
  const account = accounts.find((one) => one.acme.url === acme.account);
  const isAway = accounts.length === 0 || knownAccounts.includes(acme.account);
  return account || !isAway ? { next: 'Close', acme, account: account ?? null } : untilRegistered;
}

function advance(snapshot: AcmeOrderSnapshot, request: CertificateRequest): NextForOrder {
  const { order, accounts, knownAccounts } = snapshot;
  const { acme = null } = order;
  const own = accounts.find(({ acme: { url } }) => url === acme?.account);
  const account = own ?? grantedFor(snapshot);
  const isAway = acme !== null && !own && knownAccounts.includes(acme.account);
  if (!account || isAway) return untilRegistered;
  const known = acme && !own ? withoutOrder(acme) : acme;
  if (known?.order !== undefined) return { next: 'Advance', request, known, account, placeBefore: null };
  const place = mayPlace(snapshot);
  return 'next' in place ? place : { next: 'Advance', request, known, account, ...place };
}

/** The account that the ledger granted it for; the preferred one where that has no name. */
const grantedFor = ({ accounts, placedWith }: AcmeOrderSnapshot): RegisteredAccount | undefined =>
  placedWith === null ? accounts[0] : accounts.find(({ name }) => name === placedWith);

/** With another account, while its own takes no order. What an authority has already is left there for a silence alone. */
function goesOn(
  { order, away, placedWith, alternative }: AcmeOrderSnapshot,
  request: CertificateRequest,
): NextForOrder | null {
  if (away === null || alternative === null) return null;
  if (order.acme?.order === undefined)
    return { next: 'Move', issuerAccount: alternative, waitsAccount: order.waitsAccount ?? placedWith ?? '' };
  return away === 'Down' || away === 'Unusable' ? { next: 'Abandon', request } : null;
}

/** Until when a new order may be sent, or what it waits for. */
function mayPlace(snapshot: AcmeOrderSnapshot): { readonly placeBefore: number | null } | NextForOrder {
  const { order, claim, accounts, away, now } = snapshot;
  if (away === 'Forbidden') return wait(untilCheckedMs, 'waiting until CAA permits an account that takes orders');
  const named = namedWait(snapshot);
  if (named > now) return wait(accounts.length < 2 ? named - now : Math.min(named - now, lookForAnotherMs), null);
  if (claim.spec.proof.method === 'Platform') return { placeBefore: null };
  const placeBefore = (Date.parse(order.checkedAt ?? '') || 0) + freshForMs;
  return placeBefore < now ? wait(untilCheckedMs, 'waiting for a new check of DNS and CAA') : { placeBefore };
}

/** Until when its own account's authority said to wait, milliseconds since the Unix epoch; 0 where it did not. */
const namedWait = ({ order: { waitsUntil, waitsAccount }, placedWith }: AcmeOrderSnapshot): number =>
  waitsUntil === undefined || (waitsAccount !== undefined && waitsAccount !== placedWith) ? 0 : Date.parse(waitsUntil);

/** The request has its certificate or failed, is another issuer's by now, or whoever holds the hostname gives it up. */
function isOver({ claim, issuer, order }: AcmeOrderSnapshot, request: CertificateRequest): boolean {
  const isOurs = isNamed(issuer, request.spec.issuerRef);
  const isDenied = isTrue(findCondition(request.status?.conditions, 'Denied'));
  const isReleased = order.acme !== undefined && claim.spec.phase !== 'Held';
  return !isOrderedHere(issuer) || !isOurs || isDenied || isEnded(request) || isReleased;
}

/** What was placed with an account that is gone, or is lost at its authority, is placed anew, and counts all the same. */
export const withoutOrder = ({ account, thumbprint, placed }: AcmeOrder): AcmeOrder => ({
  account,
  thumbprint,
  placed,
});
