import type { KubernetesObject } from '../kubernetes/kubernetes-port.ts';
import { indexKey } from '../kubernetes/object-keys.ts';
import { watch } from '../kubernetes/kubernetes-port.ts';
import { accountLabel } from '../resources/object-metadata.ts';
import type { CertificateRequest } from '../resources/cert-manager-types.ts';
import { certificateNameAnnotation } from '../resources/cert-manager-types.ts';
import {
  AccountKind,
  AcmeIssuerKind,
  ApiKeyKind,
  CertificateKind,
  CertificateRequestKind,
  ClusterIssuerKind,
  EndpointSliceKind,
  HostnameClaimKind,
  NamespaceKind,
  OrderLedgerKind,
  PlanKind,
  ProjectDomainKind,
  ProjectKind,
} from '../resources/kinds.ts';
import type { ProjectDomain } from '../generated/project-domain.ts';
import { headOfDomain, isPrimary, servesAsPrimary } from '../rules/domain-head.ts';
import { declaredDomains } from '../rules/declared-domains.ts';
import { usesRedirector } from './redirector-endpoints/decide-redirector-endpoints.ts';
import {
  headOfAccount,
  keptOfChild,
  keptOfNamespace,
  keptOfRequest,
  keptOfSlice,
  withoutLastApplied,
} from './kept-fields.ts';
import { indexBelow, indexSuspendedBelow, unsettledClaim } from './claim-indexes.ts';
import { hasRevocations } from '../issuing/revocations.ts';
import { orderQueueOf } from '../rules/order-ledger/expected-turn.ts';
import { orderIndex } from '../rules/order-ledger/registered-domain-orders.ts';

const namespaceOf = ({ metadata }: KubernetesObject): readonly string[] => [metadata.namespace ?? ''];

const inNamespace = ({ metadata }: KubernetesObject, name: string): readonly string[] => [
  indexKey(metadata.namespace ?? '', name),
];

/** '' while a request waits for its turn in the order ledger. */
const waitsForOrder = ({
  status,
}: {
  readonly status?: { readonly certificate?: { readonly request?: string } };
}): readonly string[] => (status?.certificate?.request ? [''] : []);

const certifiedNames = ({ status }: ProjectDomain): readonly string[] => [
  ...new Set((status?.certificate?.ownSecrets ?? []).flatMap(({ names }) => names)),
];

/**
 * Every kind that the operator keeps a copy of, with the indexes that its objects are found by: caches, reflectors, triggers
 * and the rights to watch follow from here. What routes consist of comes from their implementation.
 */
export const watchedKinds = Object.freeze({
  plans: watch(PlanKind),
  accounts: watch(AccountKind, {
    memory: 'packed',
    head: headOfAccount,
    indexes: { plan: ({ spec }) => [spec.plan] },
  }),
  namespaces: watch(NamespaceKind, {
    labelSelector: accountLabel,
    keep: keptOfNamespace,
    indexes: { account: ({ metadata }) => [metadata.labels?.[accountLabel] ?? ''] },
  }),
  projects: watch(ProjectKind, {
    keep: withoutLastApplied,
    memory: 'packed',
    indexes: {
      namespace: namespaceOf,
      /** namespace/name of the Service that is served */
      service: (project) => inNamespace(project, project.spec.service.name),
      /** the subdomain that it asks for by name */
      asksFor: ({ spec }) => (spec.subdomain === undefined ? [] : [spec.subdomain]),
      /** each hostname of spec.domains */
      declares: ({ metadata, spec }) => declaredDomains(metadata.name, spec.domains).map(({ hostname }) => hostname),
      waitsForOrder,
    },
  }),
  domains: watch(ProjectDomainKind, {
    keep: withoutLastApplied,
    memory: 'packed',
    head: headOfDomain,
    indexes: {
      namespace: namespaceOf,
      hostname: ({ spec }) => [spec.hostname],
      /** every hostname that its customer's own certificates name, as far as the operator knows their Secrets */
      certifies: certifiedNames,
      /** SHA-256 of the customer's own certificate, as the spec has it: tenants may write there */
      ownFingerprint: ({ spec }) => spec.certificate?.chain.slice(0, 1) ?? [],
      project: (domain) => inNamespace(domain, domain.spec.project),
      /** its project, of a primary and of one that asks to be it */
      primaries: (domain) => (isPrimary(domain) ? inNamespace(domain, domain.spec.project) : []),
      /** its project, of the primary that visitors get */
      servingPrimary: (domain) => (servesAsPrimary(domain) ? inNamespace(domain, domain.spec.project) : []),
      /** namespace of each domain with requests for the redirector */
      redirects: (domain) => (usesRedirector(domain) ? [domain.metadata.namespace ?? ''] : []),
      /** namespace/hostname that a Redirect leads to */
      leadsTo: (domain) => (domain.spec.redirect ? inNamespace(domain, domain.spec.redirect.to) : []),
      waitsForOrder,
      orderQueue: orderQueueOf,
    },
  }),
  claims: watch(HostnameClaimKind, {
    memory: 'packed',
    indexes: {
      holder: ({ spec }) => [indexKey(spec.holder.namespace, spec.holder.name)],
      formerHolder: ({ spec }) => spec.formerHolders ?? [],
      orders: orderIndex,
      unsettled: unsettledClaim,
      /** '' where the authority may suggest when to renew */
      renewable: ({ spec }) => (spec.orders?.at(-1)?.acme?.certificate === undefined ? [] : ['']),
      below: indexBelow,
      suspendedBelow: indexSuspendedBelow,
      /** the claim's name, where certificates have to be revoked */
      revoking: (claim) => (hasRevocations(claim) ? [claim.metadata.name] : []),
    },
  }),
  orderLedgers: watch(OrderLedgerKind),
  certificates: watch(CertificateKind, {
    keep: keptOfChild(withoutLastApplied),
    memory: 'packed',
  }),
  certificateRequests: watch(CertificateRequestKind, {
    keep: keptOfRequest,
    memory: 'packed',
    indexes: { certificate: certificateOf },
  }),
  endpointSlices: watch(EndpointSliceKind, {
    keep: keptOfSlice,
    memory: 'packed',
    indexes: {
      service: (slice) => inNamespace(slice, slice.metadata.labels?.['kubernetes.io/service-name'] ?? ''),
    },
  }),
  issuers: watch(ClusterIssuerKind),
  acmeIssuers: watch(AcmeIssuerKind),
  apiKeys: watch(ApiKeyKind, { indexes: { account: ({ spec }) => [spec.account] } }),
});

export type WatchedKinds = typeof watchedKinds;

function certificateOf(request: CertificateRequest): readonly string[] {
  const name = request.metadata.annotations?.[certificateNameAnnotation];
  return name === undefined ? [] : inNamespace(request, name);
}
