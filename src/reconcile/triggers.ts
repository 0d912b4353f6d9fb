import type { KubeObject, ObjectKey } from '../kube/port.ts';
import type { Project } from '../generated/project.ts';
import type { ProjectDomain } from '../generated/project-domain.ts';
import { accountLabel } from '../model/account-label.ts';
import { accountOf } from './accounts.ts';
import type { ChildKind } from './orphan/reconcile.ts';
import { orphanKey } from './orphan/reconcile.ts';
import type { Caches } from './world.ts';
import { indexKey, parseKey } from './world.ts';

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
  readonly apiKey?: readonly string[];
  readonly orphan?: readonly string[];
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
export function triggersOf(caches: Caches, { redirector }: { readonly redirector: ObjectKey }) {
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
      isIntent(change)
        ? {
            account: [change.object.metadata.name],
            apiKey: apiKeysOf(caches, change.object.metadata.name),
            ...inAccount(change.object.metadata.name),
          }
        : {},
    namespaces: ({ object, previous }: Change): Wake => {
      const names = [object, previous].flatMap((namespace) => namespace?.metadata.labels?.[accountLabel] ?? []);
      const here = ({ metadata }: KubeObject) => metadata.namespace === object.metadata.name;
      return {
        account: names,
        apiKey: names.flatMap((name) => apiKeysOf(caches, name)),
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
      const declaring = caches.projects.byIndex('declares', spec.hostname).map(keyOf);
      const rivals = [
        ...caches.domains.byIndex('hostname', spec.hostname),
        ...caches.domains.byIndex('project', project),
      ];
      const redirects = [change.object, change.previous].some((seen) => seen?.spec.role === 'Redirect');
      const account = accountOf(caches, metadata.namespace ?? '')?.metadata.name;
      return {
        account: redirects && account !== undefined ? [account] : [],
        project: [project, ...declaring],
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
    /** Whoever owns it. */
    certificates: (change: Change): Wake => ({ ...wakeOwner(change.object), ...orphan(caches, change, 'certificate') }),
    /** Whoever owns it, and the redirects that wait until their destination's route leads to the project. */
    ingresses: (change: Change): Wake => {
      const wake = { ...wakeOwner(change.object), ...orphan(caches, change, 'ingress') };
      const owners = (wake.projectDomain ?? []).flatMap((key) => caches.domains.get(parseKey(key)) ?? []);
      const siblings = owners.flatMap(({ metadata, spec }) =>
        caches.domains.byIndex('project', indexKey(metadata.namespace ?? '', spec.project)),
      );
      return siblings.length === 0 ? wake : { ...wake, projectDomain: domainKeys(siblings) };
    },
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
      if (service === indexKey(redirector.namespace, redirector.name)) {
        return { account: caches.accounts.list().map(keyOf) };
      }
      const waiting = caches.projects.byIndex('service', service).filter(({ status }) => !status?.deployedAt);
      return { project: waiting.map(keyOf) };
    },
    issuers: (): Wake => ({}),
    apiKeys: (change: Change): Wake => (isIntent(change) ? { apiKey: [keyOf(change.object)] } : {}),
  };
}

/** A child whose owner the caches do not show; the visit makes sure. */
function orphan(caches: Caches, { type, object }: Change, kind: ChildKind): Wake {
  if (type === 'deleted') return {};
  const { project = [], projectDomain = [] } = wakeOwner(object);
  const seen = [
    ...project.map((key) => caches.projects.get(parseKey(key))),
    ...projectDomain.map((key) => caches.domains.get(parseKey(key))),
  ];
  return seen.includes(undefined) ? { orphan: [orphanKey(kind, keyOf(object))] } : {};
}

function wakeOwner({ metadata }: KubeObject): Wake {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller);
  const key = indexKey(metadata.namespace ?? '', owner?.name ?? '');
  if (owner?.kind === 'ProjectDomain') return { projectDomain: [key] };
  return owner?.kind === 'Project' ? { project: [key] } : {};
}

const apiKeysOf = ({ apiKeys }: Caches, account: string): readonly string[] =>
  apiKeys.byIndex('account', account).map(keyOf);

/** Claims whose holder is this object. */
const held = ({ claims }: Caches, key: string): readonly string[] =>
  claims
    .list()
    .flatMap(({ metadata, spec }) =>
      indexKey(spec.holder.namespace, spec.holder.name) === key ? [metadata.name] : [],
    );
