import { changeProject, createProject, deleteProject, listProjects, showProject } from '../../use-cases/projects.ts';
import { projectVersion } from '../../use-cases/versions.ts';
import type { ApiCall } from '../api-call.ts';
import { apiCall } from '../api-call.ts';
import { projectBody } from '../domain-body.ts';
import { describing, dnsLabel, page, pageQuery, saying, time } from '../schemas.ts';
import { projectReason } from '../word-schemas.ts';
import { projectStateNames, projectStates } from '../../rules/project-state.ts';
import { z } from 'zod';

/** Bodies of the calls about projects. */

const serviceName = 'Name of the Service in the namespace of the account.';
const servicePort = 'Port of the Service, by its number.';
const service = z
  .strictObject({ name: saying(dnsLabel, serviceName), port: saying(z.int().min(1).max(65_535), servicePort) })
  .meta({ description: 'What serves the project.' });

const project = describing<ReturnType<typeof projectBody>>()(
  z
    .strictObject({
      name: saying(z.string(), 'Its name within the account.'),
      service: z
        .strictObject({ name: saying(z.string(), serviceName), port: saying(z.int(), servicePort) })
        .meta({ description: 'What serves the project.' }),
      subdomain: z.string().nullable().meta({
        description: 'The subdomain that it asks for by name. Null where it is given one: `platformHostname` tells it.',
      }),
      platformHostname: z
        .string()
        .nullable()
        .meta({ description: 'Where the platform serves it. Null while the project does not hold that.' }),
      state: z.enum(projectStateNames).meta({
        description: Object.entries(projectStates)
          .map(([name, meaning]) => `\`${name}\`: ${meaning}`)
          .join(' '),
      }),
      reason: projectReason,
      message: z.string().meta({ description: 'The same for people.' }),
      target: z.string().nullable().meta({ description: "What the CNAME records of the project's domains point to." }),
      deployedAt: time.nullable().meta({
        description: 'When its Service first had a Pod that was ready. Null until then: it can have no domains yet.',
      }),
    })
    .meta({ id: 'Project', description: 'A project of the account.' }),
);

const subdomain = dnsLabel.nullable().optional().meta({
  description:
    'One that is asked for by name, and refused where it is not to be had. Null or absent: its name, or one that is made of it where that is reserved or another project has it.',
});

export const projectNew = z
  .strictObject({ name: saying(dnsLabel, 'Its name within the account, which stays.'), service, subdomain })
  .meta({ id: 'NewProject', description: 'A project to create.' });

const projectChange = z
  .strictObject({ service: service.optional(), subdomain })
  .meta({ id: 'ProjectChange', description: 'Absent fields stay unchanged.' });

const projectPage = page(project, 'ProjectPage');

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
  async handle(request) {
    const { items, nextCursor } = await listProjects(request, request.query);
    return { status: 200, body: { items: items.map(projectBody), nextCursor } };
  },
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
    const { kind, project: created } = await createProject(request, request.body);
    const body = projectBody(created);
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
    body: projectBody(await showProject(request, request.params)),
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
    body: projectBody(await changeProject(request, { ...request.params, change: request.body })),
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
