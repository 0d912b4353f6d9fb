import type { Project } from '../generated/project.ts';
import type { ProjectDomain } from '../generated/project-domain.ts';
import { ProjectDomainKind, ProjectKind } from '../resources/kinds.ts';
import { edit } from './edit-object.ts';
import { Problem } from './problem.ts';
import { until } from './cache-wait.ts';
import type { Writing } from './writes/write-turn.ts';
import { removeInTurn } from './writes/write-turn.ts';

/** A domain and where it is declared: as a stand-alone object, or as an entry in its project's configuration. */
export interface DeclaredDomain {
  readonly writing: Writing;
  readonly project: Project;
  readonly domain: ProjectDomain;
}

type Spec = ProjectDomain['spec'];
type Configuration = NonNullable<Project['spec']['domains']>;

const updatedWithinMs = 5_000;

/** Changes the ProjectDomain itself. */
export function changeStandAlone({ writing, domain }: DeclaredDomain, spec: Spec): Promise<ProjectDomain> {
  const editable = { kind: ProjectDomainKind, cache: writing.dependencies.caches.domains };
  return edit(writing, editable, domain, (before) => ({ ...before, spec }));
}

/** Changes the project's entry; the operator then updates the ProjectDomain. */
export async function changeDeclared({ writing, project, domain }: DeclaredDomain, spec: Spec): Promise<ProjectDomain> {
  await editConfiguration({ writing, project, domain }, (before) => {
    const others = without(before, spec.hostname);
    if (spec.role !== 'Redirect') return { ...others, primary: spec.hostname };
    const { to = '', status = 301 } = spec.redirect ?? {};
    return { ...others, redirects: [...(others.redirects ?? []), { from: spec.hostname, to, status }] };
  });
  const { dependencies } = writing;
  const { namespace = '', name } = domain.metadata;
  const isUpdated = (observed: ProjectDomain | undefined) => observed?.spec.role === spec.role;
  await until(dependencies.caches.domains, { namespace, name }, isUpdated, {
    ms: updatedWithinMs,
    signal: dependencies.stopping,
  });
  return dependencies.caches.domains.get({ namespace, name }) ?? { ...domain, spec };
}

/** Removes the project's entry; the operator then removes the ProjectDomain. */
export async function removeDeclared(declared: DeclaredDomain): Promise<void> {
  const { hostname } = declared.domain.spec;
  await editConfiguration(declared, (before) => {
    const remaining = without(before, hostname);
    const orphaned = (remaining.redirects ?? []).find(({ to }) => to === undefined && remaining.primary === undefined);
    if (!orphaned) return remaining;
    throw new Problem(
      'invalid-redirect',
      `${orphaned.from} redirects to the primary ${hostname}; remove it first, or give it \`to\``,
    );
  });
}

/** Removes the ProjectDomain itself. */
export const removeStandAlone = ({ writing, domain }: DeclaredDomain): Promise<void> =>
  removeInTurn(writing, ProjectDomainKind, domain);

async function editConfiguration(
  { writing, project }: DeclaredDomain,
  change: (before: Configuration) => Configuration,
): Promise<void> {
  await edit(writing, { kind: ProjectKind, cache: writing.dependencies.caches.projects }, project, (before) => ({
    ...before,
    spec: { ...before.spec, domains: change(before.spec.domains ?? {}) },
  }));
}

/** The configuration without a hostname, whatever role it had. */
function without({ primary, redirects = [] }: Configuration, hostname: string): Configuration {
  const others = redirects.filter(({ from }) => from !== hostname);
  return { ...(primary === undefined || primary === hostname ? {} : { primary }), redirects: others };
}
