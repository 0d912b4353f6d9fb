import type { Account } from '../generated/account.ts';
import type { ApiKey } from '../generated/api-key.ts';
import type { HostnameClaim } from '../generated/hostname-claim.ts';
import type { OrderLedger } from '../generated/order-ledger.ts';
import type { Plan as PlanObject } from '../generated/plan.ts';
import type { Project } from '../generated/project.ts';
import type { ProjectDomain } from '../generated/project-domain.ts';
import type { Dns } from '../dns/dns-port.ts';
import type { Cache } from '../kubernetes/kubernetes-port.ts';
import type { Certificate, CertificateRequest, ClusterIssuer } from '../resources/cert-manager-types.ts';
import type { Finding } from '../rules/conditions.ts';
import type { IssuerReason } from '../rules/reasons.ts';
import type { FailureCounts } from '../rules/mass-failure.ts';
import type { EndpointSlice, Ingress, Namespace } from '../resources/kubernetes-types.ts';
import type { Probe } from '../routing/probe-port.ts';
import type { ApplyDependencies } from './apply-actions.ts';
import type { RedirectorRollout } from './redirector-endpoints/redirector-rollout.ts';
import type { PrecedenceIndex } from './precedence-index.ts';
import type { ControllerSettings } from './controller-settings.ts';
import type { TargetAddresses } from './target-addresses.ts';

/** What observing reads: one cache a kind, filled before anything is decided. */
export interface Caches {
  readonly plans: Cache<PlanObject>;
  /** index `plan` */
  readonly accounts: Cache<Account>;
  /** index `account` */
  readonly namespaces: Cache<Namespace>;
  /**
   * indexes `namespace`; `service`: namespace/name of the Service; `declares`: a hostname of spec.domains; `asks`: '' while a
   * request of the platform hostname waits for its turn in the order ledger
   */
  readonly projects: Cache<Project>;
  /**
   * indexes `namespace`; `hostname`; `project`: namespace/name; `redirects`: namespace of every Redirect; `leadsTo`:
   * namespace/hostname that a Redirect leads to; `asks`: '' while a request waits for its turn in the order ledger
   */
  readonly domains: Cache<ProjectDomain>;
  /** indexes `holder`: namespace/name; `formerHolder`: namespace; `orders`: rules/order-ledger/registered-domain-orders.ts' orderIndex */
  readonly claims: Cache<HostnameClaim>;
  readonly orderLedgers: Cache<OrderLedger>;
  readonly certificates: Cache<Certificate>;
  /** index `certificate`: namespace/name */
  readonly certificateRequests: Cache<CertificateRequest>;
  readonly ingresses: Cache<Ingress>;
  /** index `service`: namespace/name */
  readonly endpointSlices: Cache<EndpointSlice>;
  readonly issuers: Cache<ClusterIssuer>;
  /** index `account` */
  readonly apiKeys: Cache<ApiKey>;
  readonly precedenceIndex: PrecedenceIndex;
  readonly failureCounts: () => FailureCounts;
}

/** Everything outside that a reconcile touches: read through caches, dns and probe, changed through the hands. */
export interface ReconcilerDependencies extends ApplyDependencies {
  readonly settings: ControllerSettings;
  readonly caches: Caches;
  readonly dns: Dns;
  readonly probe: Probe;
  readonly targets: TargetAddresses;
  /** where the redirector's addresses have got to */
  readonly rollout: RedirectorRollout;
  /** true while the caches of cert-manager's kinds hold nothing yet, or what once was */
  readonly certManagerUnavailable: () => boolean;
  /** how cert-manager is set up; null when the installation does not look */
  readonly issuerGuard: () => Promise<Finding<IssuerReason> | null>;
  /** whether Kubernetes counts our kinds, so that a ResourceQuota of them may be made */
  readonly areQuotasCounted: () => Promise<boolean>;
}
