import type { Account } from '../generated/account.ts';
import type { ApiKey } from '../generated/api-key.ts';
import type { HostnameClaim } from '../generated/hostname-claim.ts';
import type { Plan as PlanObject } from '../generated/plan.ts';
import type { Project } from '../generated/project.ts';
import type { ProjectDomain } from '../generated/project-domain.ts';
import type { Dns } from '../dns/port.ts';
import type { Cache, ObjectKey } from '../kube/port.ts';
import type { Certificate, CertificateRequest, ClusterIssuer } from '../model/cert-manager.ts';
import type { Finding } from '../model/condition.ts';
import type { EndpointSlice, Ingress, Namespace } from '../model/kubernetes.ts';
import type { Probe } from '../probe/port.ts';
import type { Hands } from './apply.ts';
import type { Settings } from './settings.ts';
import type { TargetAddresses } from './target-addresses.ts';

/** What observing reads: one cache a kind, filled before anything is decided. */
export interface Caches {
  readonly plans: Cache<PlanObject>;
  readonly accounts: Cache<Account>;
  readonly namespaces: Cache<Namespace>;
  /** indexes `service`: namespace/name of the Service, and `declares`: a hostname of spec.domains */
  readonly projects: Cache<Project>;
  /** indexes `hostname`; `project`: namespace/name; `redirects`: namespace of every Redirect */
  readonly domains: Cache<ProjectDomain>;
  readonly claims: Cache<HostnameClaim>;
  readonly certificates: Cache<Certificate>;
  /** index `certificate`: namespace/name */
  readonly requests: Cache<CertificateRequest>;
  readonly ingresses: Cache<Ingress>;
  /** index `service`: namespace/name */
  readonly slices: Cache<EndpointSlice>;
  readonly issuers: Cache<ClusterIssuer>;
  /** index `account` */
  readonly apiKeys: Cache<ApiKey>;
}

/** Everything outside that a reconcile touches: read through caches, dns and probe, changed through the hands. */
export interface World extends Hands {
  readonly settings: Settings;
  readonly caches: Caches;
  readonly dns: Dns;
  readonly probe: Probe;
  readonly targets: TargetAddresses;
  /** how cert-manager is set up; null when the installation does not look */
  readonly issuerGuard: () => Promise<Finding | null>;
  /** whether Kubernetes counts our kinds, so that a ResourceQuota of them may be made */
  readonly countsQuotas: () => Promise<boolean>;
}

export const indexKey = (namespace: string, name: string): string => `${namespace}/${name}`;

/** Splits the queue's key, `namespace/name`, or `name` for cluster-scoped kinds. */
export function parseKey(key: string): ObjectKey {
  const [first = '', second] = key.split('/', 2);
  return second === undefined ? { namespace: '', name: first } : { namespace: first, name: second };
}
