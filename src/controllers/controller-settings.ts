import type { ObjectKey } from '../kubernetes/kubernetes-port.ts';
import type { CaIdentity } from '../dns/verdict/dns-verdict.ts';
import type { OrderLimits } from '../rules/order-ledger/order-limits.ts';
import type { IpRange } from '../rules/ip-range.ts';
import type { PlanLimits } from '../rules/plan-limits.ts';
import type { RecordValues } from '../rules/dns-target.ts';
import type { GuardedGateway } from '../routing/gateway/gateway-acceptance.ts';
import type { RouteImplementation } from '../routing/route-port.ts';
import type { RoutingClasses } from '../routing/routing-classes.ts';
import type { IssuerRef } from '../issuing/issuer-ref.ts';

export interface CertManagerDeployment {
  readonly namespace: string;
  readonly deployment: string;
  readonly serviceAccount: string;
}

/** Their challenges are answered over DNS alone, and hostnames' own routes have to go before theirs. */
export const canServeWildcards = ({
  challengeZone,
  routes,
}: Pick<ControllerSettings, 'challengeZone' | 'routes'>): boolean => challengeZone !== null && routes.servesWildcards;

/** A Gateway, and the name of the routing class that it is. */
export type ClassGateway = GuardedGateway & { readonly class: string };

/** The settings of an installation, frozen at startup. */
export interface ControllerSettings {
  /** projects get a hostname below it: shop.<platformDomain> */
  readonly platformDomain: string;
  /** CNAME targets lie below it */
  readonly cnameDomain: string;
  /** addresses of the ingress, for apex domains and flattened names */
  readonly platformAddresses: readonly string[];
  readonly issuer: IssuerRef;
  /** the operator's own namespace */
  readonly systemNamespace: string;
  /** the zone in which challenges of prepared hostnames are answered; null where hostnames cannot be prepared */
  readonly challengeZone: string | null;
  /** CAA issuer domains, validation method and CAA profile of the issuer; the account URI comes from its status */
  readonly ca: Omit<CaIdentity, 'accountUri'>;
  /** the authority's rate limits, and how they are shared among accounts */
  readonly orderLimits: OrderLimits;
  /** how requests are routed to a backend: by Ingresses of a class, or by another implementation */
  readonly routes: RouteImplementation;
  /** what serves hostnames: ingress controllers and Gateways, by name */
  readonly routingClasses: RoutingClasses;
  /** how long a class serves a hostname on, after DNS and its caches lead to another one */
  readonly drainMs: number;
  /** the Gateways that serve them, each with its routing class; none where ingress controllers do */
  readonly gateways: readonly ClassGateway[];
  /** the Gateways that listeners of hostnames are written onto, those of retired classes too, as what they have is taken away */
  readonly writtenGateways: readonly ClassGateway[];
  /** the Service whose endpoints are the redirector's Pods */
  readonly redirector: ObjectKey;
  /** which certificate serves platform hostnames: one of their own each, or the ingress's default certificate */
  readonly platformTls: 'PerHost' | 'Default';
  /** ranges of CDNs beside the known ones */
  readonly cdnRanges: readonly IpRange[];
  /** require the ownership TXT record even where the hostname visibly leads to its exact target */
  readonly requireTxt: boolean;
  /** how many served domains may be looked up in a second */
  readonly looksPerSecond: number;
  /** limits of the Plans to create where they are missing, by name */
  readonly plans: Readonly<Record<string, PlanLimits>>;
  /** cert-manager's controller, whose setup is checked; null to check none */
  readonly certManager: CertManagerDeployment | null;
  /** derives targets and ownership values */
  readonly records: RecordValues;
}
