import type { OrderEntry } from './hostname-orders.ts';
import { hostnameWait } from './hostname-orders.ts';
import type { IssuerAccount } from './issuer-account.ts';
import type { OrderWait } from './order-limits.ts';

/** An account, and why it takes no order now; null where it does. */
interface AccountWait<A> {
  readonly account: A;
  readonly wait: OrderWait | null;
}

/** What an order waits for that any of some accounts may take: the first to take one again. Null where one takes it now, or there is none. */
export function soonest(waits: readonly Pick<AccountWait<unknown>, 'wait'>[]): OrderWait | null {
  const found = waits.map(({ wait }) => wait);
  if (found.includes(null)) return null;
  return found.reduce((first, wait) => (first && wait && first.until > wait.until ? wait : first), found[0] ?? null);
}

export interface AccountsForName<A> {
  /** those that the name's own orders do not keep waiting */
  readonly open: readonly A[];
  /** why there is none */
  readonly wait: OrderWait | null;
}

/** Which of some accounts a hostname's next order may be placed with, as far as its own earlier orders decide that. */
export function accountsForName<A extends Pick<IssuerAccount, 'limits' | 'isHere'>>(
  orders: readonly OrderEntry[],
  accounts: readonly A[],
  now: number,
): AccountsForName<A> {
  const waits = accounts.map((account) => ({ account, wait: hostnameWait(orders, account, now) }));
  return { open: waits.flatMap(({ account, wait }) => (wait ? [] : [account])), wait: soonest(waits) };
}
