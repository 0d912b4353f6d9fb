import type { Account } from '../../generated/account.ts';
import type { Limits } from '../../rules/plan-limits.ts';
import type { Finding } from '../../rules/conditions.ts';
import type { IssuerReason } from '../../rules/reasons.ts';
import { limitsOf, namespaceOf } from '../account-lookup.ts';
import type { Caches } from '../reconciler-dependencies.ts';
import type { KubernetesObject } from '../../resources/kubernetes-types.ts';

export type Quantities = Readonly<Record<string, string>>;

/** What is read of a ResourceQuota (core/v1); `status` is what Kubernetes holds writers to. */
export interface ObservedQuota extends KubernetesObject {
  readonly spec?: { readonly hard?: Quantities };
  readonly status?: { readonly hard?: Quantities; readonly used?: Quantities };
}

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
  /** how cert-manager is set up, asked live; null when the installation does not look */
  readonly issuerGuard: Finding<IssuerReason> | null;
  /** what caps its namespace now, asked live; null when there is none */
  readonly quota: ObservedQuota | null;
  /** Kubernetes counts our kinds */
  readonly areQuotasCounted: boolean;
  /** used only for an account without an id */
  readonly newId: string;
}

/** Reads the caches once. */
export function gatherAccount(
  caches: Caches,
  account: Account,
  { now, newId }: Pick<AccountSnapshot, 'now' | 'newId'>,
): Omit<AccountSnapshot, 'missingRights' | 'issuerGuard' | 'quota' | 'areQuotasCounted'> {
  const namespace = namespaceOf(caches, account.metadata.name);
  return {
    now,
    account,
    limits: limitsOf(caches, account),
    namespace,
    newId,
  };
}
