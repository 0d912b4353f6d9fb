import type { Project } from '../../generated/project.ts';
import type { ProjectDomain } from '../../generated/project-domain.ts';
import { declaredDomains, isDeclaredBy } from '../../rules/declared-domains.ts';
import { ProjectKind } from '../../resources/kinds.ts';
import { edit } from '../../use-cases/edit-object.ts';
import { domainIn, projectOf } from '../../use-cases/find-in-account.ts';
import { problemOfFinding } from '../../use-cases/finding-to-problem.ts';
import { Problem } from '../../use-cases/problem.ts';
import type { ApiRequest } from '../api-call.ts';
import { apiCall } from '../api-call.ts';
import { domainConfig, domainConfigChange } from '../schemas.ts';
import { domainConfigFinding } from '../../rules/domain-config-acceptance.ts';
import { domainConfigView } from '../../use-cases/resource-views.ts';

const path = '/v1/projects/{project}/domain-config';

export const showDomainConfig = apiCall({
  method: 'get',
  path,
  name: 'showDomainConfig',
  summary: "The project's configuration of domains",
  scope: 'domains:read',
  successes: { 200: { description: 'The configuration.', schema: domainConfig } },
  problems: ['not-found', 'account-not-ready'],
  handle: (request) => Promise.resolve({ status: 200, body: domainConfigView(projectOf(request)) }),
});

export const replaceDomainConfig = apiCall({
  method: 'put',
  path,
  name: 'replaceDomainConfig',
  summary: "Replaces the project's configuration of domains; what it no longer names is removed",
  scope: 'domains:write',
  body: domainConfigChange,
  successes: { 200: { description: 'The configuration as it is now.', schema: domainConfig } },
  problems: [
    'not-found',
    'account-not-ready',
    'plan-upgrade-required',
    'domain-cap-reached',
    'hostname-in-use',
    'invalid-hostname',
    'invalid-redirect',
    'conflict',
    'cluster-unavailable',
  ],
  async handle(request) {
    const { dependencies, body } = request;
    const project = projectOf(request);
    const domains = {
      ...(body.primary === null ? {} : { primary: body.primary }),
      redirects: body.redirects.map(({ from, to, status }) => ({ from, status, ...(to === undefined ? {} : { to }) })),
    };
    refuseWhatCannotBe(request, project, domains);
    const change = (before: Project): Project => ({ ...before, spec: { ...before.spec, domains } });
    const changed = await edit(request, { kind: ProjectKind, cache: dependencies.caches.projects }, project, change);
    return { status: 200, body: domainConfigView(changed) };
  },
});

/** What the rules say of the configuration as a whole, before any of it is written. */
function refuseWhatCannotBe(request: ApiRequest, project: Project, domains: Project['spec']['domains']): void {
  const { dependencies, caller } = request;
  const { platformDomain, cnameDomain } = dependencies.settings;
  const objection = domainConfigFinding(domains, {
    limits: caller.limits,
    plan: caller.account.spec.plan,
    platformDomains: [platformDomain, cnameDomain],
    platformHostname: project.status?.platformHostname ?? null,
    others: standAlone(request, project).map(({ spec }) => spec.hostname),
    count: countOf(request, project),
  });
  if (objection) throw problemOfFinding(objection);
  const taken = declaredDomains(project.metadata.name, domains)
    .map(({ hostname }) => domainIn(request, project.metadata, hostname))
    .find((domain) => domain !== undefined && !isDeclaredBy(domain, project));
  if (!taken) return;
  const { hostname } = taken.spec;
  throw new Problem(
    'hostname-in-use',
    `${hostname} was added by itself; change it there, or delete it before you declare it here`,
  );
}

function countOf({ dependencies }: ApiRequest, project: Project) {
  const { namespace = '', name } = project.metadata;
  const { domains } = dependencies.caches;
  const here = domains.byIndex('project', `${namespace}/${name}`);
  const declared = here.filter((domain) => isDeclaredBy(domain, project)).length;
  return { elsewhere: domains.byIndex('namespace', namespace).length - declared, declared };
}

function standAlone({ dependencies }: ApiRequest, project: Project): readonly ProjectDomain[] {
  const { namespace = '', name } = project.metadata;
  return dependencies.caches.domains
    .byIndex('project', `${namespace}/${name}`)
    .filter((domain) => !isDeclaredBy(domain, project));
}
