import type { ObjectKey } from '../kubernetes/kubernetes-port.ts';
import type { CaIdentity } from '../dns/verdict/dns-verdict.ts';
import type { OrderLimits } from '../rules/order-ledger/order-limits.ts';
import type { PlanLimits } from '../rules/plan-limits.ts';
import type { RecordValues } from '../rules/dns-target.ts';
import type { RouteImplementation } from '../routing/route-port.ts';
import type { IssuerRef } from '../issuing/cert-manager/certificate-manifest.ts';

export interface CertManagerDeployment {
  readonly namespace: string;
  readonly deployment: string;
  readonly serviceAccount: string;
}

/** What an installation decides once; frozen at start. */
export interface ControllerSettings {
  /** customers' projects are served below it: shop.<platformDomain> */
  readonly platformDomain: string;
  /** CNAME targets lie below it */
  readonly cnameDomain: string;
  /** addresses of the ingress, for apexes and flattened names */
  readonly platformAddresses: readonly string[];
  readonly issuer: IssuerRef;
  /** CAA issuer domains and validation method of the issuer; the account URI comes from its status */
  readonly ca: Omit<CaIdentity, 'accountUri'>;
  /** what the authority allows, and how it is shared */
  readonly orderLimits: OrderLimits;
  /** how requests are brought to a backend: by Ingresses of a class, or by another implementation */
  readonly routes: RouteImplementation;
  /** the Service whose endpoints are the redirector's Pods */
  readonly redirector: ObjectKey;
  /** who answers TLS for platform hostnames: a Certificate each, or the ingress's default certificate */
  readonly platformTls: 'PerHost' | 'Default';
  /** demand the ownership TXT even where the exact target is visible */
  readonly requireTxt: boolean;
  /** limits of the Plans that are created where they are missing, by name */
  readonly plans: Readonly<Record<string, PlanLimits>>;
  /** cert-manager's controller, whose set-up is looked at; null to look at none */
  readonly certManager: CertManagerDeployment | null;
  /** draws targets and ownership values */
  readonly records: RecordValues;
}
