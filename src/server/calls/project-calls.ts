import { changeProject, createProject, deleteProject, listProjects, showProject } from '../../use-cases/projects.ts';
import { projectVersion } from '../../use-cases/versions.ts';
import type { ApiCall } from '../api-call.ts';
import { apiCall } from '../api-call.ts';
import { pageQuery, project, projectChange, projectNew, projectPage } from '../schemas.ts';

const path = '/v1/projects/{project}';

const listProjectsCall = apiCall({
  method: 'get',
  path: '/v1/projects',
  name: 'listProjects',
  summary: "The account's projects, sorted by name",
  scope: listProjects.scope,
  query: pageQuery,
  successes: { 200: { description: 'A page of projects.', schema: projectPage } },
  problems: ['account-not-ready'],
  handle: async (request) => ({ status: 200, body: await listProjects(request, request.query) }),
});

const createProjectCall = apiCall({
  method: 'post',
  idempotency: 'by-name',
  path: '/v1/projects',
  name: 'createProject',
  summary: 'Creates a project for a Service; an identical one that exists is answered as it is',
  scope: createProject.scope,
  body: projectNew,
  successes: {
    200: { description: 'An identical project already existed.', schema: project },
    201: { description: 'The project.', schema: project },
  },
  problems: [
    'account-not-ready',
    'invalid-hostname',
    'subdomain-reserved',
    'subdomain-taken',
    'already-exists',
    'project-cap-reached',
    'write-refused',
    'cluster-unavailable',
  ],
  async handle(request) {
    const { kind, project: body } = await createProject(request, request.body);
    if (kind === 'existing') return { status: 200, body };
    return { status: 201, body, headers: { location: `/v1/projects/${body.name}` } };
  },
});

const showProjectCall = apiCall({
  method: 'get',
  path,
  name: 'showProject',
  summary: 'One project',
  scope: showProject.scope,
  conditional: true,
  successes: { 200: { description: 'The project.', schema: project } },
  problems: ['not-found', 'account-not-ready'],
  handle: async (request) => ({
    status: 200,
    version: await projectVersion(request, request.params),
    body: await showProject(request, request.params),
  }),
});

const changeProjectCall = apiCall({
  method: 'patch',
  idempotency: 'by-name',
  path,
  name: 'changeProject',
  summary: "Changes a project's service or subdomain",
  scope: changeProject.scope,
  conditional: true,
  body: projectChange,
  successes: { 200: { description: 'The project as it is now.', schema: project } },
  problems: [
    'not-found',
    'account-not-ready',
    'invalid-hostname',
    'subdomain-reserved',
    'subdomain-taken',
    'conflict',
    'write-refused',
    'cluster-unavailable',
  ],
  handle: async (request) => ({
    status: 200,
    body: await changeProject(request, { ...request.params, change: request.body }),
  }),
});

const deleteProjectCall = apiCall({
  method: 'delete',
  path,
  name: 'deleteProject',
  summary: 'Removes a project with all of its domains',
  scope: deleteProject.scope,
  conditional: true,
  successes: { 204: { description: 'It is removed; its routes are removed right after.', schema: null } },
  problems: ['not-found', 'account-not-ready', 'write-refused', 'cluster-unavailable'],
  async handle(request) {
    await deleteProject(request, request.params);
    return { status: 204 };
  },
});

/** The account's projects. */
export const projectCalls: readonly ApiCall[] = [
  listProjectsCall,
  createProjectCall,
  showProjectCall,
  changeProjectCall,
  deleteProjectCall,
];
