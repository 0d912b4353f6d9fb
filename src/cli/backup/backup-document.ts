import type { KubernetesObject } from '../../kubernetes/kubernetes-port.ts';
import { accountLabel } from '../../resources/object-metadata.ts';
import type { BackupSource, RoleBinding } from './collect-backup.ts';

/** A `v1 List`: what kubectl creates one after the other. */
export interface BackupDocument {
  readonly apiVersion: 'v1';
  readonly kind: 'List';
  readonly items: readonly KubernetesObject[];
}

/**
 * What a restore needs, in the order that loses nothing with the operator up: the key before anything is drawn from it, the
 * claims before anybody who could ask for their names. ProjectDomains made from a Project's configuration are in it too, for
 * they hold claims. Pure.
 */
export function backupDocument(found: BackupSource): BackupDocument {
  const { systemNamespace, secret, claims, plans, accounts, projects, domains, apiKeys } = found;
  const namespaces = found.namespaces.filter(({ metadata }) => isCustomers(metadata, [...projects, ...domains]));
  const names = new Set(namespaces.map(({ metadata }) => metadata.name));
  const bindings = found.roleBindings.filter(
    (binding) => names.has(binding.metadata.namespace ?? '') && bindsOurs(binding, systemNamespace),
  );
  const system = found.namespaces.filter(({ metadata }) => secret !== null && metadata.name === systemNamespace);
  const groups: readonly (readonly KubernetesObject[])[] = [
    system,
    secret === null ? [] : [secret],
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

/** An account's namespace, or one in which somebody has a Project or a ProjectDomain. */
function isCustomers({ name, labels }: KubernetesObject['metadata'], tenants: readonly KubernetesObject[]): boolean {
  return labels?.[accountLabel] !== undefined || tenants.some(({ metadata }) => metadata.namespace === name);
}

const bindsOurs = ({ subjects = [] }: RoleBinding, systemNamespace: string): boolean =>
  subjects.some(({ kind, namespace }) => kind === 'ServiceAccount' && namespace === systemNamespace);

/** The oldest first: among names that nobody proved yet age decides, and creation in this order keeps who came first. */
function inOrder(objects: readonly KubernetesObject[]): readonly KubernetesObject[] {
  const rank = ({ metadata }: KubernetesObject) =>
    `${metadata.creationTimestamp ?? ''} ${metadata.namespace ?? ''}/${metadata.name}`;
  return objects.filter(({ metadata }) => !metadata.deletionTimestamp).toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
}

/**
 * kubectl would write into it what the operator added, an account's id above all, and take that away again at the
 * administrator's next apply.
 */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

function without(name: string, annotations: KubernetesObject['metadata']['annotations'] = {}) {
  const left = Object.entries(annotations).filter(([key]) => key !== name);
  return left.length === 0 ? undefined : Object.fromEntries(left);
}

/**
 * Only what was said about the object, not what this cluster made of it. An owner reference to a uid of another life
 * would have the object collected as garbage.
 */
function kept({ apiVersion, kind, metadata, ...object }: KubernetesObject): KubernetesObject {
  const { name, namespace, labels } = metadata;
  const annotations = without(lastApplied, metadata.annotations);
  const { status: _, ...said } = object as Readonly<Record<string, unknown>>;
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
    },
    ...(kind === 'Namespace' ? {} : said),
  };
}
