import { isDeepStrictEqual } from 'node:util';
import type { Project } from '../generated/project.ts';
import { ProjectKind } from '../resources/kinds.ts';
import { heldPlatformHostname } from '../rules/platform-hostname.ts';
import { isAvailable, subdomainRefusal } from '../rules/project-address.ts';
import type { ProjectSituation } from '../rules/project-state.ts';
import { projectSituation } from '../rules/project-state.ts';
import { subdomainObjection } from '../rules/subdomain.ts';
import { competitionOf } from './acceptance-candidate.ts';
import type { CallerContext } from './api-dependencies.ts';
import { settled, deletionShown } from './cache-wait.ts';
import { makeWithin, projectPlaces } from './caps.ts';
import { checkVersion } from './writes/check-version.ts';
import { statusOf, editProject, createInTurn, removeInTurn } from './writes/write-turn.ts';
import type { ProjectPath } from './find-in-account.ts';
import { namespaceFor, projectOf } from './find-in-account.ts';
import type { PageRequest, ResultPage } from './pagination.ts';
import { cursorsOf } from './account-cursors.ts';
import { pageOf } from './pagination.ts';
import { Problem } from './problem.ts';
import { useCase } from './use-case.ts';

/** The account's projects, sorted by name. */
export const listProjects = useCase<PageRequest, ResultPage<ProjectView>>('domains:read', (context, page) => {
  const { projects } = context.dependencies.caches;
  const mine = projects.keysByIndex('namespace', namespaceFor(context));
  const { items, nextCursor } = pageOf(mine, ({ name }) => name, page, cursorsOf(context, 'projects'));
  const shown = items.map((key) => projects.get(key)).filter((project) => project !== undefined);
  return { items: shown.map((project) => projectView(context, project)), nextCursor };
});

/** A project as REST and the dashboard show it. */
export interface ProjectView extends ProjectSituation {
  readonly name: string;
  readonly service: { readonly name: string; readonly port: number };
  /** the subdomain that it asks for by name; null where it is given one */
  readonly subdomain: string | null;
  /** null while no claim holds it for the project */
  readonly platformHostname: string | null;
  /** what the CNAME records of its domains point to; null while the account has no id */
  readonly target: string | null;
  /** RFC 3339; null until the first deployment */
  readonly deployedAt: string | null;
}

function projectView(context: CallerContext, project: Project): ProjectView {
  const { metadata, spec, status } = project;
  const { name } = metadata;
  const { accountId, claimOf } = competitionOf(context);
  const platformHostname = heldPlatformHostname(project, claimOf);
  return {
    name,
    service: { name: spec.service.name, port: spec.service.port },
    subdomain: spec.subdomain ?? null,
    platformHostname,
    ...projectSituation(project, platformHostname !== null),
    target: accountId ? context.dependencies.settings.records.target({ accountId, name }) : null,
    deployedAt: status?.deployedAt ?? null,
  };
}

/** One project. */
export const showProject = useCase<ProjectPath, ProjectView>('domains:read', (context, path) =>
  projectView(context, projectOf(context, path)),
);

/** A project to create. */
export interface NewProject {
  readonly name: string;
  readonly service: Project['spec']['service'];
  /** null or absent: its name, or one that is made of it where that is not to be had */
  readonly subdomain?: string | null | undefined;
}

export interface CreateProjectResult {
  /** `existing`: an identical project already existed, which is not an error */
  readonly kind: 'created' | 'existing';
  readonly project: ProjectView;
}

/**
 * Creates a project for a Service. Rejects with invalid-hostname, subdomain-reserved, subdomain-taken, already-exists or
 * project-cap-reached.
 */
export const createProject = useCase<NewProject, CreateProjectResult>(
  'domains:write',
  async (context, { name, service, subdomain }) => {
    const { apiVersion, kind } = ProjectKind;
    const key = { name, namespace: namespaceFor(context) };
    const spec = withSubdomain({ service }, subdomain);
    const cache = context.dependencies.caches.projects;
    const known = cache.get(key);
    if (known) return existingAs(context, known, spec);
    checkSubdomain(context, { metadata: key, spec });
    const places = projectPlaces(context, key.namespace);
    try {
      const created = await makeWithin(context, { places, cache, key }, () =>
        createInTurn(context, ProjectKind, { apiVersion, kind, metadata: key, spec }),
      );
      await settled(cache, created, context.signal);
      return { kind: 'created', project: projectView(context, created) };
    } catch (error) {
      const winner = statusOf(error) === 409 ? await context.dependencies.cluster.get(ProjectKind, key) : undefined;
      if (!winner) throw error;
      return existingAs(context, winner, spec);
    }
  },
);

