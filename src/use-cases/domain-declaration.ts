import type { Project } from '../generated/project.ts';
import type { ProjectDomain } from '../generated/project-domain.ts';
import { ProjectDomainKind, ProjectKind } from '../resources/kinds.ts';
import { edit } from './edit-object.ts';
import { Problem } from './problem.ts';
import { until } from './cache-wait.ts';
import type { Writing } from './writes/write-turn.ts';
import { removeInTurn } from './writes/write-turn.ts';

/** A domain with the place that declares it: an object of its own, or an entry of its project's configuration. */
export interface DeclaredDomain {
  readonly writing: Writing;
  readonly project: Project;
  readonly domain: ProjectDomain;
}

type Spec = ProjectDomain['spec'];
type Configuration = NonNullable<Project['spec']['domains']>;

const followsWithin = 5_000;

/** The ProjectDomain itself is changed. */
export function changeStandAlone({ writing, domain }: DeclaredDomain, spec: Spec): Promise<ProjectDomain> {
  const editable = { kind: ProjectDomainKind, cache: writing.dependencies.caches.domains };
  return edit(writing, editable, domain, (before) => ({ ...before, spec }));
}

/** The project's entry is changed; the operator lets the ProjectDomain follow. */
export async function changeDeclared({ writing, project, domain }: DeclaredDomain, spec: Spec): Promise<ProjectDomain> {
  await editConfiguration({ writing, project, domain }, (before) => {
    const others = without(before, spec.hostname);
    if (spec.role !== 'Redirect') return { ...others, primary: spec.hostname };
    const { to = '', status = 301 } = spec.redirect ?? {};
    return { ...others, redirects: [...(others.redirects ?? []), { from: spec.hostname, to, status }] };
  });
  const { dependencies } = writing;
  const { namespace = '', name } = domain.metadata;
  const follows = (seen: ProjectDomain | undefined) => seen?.spec.role === spec.role;
  await until(dependencies.caches.domains, { namespace, name }, follows, {
    ms: followsWithin,
    signal: dependencies.stopping,
  });
  return dependencies.caches.domains.get({ namespace, name }) ?? { ...domain, spec };
}

/** The project's entry goes, and the operator removes the ProjectDomain. */
export async function removeDeclared(declared: DeclaredDomain): Promise<void> {
  const { hostname } = declared.domain.spec;
  await editConfiguration(declared, (before) => {
    const left = without(before, hostname);
    const lost = (left.redirects ?? []).find(({ to }) => to === undefined && left.primary === undefined);
    if (!lost) return left;
    throw new Problem(
      'invalid-redirect',
      `${lost.from} redirects to the primary ${hostname}; remove it first, or give it \`to\``,
    );
  });
}

/** The object itself goes. */
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
