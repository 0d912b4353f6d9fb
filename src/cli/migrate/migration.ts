import type { Account } from '../../generated/account.ts';
import type { Plan } from '../../generated/plan.ts';
import type { Project } from '../../generated/project.ts';
import type { ProjectDomain } from '../../generated/project-domain.ts';
import type { Namespace } from '../../resources/kubernetes-types.ts';
import { accountLabel } from '../../resources/object-metadata.ts';

/** The projects that move to a routing class, or have moved, and what is left to do. */

/** What of a cluster a migration is made out from. */
export interface MigrationSources {
  readonly projects: readonly Project[];
  readonly domains: readonly ProjectDomain[];
  readonly namespaces: readonly Namespace[];
  readonly accounts: readonly Account[];
  readonly plans: readonly Plan[];
}

/** Which projects are meant. */
export interface MigrationScope {
  /** name of the class that they move to */
  readonly to: string;
  /** only those that this class serves; null for all */
  readonly from: string | null;
}

/** One project on its way. */
export interface MigratingProject {
  readonly namespace: string;
  readonly project: string;
  /** Moves: by the next --apply. Moved: it names the class. NotPermitted: its plan does not permit it */
  readonly state: 'Moves' | 'Moved' | 'NotPermitted';
  readonly plan: string;
  /** the classes that serve it, as the operator last said */
  readonly servedBy: readonly string[];
  /** records of the platform's own zone that lead its target to the class, as lines of a master file */
  readonly records: readonly string[];
  /** hostnames that still lead to a former class, with who has to change that */
  readonly behind: readonly { readonly hostname: string; readonly actor: string }[];
}

/** In the order of accounts' namespaces and names. Pure. */
export function migrationOf(sources: MigrationSources, scope: MigrationScope): readonly MigratingProject[] {
  const plans = new Map(sources.plans.map((plan) => [plan.metadata.name, plan]));
  const accounts = new Map(sources.accounts.map((account) => [account.metadata.name, account]));
  const labels = new Map(
    sources.namespaces.map(({ metadata }) => [metadata.name, metadata.labels?.[accountLabel] ?? '']),
  );
  const planOf = ({ metadata: { namespace = '' } }: Project) =>
    plans.get(accounts.get(labels.get(namespace) ?? '')?.spec.plan ?? '');
  const behind = behindByProject(sources.domains);
  return sources.projects
    .filter((project) => isMeant(project, scope))
    .map((project) => migrating(project, planOf(project), { to: scope.to, behind: behind.get(keyOf(project)) ?? [] }))
    .toSorted((a, b) => compare(a.namespace, b.namespace) || compare(a.project, b.project));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Those that have moved are shown too, whatever they came from. */
const isMeant = ({ spec, status }: Project, { to, from }: MigrationScope): boolean =>
  from === null || spec.routingClass === to || (status?.routingClasses ?? []).includes(from);

function migrating(
  { metadata: { namespace = '', name }, spec, status = {} }: Project,
  plan: Plan | undefined,
  { to, behind }: Pick<MigrationScope, 'to'> & Pick<MigratingProject, 'behind'>,
): MigratingProject {
  const isPermitted = plan?.spec.routingClasses?.includes(to) === true;
  const chosen = spec.routingClass === to ? 'Moved' : 'Moves';
  return {
    namespace,
    project: name,
    state: isPermitted ? chosen : 'NotPermitted',
    plan: plan?.metadata.name ?? '',
    servedBy: status.routingClasses ?? [],
    records: recordsOf(status),
    behind,
  };
}

const recordsOf = ({ target = '', targetAddresses = [] }: NonNullable<Project['status']>): readonly string[] =>
  targetAddresses.map((address) => `${target}. ${address.includes(':') ? 'AAAA' : 'A'} ${address}`);

const keyOf = ({ metadata: { namespace = '', name } }: Project): string => `${namespace}/${name}`;

function behindByProject(domains: readonly ProjectDomain[]): ReadonlyMap<string, MigratingProject['behind']> {
  const found = new Map<string, MigratingProject['behind']>();
  for (const domain of domains) {
    const ofDomain = behindOf(domain);
    if (ofDomain.length === 0) continue;
    const key = `${domain.metadata.namespace ?? ''}/${domain.spec.project}`;
    found.set(key, [...(found.get(key) ?? []), ...ofDomain]);
  }
  return found;
}

const behindOf = ({ spec: { hostname }, status }: ProjectDomain) =>
  (status?.issues ?? []).filter(({ code }) => code === 'FormerEdge').map(({ actor = '' }) => ({ hostname, actor }));