/** Creating an identical project again is not an error; creating it with another service or subdomain is. */
function existingAs(
  context: CallerContext,
  existing: Project,
  { service, subdomain }: Project['spec'],
): CreateProjectResult {
  const { metadata, spec } = existing;
  const isSame = !metadata.deletionTimestamp && isDeepStrictEqual(saidOf(spec), saidOf({ service, subdomain }));
  if (isSame) return { kind: 'existing', project: projectView(context, existing) };
  throw new Problem('already-exists', `project ${metadata.name} already exists`);
}

/** What whoever creates a project says of it. */
const saidOf = ({ service: { name, port }, subdomain }: Omit<NewProject, 'name'>) => ({
  ...{ name, port },
  subdomain: subdomain ?? null,
});

/** Absent fields stay unchanged; `subdomain` null: none by name any more. */
type ProjectChange = { readonly [Field in 'service' | 'subdomain']?: NewProject[Field] | undefined };

interface ChangeProject extends ProjectPath {
  readonly change: ProjectChange;
}

/**
 * Changes a project's service or subdomain. Rejects with invalid-hostname, subdomain-reserved or subdomain-taken, and with conflict
 * when others keep changing it.
 */
export const changeProject = useCase<ChangeProject, ProjectView>(
  'domains:write',
  async (context, { change, ...path }) => {
    const { service, subdomain } = change;
    const changedSpec = (spec: Project['spec']) =>
      withSubdomain({ ...spec, ...(service && { service }) }, subdomain === undefined ? spec.subdomain : subdomain);
    const project = await checkVersion(context, ProjectKind, projectOf(context, path));
    const spec = changedSpec(project.spec);
    // One that it has already may be from before a rule.
    if (spec.subdomain !== project.spec.subdomain) checkSubdomain(context, { ...project, spec });
    const changed = await editProject(context, project, (before) => ({
      ...before,
      spec: changedSpec(before.spec),
    }));
    return projectView(context, changed);
  },
);

/** Removes a project with all of its domains; their routes are removed right after. */
export const deleteProject = useCase<ProjectPath, void>('domains:write', async (context, path) => {
  const project: Project = projectOf(context, path);
  await removeInTurn(context, ProjectKind, project);
  await deletionShown(context.dependencies.caches.projects, project, context.signal);
});

const wayOut = 'choose another subdomain, or null to be given one';

/** The spec with this subdomain; null and undefined: with none by name. */
function withSubdomain(
  { subdomain: _, ...rest }: Project['spec'],
  subdomain: string | null | undefined,
): Project['spec'] {
  return subdomain === undefined || subdomain === null ? rest : { ...rest, subdomain };
}

/**
 * Throws for a subdomain that the operator would refuse: invalid-hostname, and, where the project asks for it by name, subdomain-reserved or
 * subdomain-taken. Whose it is is not told.
 */
function checkSubdomain(context: CallerContext, project: Pick<Project, 'metadata' | 'spec'>): void {
  const { settings } = context.dependencies;
  const { metadata, spec } = project;
  const { subdomain } = spec;
  const objection = subdomainObjection(subdomain ?? metadata.name);
  if (objection !== null) throw new Problem('invalid-hostname', `${objection}; choose another subdomain, such as shop`);
  if (subdomain === undefined) return;
  const refusal = subdomainRefusal(project, subdomain, settings);
  const hostname = `${subdomain}.${settings.platformDomain}`;
  if (refusal !== null) throw new Problem('subdomain-reserved', `${refusal.message}; ${wayOut}`);
  if (!isAvailable(hostname, project, competitionOf(context)))
    throw new Problem('subdomain-taken', `${hostname} belongs to another project; ${wayOut}`);
}
