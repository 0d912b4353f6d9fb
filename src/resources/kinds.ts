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

/** Kinds of one API group and version: those in namespaces, and those of the whole cluster. */
function kindsOf(apiVersion: string) {
  const kindOf =
    (namespaced: boolean) =>
    <T = KubernetesObject>(kind: string, plural: string): Kind<T> => ({ apiVersion, kind, plural, namespaced });
  return { namespaced: kindOf(true), clusterWide: kindOf(false) };
}

const own = kindsOf('projectdomain.io/v1alpha1');

export const PlanKind = own.clusterWide<Plan>('Plan', 'plans');
export const AccountKind = own.clusterWide<Account>('Account', 'accounts');
export const ProjectKind = own.namespaced<Project>('Project', 'projects');
export const ProjectDomainKind = own.namespaced<ProjectDomain>('ProjectDomain', 'projectdomains');
export const HostnameClaimKind = own.clusterWide<HostnameClaim>('HostnameClaim', 'hostnameclaims');
export const OrderLedgerKind = own.clusterWide<OrderLedger>('OrderLedger', 'orderledgers');
export const AcmeIssuerKind = own.clusterWide<AcmeIssuer>('AcmeIssuer', 'acmeissuers');
export const ApiKeyKind = own.clusterWide<ApiKey>('ApiKey', 'apikeys');

export const certManagerApiVersion = 'cert-manager.io/v1';

const certManager = kindsOf(certManagerApiVersion);

export const CertificateKind = certManager.namespaced<Certificate>('Certificate', 'certificates');
export const CertificateRequestKind = certManager.namespaced<CertificateRequest>(
  'CertificateRequest',
  'certificaterequests',
);
export const ClusterIssuerKind = certManager.clusterWide<ClusterIssuer>('ClusterIssuer', 'clusterissuers');

export const IngressKind = kindsOf('networking.k8s.io/v1').namespaced<Ingress>('Ingress', 'ingresses');

const gatewayApi = kindsOf('gateway.networking.k8s.io/v1');

export const GatewayKind = gatewayApi.namespaced<Gateway>('Gateway', 'gateways');
export const GatewayClassKind = gatewayApi.clusterWide<GatewayClass>('GatewayClass', 'gatewayclasses');
export const ListenerSetKind = gatewayApi.namespaced<ListenerSet>('ListenerSet', 'listenersets');
export const HttpRouteKind = gatewayApi.namespaced<HttpRoute>('HTTPRoute', 'httproutes');
/** Implementations of Gateway API read this version; v1 is only in its later bundles. */
export const ReferenceGrantKind = kindsOf('gateway.networking.k8s.io/v1beta1').namespaced<ReferenceGrant>(
  'ReferenceGrant',
  'referencegrants',
);

export const EndpointSliceKind = kindsOf('discovery.k8s.io/v1').namespaced<EndpointSlice>(
  'EndpointSlice',
  'endpointslices',
);

const core = kindsOf('v1');

export const NamespaceKind = core.clusterWide<Namespace>('Namespace', 'namespaces');
export const ResourceQuotaKind = core.namespaced('ResourceQuota', 'resourcequotas');
export const ServiceKind = core.namespaced('Service', 'services');
export const SecretKind = core.namespaced<Secret>('Secret', 'secrets');
export const ConfigMapKind = core.namespaced<RedirectorRecord>('ConfigMap', 'configmaps');
