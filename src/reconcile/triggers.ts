import type { KubeObject } from '../kube/port.ts';
import type { Project } from '../generated/project.ts';
import type { ProjectDomain } from '../generated/project-domain.ts';
import { accountLabel, accountOf } from './accounts.ts';
import type { Caches } from './world.ts';
import { indexKey } from './world.ts';

/** A change of one object, as a cache tells it. */
export interface Change<T extends KubeObject = KubeObject> {
  readonly type: 'added' | 'modified' | 'deleted';
  readonly object: T;
  readonly previous: T | undefined;
}

/** The controllers a change can wake, each with the keys to visit. */
export interface Wake {
  readonly plan?: readonly string[];
  readonly account?: readonly string[];
  readonly project?: readonly string[];
  readonly projectDomain?: readonly string[];
  readonly hostnameClaim?: readonly string[];
}

const keyOf = ({ metadata }: KubeObject): string =>
  metadata.namespace === undefined ? metadata.name : indexKey(metadata.namespace, metadata.name);

/**
 * A change of intent: spec generation, labels, annotations, owners or deletion. Our own status writes are not one.
 * Kinds without a status subresource have no such echo and count every change.
 */
export function isIntent({ type, object, previous }: Change): boolean {
  if (type !== 'modified' || previous === undefined) return true;
  const parts = ({ metadata }: KubeObject) =>
    JSON.stringify([
      metadata.generation,
      metadata.labels,
      metadata.annotations,
      metadata.ownerReferences,
      metadata.deletionTimestamp,
    ]);
  return parts(object) !== parts(previous);
}

const domainKeys = (domains: readonly ProjectDomain[]): readonly string[] => domains.map(keyOf);

const projectDomains = ({ domains }: Caches, { metadata }: Project): readonly string[] =>
  domainKeys(domains.byIndex('project', keyOf({ apiVersion: '', kind: '', metadata })));

/** Who has to look when something changes: kind of the changed object to keys. Pure but for reading the caches. */
export function triggersOf(caches: Caches) {
  const inAccount = (account: string) => {
    const mine = (object: KubeObject) => accountOf(caches, object.metadata.namespace ?? '')?.metadata.name === account;
    return {
      project: caches.projects.list().filter(mine).map(keyOf),
      projectDomain: domainKeys(caches.domains.list().filter(mine)),
    };
  };
  return {
    plans: ({ object }: Change): Wake => {
      const accounts = caches.accounts.list().filter(({ spec }) => spec.plan === object.metadata.name);
      const woken = accounts.flatMap(({ metadata }) => inAccount(metadata.name).projectDomain);
      return { plan: ['defaults'], account: accounts.map(keyOf), projectDomain: woken };
    },
    accounts: (change: Change): Wake =>
      isIntent(change) ? { account: [change.object.metadata.name], ...inAccount(change.object.metadata.name) } : {},
    namespaces: ({ object, previous }: Change): Wake => {
      const names = [object, previous].flatMap((namespace) => namespace?.metadata.labels?.[accountLabel] ?? []);
      const here = ({ metadata }: KubeObject) => metadata.namespace === object.metadata.name;
      return {
        account: names,
        project: caches.projects.list().filter(here).map(keyOf),
        projectDomain: domainKeys(caches.domains.list().filter(here)),
      };
    },
    projects: (change: Change<Project>): Wake => {
      const deployed = change.object.status?.deployedAt !== change.previous?.status?.deployedAt;
      const served = change.object.status?.platformHostname !== change.previous?.status?.platformHostname;
      if (!isIntent(change) && !deployed && !served) return {};
      const gone = change.type === 'deleted' ? { hostnameClaim: held(caches, keyOf(change.object)) } : {};
      return { project: [keyOf(change.object)], projectDomain: projectDomains(caches, change.object), ...gone };
    },
    domains: (change: Change<ProjectDomain>): Wake => {
      const { metadata, spec, status } = change.object;
      const project = indexKey(metadata.namespace ?? '', spec.project);
      const showsState = status?.state === change.previous?.status?.state ? {} : { project: [project] };
      if (!isIntent(change)) return showsState;
      const rivals = [
        ...caches.domains.byIndex('hostname', spec.hostname),
        ...caches.domains.byIndex('project', project),
      ];
      return {
        project: [project],
        projectDomain: [keyOf(change.object), ...domainKeys(rivals)],
        ...(change.type === 'deleted' ? { hostnameClaim: [spec.hostname] } : {}),
      };
    },
    claims: ({ object }: Change): Wake => {
      const rivals = caches.domains.byIndex('hostname', object.metadata.name);
      const projects = rivals.map(({ metadata, spec }) => indexKey(metadata.namespace ?? '', spec.project));
      const siblings = projects.flatMap((project) => domainKeys(caches.domains.byIndex('project', project)));
      const claim = caches.claims.get({ namespace: '', name: object.metadata.name });
      const holder =
        claim?.spec.proof.method === 'Platform' ? { project: [keyOf({ ...object, metadata: claim.spec.holder })] } : {};
      return { hostnameClaim: [object.metadata.name], projectDomain: [...domainKeys(rivals), ...siblings], ...holder };
    },
    /** Certificates, their requests and Ingresses: whoever owns them. */
    children: ({ object }: Change): Wake => wakeOwner(object),
    requests: ({ object }: Change): Wake => {
      const name = object.metadata.annotations?.['cert-manager.io/certificate-name'] ?? '';
      const certificate = caches.certificates.get({ namespace: object.metadata.namespace ?? '', name });
      return certificate ? wakeOwner(certificate) : {};
    },
    slices: ({ object }: Change): Wake => {
      const service = indexKey(
        object.metadata.namespace ?? '',
        object.metadata.labels?.['kubernetes.io/service-name'] ?? '',
      );
      const waiting = caches.projects.byIndex('service', service).filter(({ status }) => !status?.deployedAt);
      return { project: waiting.map(keyOf) };
    },
    issuers: (): Wake => ({}),
  };
}

function wakeOwner({ metadata }: KubeObject): Wake {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller);
  const key = indexKey(metadata.namespace ?? '', owner?.name ?? '');
  if (owner?.kind === 'ProjectDomain') return { projectDomain: [key] };
  return owner?.kind === 'Project' ? { project: [key] } : {};
}

/** Claims whose holder is this object. */
const held = ({ claims }: Caches, key: string): readonly string[] =>
  claims
    .list()
    .flatMap(({ metadata, spec }) =>
      indexKey(spec.holder.namespace, spec.holder.name) === key ? [metadata.name] : [],
    );
