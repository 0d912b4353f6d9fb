import { accountLabel } from '../resources/object-metadata.ts';
import type { Limits } from '../rules/plan-limits.ts';
import { effectiveLimits } from '../rules/plan-limits.ts';
import type { AccountHead } from './kept-fields.ts';
import type { Caches } from './needs.ts';

/** The account a namespace belongs to; undefined when it is not labelled or the Account is absent. */
export function accountOf(
  { namespaces, accounts }: Pick<Caches, 'namespaces' | 'accounts'>,
  namespace: string,
): AccountHead | undefined {
  const name = namespaces.get({ namespace: '', name: namespace })?.metadata.labels?.[accountLabel];
  return name === undefined ? undefined : accounts.headOf({ namespace: '', name });
}

/** Name of the namespace that carries an account's label; null when none does. */
export function namespaceOf({ namespaces }: Caches, account: string): string | null {
  return namespaces.keysByIndex('account', account)[0]?.name ?? null;
}

/** Names of all namespaces that carry an account's label. */
export const namespacesOf = ({ namespaces }: Pick<Caches, 'namespaces'>, account: string): readonly string[] =>
  namespaces.keysByIndex('account', account).map(({ name }) => name);

const planOf = ({ plans }: Pick<Caches, 'plans'>, account: Pick<AccountHead, 'spec'> | undefined) =>
  account && plans.get({ namespace: '', name: account.spec.plan });

/** The routing classes that the account's plan permits, in order of preference; none while the plan does not exist. */
export const permittedClasses = (
  caches: Pick<Caches, 'plans'>,
  account: Pick<AccountHead, 'spec'> | undefined,
): readonly string[] => planOf(caches, account)?.spec.routingClasses ?? [];

/** The account's limits: its plan with its overrides; null while the plan does not exist. */
export function limitsOf(caches: Caches, account: Pick<AccountHead, 'spec'> | undefined): Limits | null {
  const plan = planOf(caches, account);
  return plan && account ? effectiveLimits(plan.spec, account.spec.overrides) : null;
}
