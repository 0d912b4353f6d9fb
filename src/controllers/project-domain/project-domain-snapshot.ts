import type { AccountHead } from '../kept-fields.ts';
import type { HostnameClaim } from '../../generated/hostname-claim.ts';
import type { OrderLedger } from '../../generated/order-ledger.ts';
import type { PlaceInQueue } from '../../rules/order-ledger/expected-turn.ts';
import type { RegisteredDomainOrders } from '../../rules/order-ledger/registered-domain-orders.ts';
import type { Project } from '../../generated/project.ts';
import type { ProjectDomain } from '../../generated/project-domain.ts';
import type { Certificate, CertificateRequest } from '../../resources/cert-manager-types.ts';
import type { EdgeControllers, RouteFindings } from '../../routing/route-findings.ts';
import type { ObservedRoute } from '../../routing/route-port.ts';
import type { RefusedWrite } from '../refused-write.ts';
import type { Condition, Finding } from '../../rules/conditions.ts';
import type { DomainToken } from '../../rules/domain-token.ts';
import type { DomainFindings, FailureCounts } from '../../rules/domain-state.ts';
import type { Limits } from '../../rules/plan-limits.ts';
import type { Precedence, Competitor } from '../../rules/precedence.ts';
import type { AcceptedReason, CertificateReason } from '../../rules/reasons.ts';
import type { OverlappingClaim, ClaimRelation } from '../../rules/hostname-claims.ts';
import type { DnsVerdict } from '../../dns/verdict/dns-verdict.ts';
import type { Delegation } from '../../rules/challenge-delegation.ts';
import type { ProbeResult } from '../../routing/https-probe.ts';
import type { OrderingAccount } from '../acme-issuer/ordering-accounts.ts';
import type { ControllerSettings } from '../controller-settings.ts';
import type { CheckStatus } from './check-status.ts';
import type { DomainClasses, ServingClasses } from './domain-classes.ts';
import type { OwnCertificates } from './own-certificate/gather-own-certificates.ts';
import type { OwnSecret } from '../../rules/own-certificate.ts';
import type { VerifyRequest } from '../../rules/verify-request.ts';

/** The records of a foreign holder; while either is visible in DNS, the name does not move. */
export interface HolderRecords {
  readonly target: string | null;
  readonly ownership: string;
}

/** The domain, whose it is, and what is asked of it. */
interface Subject {
  readonly now: number;
  readonly settings: ControllerSettings;
  readonly domain: ProjectDomain;
  readonly account: AccountHead | undefined;
  /** null when the account's plan does not exist */
  readonly limits: Limits | null;
  readonly project: Project | undefined;
  /** the project's, while its claim is held */
  readonly platformHostname: string | null;
  /** why it may not be served any more although it is not deleted itself: what it stands on is; null where nothing is */
  readonly leaving: string | null;
  readonly verify: VerifyRequest;
}

/** What DNS has to say for it; all of it null while the account is unknown. */
interface Proofs {
  readonly target: string | null;
  /** this domain's ownership value */
  readonly ownership: string | null;
  /** the delegation by which the hostname is prepared; null where it is not, or was switched already */
  readonly delegation: Delegation | null;
  /** what the redirector answers for this domain once it is published */
  readonly token: DomainToken | null;
}

/** Who holds the hostname, and who else wants it or what overlaps with it. */
interface Holding {
  readonly precedence: Precedence;
  /** other domains of the same project */
  readonly siblings: readonly Competitor[];
  /** other objects of the same account with the same hostname */
  readonly sameHostname: readonly Competitor[];
  readonly claim: HostnameClaim | undefined;
  readonly claimRelation: ClaimRelation;
  /** of the wildcard that includes the hostname; undefined where none is served */
  readonly claimAbove: HostnameClaim | undefined;
  /** of a wildcard, the hostnames that it includes and whose claims an administrator suspended, in any phase; one more than an edge serves at most */
  readonly suspendedBelow: readonly string[];
  /** claims that overlap with the hostname's; of several the one that matters */
  readonly overlaps: readonly OverlappingClaim[];
  readonly foreignHolder: HolderRecords | null;
}

