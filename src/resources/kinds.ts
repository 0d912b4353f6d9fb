import type { Gateway, GatewayClass, HttpRoute, ListenerSet, ReferenceGrant } from './gateway-types.ts';
import type { Account } from '../generated/account.ts';
import type { AcmeIssuer } from '../generated/acme-issuer.ts';
import type { ApiKey } from '../generated/api-key.ts';
import type { HostnameClaim } from '../generated/hostname-claim.ts';
import type { OrderLedger } from '../generated/order-ledger.ts';
import type { Plan } from '../generated/plan.ts';
import type { Project } from '../generated/project.ts';
import type { ProjectDomain } from '../generated/project-domain.ts';
import type { Certificate, CertificateRequest, ClusterIssuer } from './cert-manager-types.ts';
import type {
  EndpointSlice,
  Ingress,
  KubernetesObject,
  Namespace,
  RedirectorRecord,
  Secret,
} from './kubernetes-types.ts';

/** A kind with what its URL needs; the type parameter is the type of its objects (Kind of kubernetes-port.ts). */
interface Kind<T = KubernetesObject> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** never set at run time; only carries the type */
  readonly shape?: T;
}

const own = { apiVersion: 'projectdomain.io/v1alpha1' } as const;

export const PlanKind: Kind<Plan> = { ...own, kind: 'Plan', plural: 'plans', namespaced: false };
export const AccountKind: Kind<Account> = { ...own, kind: 'Account', plural: 'accounts', namespaced: false };
export const ProjectKind: Kind<Project> = { ...own, kind: 'Project', plural: 'projects', namespaced: true };
export const ProjectDomainKind: Kind<ProjectDomain> = {
  ...own,
  kind: 'ProjectDomain',
  plural: 'projectdomains',
  namespaced: true,
};
export const HostnameClaimKind: Kind<HostnameClaim> = {
  ...own,
  kind: 'HostnameClaim',
  plural: 'hostnameclaims',
  namespaced: false,
};

export const OrderLedgerKind: Kind<OrderLedger> = {
  ...own,
  kind: 'OrderLedger',
  plural: 'orderledgers',
  namespaced: false,
};

export const AcmeIssuerKind: Kind<AcmeIssuer> = {
  ...own,
  kind: 'AcmeIssuer',
  plural: 'acmeissuers',
  namespaced: false,
};

export const ApiKeyKind: Kind<ApiKey> = { ...own, kind: 'ApiKey', plural: 'apikeys', namespaced: false };

export const certManagerApiVersion = 'cert-manager.io/v1';

const certManager = { apiVersion: certManagerApiVersion } as const;

export const CertificateKind: Kind<Certificate> = {
  ...certManager,
  kind: 'Certificate',
  plural: 'certificates',
  namespaced: true,
};
export const CertificateRequestKind: Kind<CertificateRequest> = {
  ...certManager,
  kind: 'CertificateRequest',
  plural: 'certificaterequests',
  namespaced: true,
};
export const ClusterIssuerKind: Kind<ClusterIssuer> = {
  ...certManager,
  kind: 'ClusterIssuer',
  plural: 'clusterissuers',
  namespaced: false,
};

export const IngressKind: Kind<Ingress> = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  plural: 'ingresses',
  namespaced: true,
};
const gatewayApi = { apiVersion: 'gateway.networking.k8s.io/v1', namespaced: true } as const;
export const GatewayKind: Kind<Gateway> = { ...gatewayApi, kind: 'Gateway', plural: 'gateways' };
export const GatewayClassKind: Kind<GatewayClass> = {
  ...gatewayApi,
  kind: 'GatewayClass',
  plural: 'gatewayclasses',
  namespaced: false,
};
export const ListenerSetKind: Kind<ListenerSet> = { ...gatewayApi, kind: 'ListenerSet', plural: 'listenersets' };
export const HttpRouteKind: Kind<HttpRoute> = { ...gatewayApi, kind: 'HTTPRoute', plural: 'httproutes' };
/** Implementations of Gateway API read this version; v1 is only in its later bundles. */
export const ReferenceGrantKind: Kind<ReferenceGrant> = {
  ...gatewayApi,
  apiVersion: 'gateway.networking.k8s.io/v1beta1',
  kind: 'ReferenceGrant',
  plural: 'referencegrants',
};
export const EndpointSliceKind: Kind<EndpointSlice> = {
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  plural: 'endpointslices',
  namespaced: true,
};
export const NamespaceKind: Kind<Namespace> = {
  apiVersion: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
};
export const ResourceQuotaKind: Kind = {
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  plural: 'resourcequotas',
  namespaced: true,
};
export const ServiceKind: Kind = { apiVersion: 'v1', kind: 'Service', plural: 'services', namespaced: true };
export const SecretKind: Kind<Secret> = { apiVersion: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true };

export const ConfigMapKind: Kind<RedirectorRecord> = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
};
