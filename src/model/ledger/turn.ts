import type { OrderLimits, Wait } from './limits.ts';
import type { Payer } from './share.ts';
import { hasShare, isOpen } from './share.ts';
import type { LedgerOrder, Tally } from './tally.ts';
import { inWindow, paceOf, tallyOf } from './tally.ts';
import { lengthOf } from './window.ts';

/** The issuer's book at a moment. */
export interface IssuerBook {
  readonly orders: readonly LedgerOrder[];
  /** what the authority said of the whole account, milliseconds since the Unix epoch; 0 when it said nothing */
  readonly saidUntil: number;
}

/** Why the window has no order for this one right now; null when it has. */
export function refusal(tally: Tally, limits: OrderLimits, payer: Payer): Wait['reason'] | null {
  if (!isOpen(tally, limits, payer)) return 'LedgerIssuerFull';
  return hasShare(tally, limits, payer) ? null : 'LedgerShareUsed';
}

/** What the issuer's window says to one more order, and when it has one if nobody else takes it. */
export function issuerWait(book: IssuerBook, limits: OrderLimits, payer: Payer, now: number): Wait | null {
  if (book.saidUntil > now) return { reason: 'AuthoritySaysWait', until: book.saidUntil };
  const live = inWindow(book.orders, limits, now);
  const reason = refusal(tallyOf(live, limits, now), limits, payer);
  return reason === null ? null : { reason, until: firstRoom(live, limits, payer, now) };
}

/** As orders leave the window room only grows, so the first moment with room is found by halving. */
function firstRoom(live: readonly LedgerOrder[], limits: OrderLimits, payer: Payer, now: number): number {
  const ends = live
    .flatMap(({ at }) => [lengthOf(limits.orders), paceOf(limits)].map((length) => Date.parse(at) + length))
    .filter((end) => end > now)
    .toSorted((a, b) => a - b);
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const has = refusal(tallyOf(live, limits, ends[middle] ?? now), limits, payer) === null;
    if (has) high = middle;
    else low = middle + 1;
  }
  return ends[Math.min(low, ends.length - 1)] ?? now + lengthOf(limits.orders);
}
