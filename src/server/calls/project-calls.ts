import type { Project } from '../../generated/project.ts';
import { ProjectKind } from '../../resources/kinds.ts';
import { makeWithin, projectPlaces } from '../../use-cases/caps.ts';
import { edit, statusOf } from '../../use-cases/edit-object.ts';
import { namespaceFor, projectOf } from '../../use-cases/find-in-account.ts';
import { pageOf } from '../../use-cases/pagination.ts';
import { Problem } from '../../use-cases/problem.ts';
import { apiCall } from '../api-call.ts';
import { pageQuery, project, projectChange, projectNew, projectPage } from '../schemas.ts';
import { settled, until } from '../../use-cases/cache-wait.ts';
import { projectView } from '../../use-cases/resource-views.ts';
import { createInTurn, inTurn } from '../../use-cases/writes/write-turn.ts';

const path = '/v1/projects/{project}';
const deletionShownWithin = 1_000;

export const listProjects = apiCall({
  method: 'get',
  path: '/v1/projects',
  name: 'listProjects',
  summary: "The account's projects, by name",
  scope: 'domains:read',
  query: pageQuery,
  successes: { 200: { description: 'A page of projects.', schema: projectPage } },
  problems: ['account-not-ready'],
  handle(request) {
    const { dependencies, caller, query } = request;
    const namespace = namespaceFor(request);
    const mine = dependencies.caches.projects.byIndex('namespace', namespace);
    const { items, nextCursor } = pageOf(mine, ({ metadata }) => metadata.name, query);
    const body = { items: items.map((item) => projectView(dependencies, caller, item)), nextCursor };
    return Promise.resolve({ status: 200, body });
  },
});

export const createProject = apiCall({
  method: 'post',
  path: '/v1/projects',
  name: 'createProject',
  summary: 'Makes a project of a Service',
  scope: 'domains:write',
  body: projectNew,
  successes: { 201: { description: 'The project.', schema: project } },
  problems: ['account-not-ready', 'already-exists', 'project-cap-reached', 'cluster-unavailable'],
  async handle(request) {
    const { dependencies, caller, body } = request;
    const { apiVersion, kind } = ProjectKind;
    const { name, ...spec } = body;
    const key = { name, namespace: namespaceFor(request) };
    const cache = dependencies.caches.projects;
    const taken = () => new Problem('already-exists', `there is a project ${name} already`);
    if (cache.get(key)) throw taken();
    const places = projectPlaces(request, key.namespace);
    try {
      const created = await makeWithin(request, { places, cache, key }, () =>
        createInTurn(request, ProjectKind, { apiVersion, kind, metadata: key, spec }),
      );
      await settled(dependencies.caches.projects, created, request.signal);
      const headers = { location: `/v1/projects/${name}` };
      return { status: 201, body: projectView(dependencies, caller, created), headers };
    } catch (error) {
      if (statusOf(error) !== 409) throw error;
      throw taken();
    }
  },
});

export const showProject = apiCall({
  method: 'get',
  path,
  name: 'showProject',
  summary: 'One project',
  scope: 'domains:read',
  successes: { 200: { description: 'The project.', schema: project } },
  problems: ['not-found', 'account-not-ready'],
  handle: (request) =>
    Promise.resolve({ status: 200, body: projectView(request.dependencies, request.caller, projectOf(request)) }),
});

export const changeProject = apiCall({
  method: 'patch',
  path,
  name: 'changeProject',
  summary: "Changes a project's service or subdomain",
  scope: 'domains:write',
  body: projectChange,
  successes: { 200: { description: 'The project as it is now.', schema: project } },
  problems: ['not-found', 'account-not-ready', 'conflict', 'cluster-unavailable'],
  async handle(request) {
    const { dependencies, caller, body } = request;
    const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
    const change = (before: Project): Project => ({ ...before, spec: { ...before.spec, ...given } });
    const editable = { kind: ProjectKind, cache: dependencies.caches.projects };
    const changed = await edit(request, editable, projectOf(request), change);
    return { status: 200, body: projectView(dependencies, caller, changed) };
  },
});

export const deleteProject = apiCall({
  method: 'delete',
  path,
  name: 'deleteProject',
  summary: 'Removes a project with all of its domains',
  scope: 'domains:write',
  successes: { 204: { description: 'It is gone; its routes follow at once.', schema: null } },
  problems: ['not-found', 'account-not-ready', 'cluster-unavailable'],
  async handle(request) {
    const { dependencies, signal } = request;
    const { namespace = '', name, uid } = projectOf(request).metadata;
    const preconditions = uid ? { uid } : {};
    await inTurn(request, null, () => dependencies.cluster.remove(ProjectKind, { namespace, name }, preconditions));
    const gone = (seen: Project | undefined) => seen === undefined || seen.metadata.uid !== uid;
    await until(dependencies.caches.projects, { namespace, name }, gone, { ms: deletionShownWithin, signal });
    return { status: 204 };
  },
});
