import type { KubernetesObject } from '../../kubernetes/kubernetes-port.ts';
import { accountLabel } from '../../resources/object-metadata.ts';
import type { BackupSource, RoleBinding } from './collect-backup.ts';

/** A `v1 List`: kubectl creates its items one by one, in this order. */
export interface BackupDocument {
  readonly apiVersion: 'v1';
  readonly kind: 'List';
  readonly items: readonly KubernetesObject[];
}

/**
 * What a restore needs, in an order that loses nothing even if the operator is running: the key before anything is
 * derived from it, the keys of ACME accounts before an issuer that would have new ones made, the claims before any object
 * that could claim their names. ProjectDomains created from a Project's
 * configuration are included, because they hold claims. Pure.
 */
export function backupDocument(found: BackupSource): BackupDocument {
  const { systemNamespace, secret, accountSecrets, acmeIssuers, claims, plans, accounts, projects, domains, apiKeys } =
    found;
  const namespaces = found.namespaces.filter(({ metadata }) => isCustomers(metadata, [...projects, ...domains]));
  const names = new Set(namespaces.map(({ metadata }) => metadata.name));
  const bindings = found.roleBindings.filter(
    (binding) => names.has(binding.metadata.namespace ?? '') && bindsOurs(binding, systemNamespace),
  );
  const system = found.namespaces.filter(({ metadata }) => secret !== null && metadata.name === systemNamespace);
  const groups: readonly (readonly KubernetesObject[])[] = [
    system,
    secret === null ? [] : [secret],
    accountSecrets,
    acmeIssuers,
    claims,
    plans,
    namespaces.filter(({ metadata }) => metadata.name !== systemNamespace || secret === null),
    bindings,
    accounts,
    projects,
    domains,
    apiKeys,
  ];
  return { apiVersion: 'v1', kind: 'List', items: groups.flatMap((group) => inOrder(group).map(kept)) };
}

/** An account's namespace, or one that contains a Project or a ProjectDomain. */
function isCustomers({ name, labels }: KubernetesObject['metadata'], tenants: readonly KubernetesObject[]): boolean {
  return labels?.[accountLabel] !== undefined || tenants.some(({ metadata }) => metadata.namespace === name);
}

const bindsOurs = ({ subjects = [] }: RoleBinding, systemNamespace: string): boolean =>
  subjects.some(({ kind, namespace }) => kind === 'ServiceAccount' && namespace === systemNamespace);

/** Oldest first: age decides between hostnames that are not proven yet, and creating in this order preserves it. */
function inOrder(objects: readonly KubernetesObject[]): readonly KubernetesObject[] {
  const rank = ({ metadata }: KubernetesObject) =>
    `${metadata.creationTimestamp ?? ''} ${metadata.namespace ?? ''}/${metadata.name}`;
  return objects.filter(({ metadata }) => !metadata.deletionTimestamp).toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
}

/**
 * Dropped: with it, kubectl would treat what the operator added (above all an account's id) as applied by the
 * administrator, and remove it at the next apply.
 */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

function without(name: string, annotations: KubernetesObject['metadata']['annotations'] = {}) {
  const left = Object.entries(annotations).filter(([key]) => key !== name);
  return left.length === 0 ? undefined : Object.fromEntries(left);
}

/**
 * Only what was declared, not what this cluster added. An owner reference to a uid that no longer exists would get the
 * object garbage-collected.
 */
function kept({ apiVersion, kind, metadata, ...object }: KubernetesObject): KubernetesObject {
  const { name, namespace, labels } = metadata;
  const annotations = without(lastApplied, metadata.annotations);
  const { status: _, ...declared } = object as Readonly<Record<string, unknown>>;
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
    },
    ...(kind === 'Namespace' ? {} : declared),
  };
}
