import type { Account } from '../../generated/account.ts';
import type { Limits } from '../../rules/plan-limits.ts';
import type { RefusedWrite } from '../refused-write.ts';
import type { Finding } from '../../rules/conditions.ts';
import type { GatewayReason, IssuerReason } from '../../rules/reasons.ts';
import type { KubernetesObject } from '../../resources/kubernetes-types.ts';

export type Quantities = Readonly<Record<string, string>>;

/** The fields of a ResourceQuota (core/v1) that are read; `status` is what Kubernetes enforces. */
export interface ObservedQuota extends KubernetesObject {
  readonly spec?: { readonly hard?: Quantities };
  readonly status?: { readonly hard?: Quantities; readonly used?: Quantities };
}

/** Everything decideAccount needs, frozen. */
export interface AccountSnapshot {
  /** milliseconds since the Unix epoch */
  readonly now: number;
  readonly account: Account;
  /** null when the plan does not exist */
  readonly limits: Limits | null;
  /** name of the namespace that carries the account's label; null when none does */
  readonly namespace: string | null;
  /** verbs on Secrets that the operator lacks there; read live, not from a cache */
  readonly missingRights: readonly string[];
  /** how cert-manager is set up, read live; null when the installation does not check it */
  readonly issuerGuard: Finding<IssuerReason> | null;
  /** who can attach to the Gateway that serves hostnames, read live; null where none does */
  readonly gatewayGuard: Finding<GatewayReason> | null;
  /** the quota that is in the namespace now, read live; null when there is none */
  readonly quota: ObservedQuota | null;
  /** true once Kubernetes counts our kinds */
  readonly areQuotasCounted: boolean;
  /** used only for an account without an id */
  readonly newId: string;
  /** what the cluster refused of this reconcile's writes; absent before they are sent */
  readonly refused?: readonly RefusedWrite[];
}