/** Its certificate, and what decides about the next order. */
interface Issuing {
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
  /** the accounts that certificates are ordered with, in order of preference */
  readonly issuerAccounts: readonly OrderingAccount[];
}

/** What serves it. */
interface Routing {
  /** the existing route of the hostname in this namespace */
  readonly route: ObservedRoute | undefined;
  /** Ingresses of others with the hostname that the same edge reads, as `namespace/name`, a few; absent: none */
  readonly otherIngresses?: readonly string[];
  /** the hostname has no certificate of its own yet, and the account's wildcard above it is served over HTTPS */
  readonly isWildcardServed: boolean;
  /** the route of the hostname that a Redirect leads to */
  readonly destination: ObservedRoute | undefined;
  readonly classes: DomainClasses;
}

/** What its status and this process remember; times in milliseconds since the Unix epoch. */
interface Memory {
  /** as the status has it, with the times that this process remembers */
  readonly checkStatus: CheckStatus;
  /** when this process began to lead: checks that were due before count as made */
  readonly leadingSince: number;
  /** since when this process has probed the route without an answer; null where it has not */
  readonly unansweredSince: number | null;
  /** since when the route of a hostname that had answered is missing, or has not answered again; null where it is not so */
  readonly routeLostAt: number | null;
  /** since when this process knows that an object of the route waits for an answer of the edge's controller; null where it does not */
  readonly edgeSilentSince: number | null;
  /** until when former routing classes serve it on; null where they do not */
  readonly formerUntil: number | null;
  /** over all domains, to recognise a mass failure */
  readonly failureCounts: FailureCounts;
}

/** What the caches hold, read once and frozen, before DNS, the ingress and cert-manager's availability are checked. */
export interface GatheredProjectDomain extends Subject, Proofs, Holding, Issuing, Routing, Memory {}

type DomainCondition = keyof DomainFindings | 'Ready';
type CertificateCondition = NonNullable<NonNullable<Certificate['status']>['conditions']>[number];

/** With the acceptance rules applied, and with what was gathered sorted for the steps. */
export interface AssessedProjectDomain extends GatheredProjectDomain {
  readonly accepted: Finding<AcceptedReason>;
  /** the conditions as they were written last */
  readonly before: Readonly<Partial<Record<DomainCondition, Condition>>>;
  /** the Certificate's */
  readonly certificateConditions: Readonly<Partial<Record<'Ready' | 'Issuing', CertificateCondition>>>;
  /** those of its requests that are neither approved nor denied */
  readonly openRequests: readonly CertificateRequest[];
}

/** What decideProjectDomain is given, frozen: with what this reconcile observed of DNS and the route. */
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

/** What may be done with a certificate of the customer's own. */
export interface OwnUse {
  /** what this reconcile's look found of the one that the route names, by the rules as they are now; nothing where it was not seen */
  readonly found: Pick<OwnSecret, 'rules' | 'refused'>;
  /** why the one that the spec names is not to be served; null where it is, or there is none */
  readonly trouble: Finding<CertificateReason> | null;
  /** the route is to name its Secret: it is there, and known of for a while, or named already */
  readonly isRoutable: boolean;
  /** the route may no longer name the Secret of the customer's own that it names */
  readonly isRouteOver: boolean;
}

/** The route of a hostname that had answered is missing; milliseconds since the Unix epoch. */
export interface LostRoute {
  /** since when; null where it answers */
  readonly since: number | null;
  /** until when the hostname counts as routed all the same; null where it does not, or need not */
  readonly countsUntil: number | null;
}

/** A snapshot with what several steps ask of it, worked out once. */
export interface EvaluatedProjectDomain extends ProjectDomainSnapshot {
  /** the check status, with this reconcile's Verify request and check */
  readonly checks: CheckStatus;
  /** what was said of the certificate last, where that was that there is one */
  readonly issuedBefore: Finding<CertificateReason> | null;
  readonly ownUse: OwnUse;
  readonly serving: ServingClasses;
  readonly lostRoute: LostRoute;
  /** what the edge says of the route */
  readonly ofEdge: RouteFindings;
}
