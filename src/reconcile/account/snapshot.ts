import type { Account } from '../../generated/account.ts';
import type { Limits } from '../../model/limits.ts';
import { accountLabel, limitsOf } from '../accounts.ts';
import type { Caches } from '../world.ts';

/** Everything an Account is decided from, frozen. */
export interface AccountSnapshot {
  /** milliseconds since the Unix epoch */
  readonly now: number;
  readonly account: Account;
  /** null when the plan does not exist */
  readonly limits: Limits | null;
  /** name of the namespace that carries the account's label; null when none does */
  readonly namespace: string | null;
  /** verbs on Secrets that the operator lacks there; asked live */
  readonly missingRights: readonly string[];
  /** used only for an account without an id */
  readonly newId: string;
}

/** Reads the caches once. */
export function gather(
  caches: Caches,
  account: Account,
  { now, newId }: { readonly now: number; readonly newId: string },
): Omit<AccountSnapshot, 'missingRights'> {
  const { name } = account.metadata;
  const labelled = caches.namespaces.list().find(({ metadata }) => metadata.labels?.[accountLabel] === name);
  return { now, account, limits: limitsOf(caches, account), namespace: labelled?.metadata.name ?? null, newId };
}
