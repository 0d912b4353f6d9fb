import type { Account } from '../../generated/account.ts';
import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import type { OrderLedger } from '../../generated/order-ledger.ts';
import type { RegisteredDomainOrders } from '../../rules/order-ledger/registered-domain-orders.ts';
import type { Project } from '../../generated/project.ts';
import type { ProjectDomain } from '../../generated/project-domain.ts';
import type { Certificate, CertificateRequest } from '../../resources/cert-manager-types.ts';
import type { ObservedRoute } from '../../routing/route-port.ts';
import type { Finding } from '../../rules/conditions.ts';
import type { FailureCounts } from '../../rules/domain-state.ts';
import type { Limits } from '../../rules/plan-limits.ts';
import type { Precedence, Competitor } from '../../rules/precedence.ts';
import type { AcceptedReason } from '../../rules/reasons.ts';
import type { ClaimRelation } from '../../rules/hostname-claims.ts';
import type { DnsVerdict } from '../../dns/verdict/dns-verdict.ts';
import type { ProbeResult } from '../../routing/https-probe.ts';
import type { ControllerSettings } from '../controller-settings.ts';
import type { CheckStatus } from './check-status.ts';
import type { VerifyRequest } from './verify-request.ts';

/** The records that keep a foreign holder in place: while either is visible the name does not move. */
export interface HolderRecords {
  readonly target: string | null;
  readonly ownership: string;
}

/** What the caches say, read once and frozen, before anything is asked of the neighbours: DNS, the ingress, cert-manager. */
export interface GatheredProjectDomain {
  readonly now: number;
  readonly settings: ControllerSettings;
  readonly domain: ProjectDomain;
  readonly account: Account | undefined;
  /** null when the account's plan does not exist */
  readonly limits: Limits | null;
  readonly project: Project | undefined;
  readonly precedence: Precedence;
  /** other domains of the same project */
  readonly siblings: readonly Competitor[];
  /** other objects of the same account with the same hostname */
  readonly sameHostname: readonly Competitor[];
  readonly claim: HostnameClaim | undefined;
  readonly claimRelation: ClaimRelation;
  readonly foreignHolder: HolderRecords | null;
  /** null while account or project are unknown */
  readonly target: string | null;
  /** this domain's ownership value; null while the account is unknown */
  readonly ownership: string | null;
  readonly certificate: Certificate | undefined;
  readonly requests: readonly CertificateRequest[];
  /** what was ordered of the issuer; undefined before its first order */
  readonly orderLedger: OrderLedger | undefined;
  /** what was ordered below the same registered domain; read only while a request waits */
  readonly domainOrders: RegisteredDomainOrders;
  /** the account's first orders of a week; read only while a request waits */
  readonly recentFirstOrders: number;
  /** what stands for the hostname in this namespace */
  readonly route: ObservedRoute | undefined;
  /** route of the hostname a Redirect leads to */
  readonly destination: ObservedRoute | undefined;
  readonly issuerAccountUri: string | null;
  readonly verify: VerifyRequest;
  readonly checkStatus: CheckStatus;
  /** of all domains, to tell one that fails from a world that does */
  readonly failureCounts: FailureCounts;
}

/** With what the rules say of it. */
export interface AssessedProjectDomain extends GatheredProjectDomain {
  readonly accepted: Finding<AcceptedReason>;
}

/** Everything that is decided from, frozen: with what was asked of DNS and the ingress this time. */
export interface ProjectDomainSnapshot extends AssessedProjectDomain {
  /** nothing is known of certificate and requests now; left out where something is */
  readonly certManagerUnavailable?: boolean;
  /** this reconcile's look at DNS, null when it was not due */
  readonly verdict: DnsVerdict | null;
  /** this reconcile's look at the route, null when it was not due */
  readonly probe: ProbeResult | null;
}
