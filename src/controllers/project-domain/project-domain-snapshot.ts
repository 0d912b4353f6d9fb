import type { AccountHead } from '../kept-fields.ts';
import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import type { OrderLedger } from '../../generated/order-ledger.ts';
import type { PlaceInQueue } from '../../rules/order-ledger/expected-turn.ts';
import type { RegisteredDomainOrders } from '../../rules/order-ledger/registered-domain-orders.ts';
import type { Project } from '../../generated/project.ts';
import type { ProjectDomain } from '../../generated/project-domain.ts';
import type { Certificate, CertificateRequest } from '../../resources/cert-manager-types.ts';
import type { EdgeControllers } from '../../routing/route-findings.ts';
import type { ObservedRoute } from '../../routing/route-port.ts';
import type { RefusedWrite } from '../refused-write.ts';
import type { Finding } from '../../rules/conditions.ts';
import type { DomainToken } from '../../rules/domain-token.ts';
import type { FailureCounts } from '../../rules/domain-state.ts';
import type { Limits } from '../../rules/plan-limits.ts';
import type { Precedence, Competitor } from '../../rules/precedence.ts';
import type { AcceptedReason } from '../../rules/reasons.ts';
import type { OverlappingClaim } from '../../rules/overlapping-claims.ts';
import type { ClaimRelation } from '../../rules/hostname-claims.ts';
import type { DnsVerdict } from '../../dns/verdict/dns-verdict.ts';
import type { Delegation } from '../../rules/challenge-delegation.ts';
import type { ProbeResult } from '../../routing/https-probe.ts';
import type { OrderingAccount } from '../acme-issuer/ordering-accounts.ts';
import type { ControllerSettings } from '../controller-settings.ts';
import type { CheckStatus } from './check-status.ts';
import type { DomainClasses } from './domain-classes.ts';
import type { OwnCertificates } from './own-certificates.ts';
import type { VerifyRequest } from '../../rules/verify-request.ts';

/** The records of a foreign holder; while either is visible in DNS, the name does not move. */
export interface HolderRecords {
  readonly target: string | null;
  readonly ownership: string;
}

/** What the caches hold, read once and frozen, before DNS, the ingress and cert-manager's availability are checked. */
export interface GatheredProjectDomain {
  readonly now: number;
  readonly settings: ControllerSettings;
  readonly domain: ProjectDomain;
  readonly account: AccountHead | undefined;
  /** null when the account's plan does not exist */
  readonly limits: Limits | null;
  readonly project: Project | undefined;
  /** the project's, while its claim is held */
  readonly platformHostname: string | null;
  readonly precedence: Precedence;
  /** other domains of the same project */
  readonly siblings: readonly Competitor[];
  /** other objects of the same account with the same hostname */
  readonly sameHostname: readonly Competitor[];
  readonly claim: HostnameClaim | undefined;
  readonly claimRelation: ClaimRelation;
  /** why it may not be served any more although it is not deleted itself: what it stands on is; null where nothing is */
  readonly leaving: string | null;
  /** of the wildcard that includes the hostname; undefined where none is served */
  readonly claimAbove: HostnameClaim | undefined;
  /** of a wildcard, the hostnames that it includes and whose claims an administrator suspended, in any phase; one more than an edge serves at most */
  readonly suspendedBelow: readonly string[];
  /** claims that overlap with the hostname's; of several the one that matters */
  readonly overlaps: readonly OverlappingClaim[];
  readonly foreignHolder: HolderRecords | null;
  /** null while the account is unknown */
  readonly target: string | null;
  /** this domain's ownership value; null while the account is unknown */
  readonly ownership: string | null;
  /** the delegation by which the hostname is prepared; null where it is not, or was switched already */
  readonly delegation: Delegation | null;
  /** what the redirector answers for this domain once it is published; null while the account is unknown */
  readonly token: DomainToken | null;
  readonly certificate: Certificate | undefined;
  /** certificates of the customer's own; null for a domain that neither has nor had one */
  readonly own: OwnCertificates | null;
  readonly requests: readonly CertificateRequest[];
  /** undefined before the issuer's first order */
  readonly orderLedger: OrderLedger | undefined;
  /** orders below the same registered domain; read only while a request waits */
  readonly domainOrders: RegisteredDomainOrders;
  /** number of the account's first orders within a week; read only while a request waits */
  readonly recentFirstOrders: number;
  /** who waits for an order before this domain */
  readonly placeInQueue: PlaceInQueue;
  /** the existing route of the hostname in this namespace */
  readonly route: ObservedRoute | undefined;
  /** Ingresses of others with the hostname that the same edge reads, as `namespace/name`, a few; absent: none */
  readonly otherIngresses?: readonly string[];
  /** the hostname has no certificate of its own yet, and the account's wildcard above it is served over HTTPS */
  readonly isWildcardServed: boolean;
  /** the route of the hostname that a Redirect leads to */
  readonly destination: ObservedRoute | undefined;
  /** the accounts that certificates are ordered with, in order of preference */
  readonly issuerAccounts: readonly OrderingAccount[];
  readonly verify: VerifyRequest;
  /** as the status has it, with the times that this process remembers */
  readonly checkStatus: CheckStatus;
  /** when this process began to lead, milliseconds since the Unix epoch: checks that were due before count as made */
  readonly leadingSince: number;
  /** since when this process has probed the route without an answer, milliseconds since the Unix epoch; null where it has not */
  readonly unansweredSince: number | null;
  /** since when the route of a hostname that had answered is missing, or has not answered again, as this process remembers; null where it is not so */
  readonly routeLostAt: number | null;
  /** since when this process knows that an object of the route waits for an answer of the edge's controller; null where it does not */
  readonly edgeSilentSince: number | null;
  readonly classes: DomainClasses;
  /** until when former routing classes serve it on, as this process remembers, milliseconds since the Unix epoch; null where it does not */
  readonly formerUntil: number | null;
  /** over all domains, to recognise a mass failure */
  readonly failureCounts: FailureCounts;
}

/** With the result of the acceptance rules. */
export interface AssessedProjectDomain extends GatheredProjectDomain {
  readonly accepted: Finding<AcceptedReason>;
}

/** Everything decideProjectDomain needs, frozen: with what this reconcile observed of DNS and the route. */
export interface ProjectDomainSnapshot extends AssessedProjectDomain {
  /** true while cert-manager cannot be reached, so that certificate and requests are unknown */
  readonly certManagerUnavailable?: boolean;
  /** routing classes to whose Gateways others can attach; absent: none */
  readonly openClasses?: readonly string[];
  /** whose the Gateways are that serve hostnames */
  readonly edgeControllers?: EdgeControllers;
  /** Gateways that take no further hostname */
  readonly fullEdges?: readonly string[];
  /** whether the Secret of the customer's own certificate exists; null where that was not asked, or is not known */
  readonly ownSecretIsThere?: boolean | null;
  /** the verdict of this reconcile's DNS check; null when none was due */
  readonly verdict: DnsVerdict | null;
  /** the result of this reconcile's probe of the route; null when none was due */
  readonly probe: ProbeResult | null;
  /** the namespace of the claim's former holder is gone, and its Secrets and the right to delete them with it; absent: it is not */
  readonly areSecretsGone?: boolean;
  /** the cluster refused to have the hostname's own route changed, and it has not been since; absent: it did not */
  readonly isRouteRefused?: boolean;
  /** what the cluster refused of this reconcile's writes; absent before they are sent */
  readonly refused?: readonly RefusedWrite[];
}
