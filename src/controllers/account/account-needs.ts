import type { Finding } from '../../rules/conditions.ts';
import type { IssuerReason } from '../../rules/reasons.ts';
import type { GatewayGuard } from '../gateway-guard.ts';
import type { RecentChecks } from '../project-domain/recent-checks.ts';
import type { CommonNeeds } from '../needs.ts';

/** What reconciles of this kind need of the outside. */
export interface AccountNeeds extends CommonNeeds {
  /** how cert-manager is set up; null when the installation does not look */
  readonly issuerGuard: () => Promise<Finding<IssuerReason> | null>;
  /** whether nobody else can attach to the Gateway; null where none serves hostnames */
  readonly gatewayGuard: () => Promise<GatewayGuard | null>;
  /** whether Kubernetes counts our kinds, so that a ResourceQuota of them may be made */
  readonly areQuotasCounted: () => Promise<boolean>;
  readonly recentChecks: RecentChecks;
}
