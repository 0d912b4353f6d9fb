import { accountLabel } from '../resources/account-label.ts';
import { declaredDomains } from '../rules/declared-domains.ts';
import type { CertificateRequest } from '../resources/cert-manager-types.ts';
import type { KubernetesObject, Kind } from '../kubernetes/kubernetes-port.ts';
import { createStore } from '../kubernetes/store.ts';
import type { IndexFunction, Store } from '../kubernetes/store.ts';
import {
  AccountKind,
  ApiKeyKind,
  CertificateKind,
  CertificateRequestKind,
  ClusterIssuerKind,
  EndpointSliceKind,
  HostnameClaimKind,
  IngressKind,
  NamespaceKind,
  OrderLedgerKind,
  PlanKind,
  ProjectDomainKind,
  ProjectKind,
} from '../resources/kinds.ts';
import { maintainFailureCounts } from './failure-counts.ts';
import { orderIndex } from '../rules/order-ledger/registered-domain-orders.ts';
import { indexKey } from '../kubernetes/object-keys.ts';
import { maintainPrecedence } from './maintain-precedence.ts';

/** Every kind the operator keeps a copy of, with its indexes (controllers/reconciler-dependencies.ts' Caches says what they mean). */
export function createOperatorStores(onFault: (error: unknown) => void) {
  const store = <T extends KubernetesObject>(
    _: Kind<T>,
    indexes: Readonly<Record<string, IndexFunction<T>>> = {},
  ): Store<T> => createStore(indexes, onFault);
  const stores = Object.freeze({
    plans: store(PlanKind),
    accounts: store(AccountKind, { plan: ({ spec }) => [spec.plan] }),
    namespaces: store(NamespaceKind, { account: ({ metadata }) => [metadata.labels?.[accountLabel] ?? ''] }),
    projects: store(ProjectKind, {
      namespace: namespaceOf,
      service: ({ metadata, spec }) => [indexKey(metadata.namespace ?? '', spec.service.name)],
      asks: ({ status }) => (status?.certificate?.request ? [''] : []),
      declares: ({ metadata, spec }) => declaredDomains(metadata.name, spec.domains).map(({ hostname }) => hostname),
    }),
    domains: store(ProjectDomainKind, {
      namespace: namespaceOf,
      hostname: ({ spec }) => [spec.hostname],
      project: ({ metadata, spec }) => [indexKey(metadata.namespace ?? '', spec.project)],
      asks: ({ status }) => (status?.certificate?.request ? [''] : []),
      redirects: ({ metadata, spec }) => (spec.role === 'Redirect' ? [metadata.namespace ?? ''] : []),
      leadsTo: ({ metadata, spec }) => (spec.redirect ? [indexKey(metadata.namespace ?? '', spec.redirect.to)] : []),
    }),
    claims: store(HostnameClaimKind, {
      holder: ({ spec }) => [indexKey(spec.holder.namespace, spec.holder.name)],
      formerHolder: ({ spec }) => spec.formerHolders ?? [],
      orders: orderIndex,
    }),
    orderLedgers: store(OrderLedgerKind),
    certificates: store(CertificateKind),
    certificateRequests: store(CertificateRequestKind, { certificate: certificateOf }),
    ingresses: store(IngressKind),
    endpointSlices: store(EndpointSliceKind, {
      service: ({ metadata }) => [
        indexKey(metadata.namespace ?? '', metadata.labels?.['kubernetes.io/service-name'] ?? ''),
      ],
    }),
    issuers: store(ClusterIssuerKind),
    apiKeys: store(ApiKeyKind, { account: ({ spec }) => [spec.account] }),
  });
  return Object.freeze({
    ...stores,
    precedenceIndex: maintainPrecedence(stores),
    failureCounts: maintainFailureCounts(stores.domains),
  });
}

export type OperatorStores = ReturnType<typeof createOperatorStores>;

const namespaceOf = ({ metadata }: KubernetesObject): readonly string[] => [metadata.namespace ?? ''];

function certificateOf({ metadata }: CertificateRequest): readonly string[] {
  const name = metadata.annotations?.['cert-manager.io/certificate-name'];
  return name === undefined ? [] : [indexKey(metadata.namespace ?? '', name)];
}

/** Which kind fills which store; children are told from foreign objects by our label. */
export const watched = Object.freeze({
  plans: { kind: PlanKind },
  accounts: { kind: AccountKind },
  namespaces: { kind: NamespaceKind, labelSelector: 'projectdomain.io/account' },
  projects: { kind: ProjectKind },
  domains: { kind: ProjectDomainKind },
  claims: { kind: HostnameClaimKind },
  orderLedgers: { kind: OrderLedgerKind },
  certificates: { kind: CertificateKind, labelSelector: 'app.kubernetes.io/managed-by=projectdomain' },
  certificateRequests: { kind: CertificateRequestKind },
  ingresses: { kind: IngressKind, labelSelector: 'app.kubernetes.io/managed-by=projectdomain' },
  endpointSlices: { kind: EndpointSliceKind },
  issuers: { kind: ClusterIssuerKind },
  apiKeys: { kind: ApiKeyKind },
});
