import type { Project } from '../generated/project.ts';
import type { ProjectDomain } from '../generated/project-domain.ts';
import { objectKeyOf } from '../kubernetes/object-keys.ts';
import { ProjectDomainKind, ProjectKind } from '../resources/kinds.ts';
import { isDeclaredBy } from '../rules/declared-domains.ts';
import type { LabelChange } from '../rules/domain-labels.ts';
import { saying, withLabels } from './domain-spec.ts';
import { checkVersion } from './writes/check-version.ts';
import { editDomain, editProject, removeInTurn } from './writes/write-turn.ts';
import { Problem } from './problem.ts';
import type { RequestContext } from './api-dependencies.ts';
import { until } from './cache-wait.ts';
import type { DomainPath } from './find-in-account.ts';
import { domainOf, projectOf } from './find-in-account.ts';
import type { Writing } from './writes/write-turn.ts';

/** A domain and where it is declared: as a stand-alone object, or as an entry in its project's configuration. */
export interface DeclaredDomain {
  readonly writing: Writing;
  readonly project: Project;
  readonly domain: ProjectDomain;
}

/** The object in which a domain is declared: whoever changes the domain changes that. */
export const declarationOf = ({
  project,
  domain,
}: Pick<DeclaredDomain, 'project' | 'domain'>): Project | ProjectDomain =>
  isDeclaredBy(domain, project) ? project : domain;

/** The domain and its project, one of which declares it as the client has seen. Throws not-found, and precondition-failed. */
export async function seenDomain(
  context: RequestContext,
  path: DomainPath,
): Promise<Pick<DeclaredDomain, 'project' | 'domain'>> {
  const [project, domain] = [projectOf(context, path), domainOf(context, path)];
  return isDeclaredBy(domain, project)
    ? { project: await checkVersion(context, ProjectKind, project), domain }
    : { project, domain: await checkVersion(context, ProjectDomainKind, domain) };
}

type Spec = ProjectDomain['spec'];
type Configuration = NonNullable<Project['spec']['domains']>;

const updatedWithinMs = 5_000;

/** Changes the ProjectDomain itself. */
export function changeStandAlone(
  { writing, domain }: DeclaredDomain,
  spec: Spec,
  labels: LabelChange,
): Promise<ProjectDomain> {
  return editDomain(writing, domain, (before) => ({
    ...before,
    spec: withLabels(saying(before.spec, spec), labels),
  }));
}

/**
 * Changes the labels of the ProjectDomain itself: a project's configuration has no word for them, and the operator keeps them. What the client has
 * seen of a domain that is declared there is the project's version, which was compared before.
 */
export function changeLabels(
  { writing, project, domain }: DeclaredDomain,
  labels: LabelChange,
): Promise<ProjectDomain> {
  const { ifMatch: _, ...unconditional } = writing;
  return editDomain(isDeclaredBy(domain, project) ? unconditional : writing, domain, (before) => ({
    ...before,
    spec: withLabels(before.spec, labels),
  }));
}

/** Changes the project's entry; the operator then updates the ProjectDomain. Then changes its labels. */
export async function changeDeclared(
  { writing, project, domain }: DeclaredDomain,
  spec: Spec,
  labels: LabelChange,
): Promise<ProjectDomain> {
  await editConfiguration({ writing, project, domain }, (before) => {
    const others = without(before, spec.hostname);
    if (spec.role !== 'Redirect') return { ...others, primary: spec.hostname };
    const { to = '', status = 301 } = spec.redirect ?? {};
    mustLeadSomewhere(others, spec.hostname);
    return { ...others, redirects: [...(others.redirects ?? []), { from: spec.hostname, to, status }] };
  });
  const isAsWanted = ({ role, redirect }: Spec) =>
    role === spec.role && redirect?.to === spec.redirect?.to && redirect?.status === spec.redirect?.status;
  await updated({ writing, project, domain }, isAsWanted);
  if (Object.keys(labels).length > 0) return changeLabels({ writing, project, domain }, labels);
  return writing.dependencies.caches.domains.get(objectKeyOf(domain)) ?? { ...domain, spec };
}

/**
 * Makes the domain the primary of its project's configuration in one change: the primary before and whatever leads to it
 * lead to the new one.
 */
export async function declarePrimary(declared: DeclaredDomain): Promise<void> {
  const { hostname } = declared.domain.spec;
  await editConfiguration(declared, ({ primary = hostname, redirects = [], ...rest }) => {
    const others = redirects.filter(({ from }) => from !== hostname);
    const led = others.map((entry) =>
      [primary, hostname, undefined].includes(entry.to) ? { ...entry, to: hostname } : entry,
    );
    const before = primary === hostname ? [] : [{ from: primary, to: hostname, status: 301 as const }];
    return { ...rest, primary: hostname, redirects: [...led, ...before] };
  });
  await updated(declared, ({ role }) => role === 'Primary');
}

/** Waits until the operator has changed the domain as well, or for five seconds. */
async function updated(
  { writing: { dependencies }, domain }: DeclaredDomain,
  isAsWanted: (spec: Spec) => boolean,
): Promise<void> {
  const isUpdated = (observed: ProjectDomain | undefined) => observed !== undefined && isAsWanted(observed.spec);
  const patience = { ms: updatedWithinMs, signal: dependencies.stopping };
  await until(dependencies.caches.domains, objectKeyOf(domain), isUpdated, patience);
}

/** Removes the project's entry; the operator then removes the ProjectDomain. */
export async function removeDeclared(declared: DeclaredDomain): Promise<void> {
  await editConfiguration(declared, (before) => configurationWithout(before, declared.domain.spec));
}

/** A project's configuration once a domain is removed. Throws invalid-redirect where a redirect would lead nowhere. */
export function configurationWithout(before: Configuration, { hostname }: Pick<Spec, 'hostname'>): Configuration {
  const remaining = without(before, hostname);
  mustLeadSomewhere(remaining, hostname);
  return remaining;
}

/** Throws for a redirect that led to a primary without naming it, if there is no primary any more. */
function mustLeadSomewhere({ primary, redirects = [] }: Configuration, before: string): void {
  const orphaned = primary === undefined ? redirects.find(({ to }) => to === undefined) : undefined;
  if (!orphaned) return;
  throw new Problem(
    'invalid-redirect',
    `${orphaned.from} redirects to the primary ${before}; remove it first, or give it \`to\``,
  );
}

/** Removes the ProjectDomain itself. */
export const removeStandAlone = ({ writing, domain }: DeclaredDomain): Promise<void> =>
  removeInTurn(writing, ProjectDomainKind, domain);

async function editConfiguration(
  { writing, project }: DeclaredDomain,
  change: (before: Configuration) => Configuration,
): Promise<void> {
  await editProject(writing, project, (before) => ({
    ...before,
    spec: { ...before.spec, domains: change(before.spec.domains ?? {}) },
  }));
}

/** The configuration without a hostname, whatever role it had. */
function without({ primary, redirects = [], ...rest }: Configuration, hostname: string): Configuration {
  const others = redirects.filter(({ from }) => from !== hostname);
  return { ...rest, ...(primary === undefined || primary === hostname ? {} : { primary }), redirects: others };
}
