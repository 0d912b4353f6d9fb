import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import type { OrderLimits, OrderWait } from './order-limits.ts';
import { roomAt } from './order-limits.ts';

/** One order of a name, as it stands on the name's claim. */
export type OrderEntry = NonNullable<HostnameClaim['spec']['orders']>[number];

/** After a first failure; doubled with each one in a row. */
const firstPause = 5 * 60_000;
/** One a day is what Let's Encrypt forgives of consecutive failures, so a name never nears the pause at 1,152. */
const longestPause = 24 * 3_600_000;

const at = (entry: OrderEntry): number => Date.parse(entry.at);
const latest = (times: readonly number[]): number => Math.max(...times);

/**
 * What a name's own orders say to one more, whoever placed them: this name was ordered too often, failed too often or
 * too often in a row, or the authority named a time. Null when nothing stands in the way.
 */
export function hostnameWait(orders: readonly OrderEntry[], limits: OrderLimits, now: number): OrderWait | null {
  const said = orders.flatMap(({ waitsUntil, scope }) =>
    waitsUntil && scope === 'Name' ? [Date.parse(waitsUntil)] : [],
  );
  if (said.length > 0 && latest(said) > now) return { reason: 'AuthoritySaysWait', until: latest(said) };
  const issued = orders.filter(({ outcome }) => outcome !== 'Failed').map(at);
  const full = roomAt(issued, limits.exactSet, now);
  if (full !== null) return { reason: 'LedgerNameFull', until: full };
  const pause = Math.max(roomAt(failures(orders), limits.failures, now) ?? 0, pauseEnds(orders));
  return pause > now ? { reason: 'IssuanceLimited', until: pause } : null;
}

const failures = (orders: readonly OrderEntry[]): readonly number[] =>
  orders.filter(({ outcome }) => outcome === 'Failed').map(at);

/** End of the pause after failures in a row; 0 without any. */
function pauseEnds(orders: readonly OrderEntry[]): number {
  const decided = orders.filter(({ outcome }) => outcome !== 'Pending');
  const inARow = decided.slice(decided.findLastIndex(({ outcome }) => outcome === 'Issued') + 1);
  const last = inARow.at(-1);
  return last === undefined ? 0 : at(last) + Math.min(longestPause, firstPause * 2 ** Math.min(inARow.length - 1, 20));
}
