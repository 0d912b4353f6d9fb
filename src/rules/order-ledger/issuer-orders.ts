import type { OrderLimits, OrderWait } from './order-limits.ts';
import type { Payer } from './fair-share.ts';
import { isWithinShare, isOpen } from './fair-share.ts';
import type { LedgerOrder, WindowUsage } from './window-usage.ts';
import { inWindow, paceOf, windowUsage } from './window-usage.ts';
import { windowMs } from './order-limits.ts';

/** The orders of an issuer at one moment. */
export interface IssuerOrders {
  readonly orders: readonly LedgerOrder[];
  /** until when the authority paused our whole ACME account, milliseconds since the Unix epoch; 0 without a pause */
  readonly authorityPauseUntil: number;
}

/** Why the window has no order for this payer right now; null when it has one. */
export function refusal(tally: WindowUsage, limits: OrderLimits, payer: Payer): OrderWait['reason'] | null {
  if (!isOpen(tally, limits, payer)) return 'LedgerIssuerFull';
  return isWithinShare(tally, limits, payer) ? null : 'LedgerShareUsed';
}

/** Why the issuer's window makes one more order wait, and until when if nobody else takes it; null when it need not. */
export function issuerWait(book: IssuerOrders, limits: OrderLimits, payer: Payer, now: number): OrderWait | null {
  if (book.authorityPauseUntil > now) return { reason: 'AuthoritySaysWait', until: book.authorityPauseUntil };
  const live = inWindow(book.orders, limits, now);
  const reason = refusal(windowUsage(live, limits, now), limits, payer);
  return reason === null ? null : { reason, until: firstRoom(live, limits, payer, now) };
}

/** As orders leave the window, room only grows, so a binary search finds the first moment with room. */
function firstRoom(live: readonly LedgerOrder[], limits: OrderLimits, payer: Payer, now: number): number {
  const ends = live
    .flatMap(({ at }) => [windowMs(limits.orders), paceOf(limits)].map((length) => Date.parse(at) + length))
    .filter((end) => end > now)
    .toSorted((a, b) => a - b);
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const hasRoom = refusal(windowUsage(live, limits, ends[middle] ?? now), limits, payer) === null;
    if (hasRoom) high = middle;
    else low = middle + 1;
  }
  return ends[Math.min(low, ends.length - 1)] ?? now + windowMs(limits.orders);
}
