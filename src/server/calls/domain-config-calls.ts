import type { Project } from '../../generated/project.ts';
import { ProjectKind } from '../../resources/kinds.ts';
import { edit } from '../../use-cases/edit-object.ts';
import { indexKey } from '../../use-cases/acceptance-candidate.ts';
import { projectOf } from '../../use-cases/find-in-account.ts';
import { problemOfFinding, rejectionCodes } from '../../use-cases/finding-to-problem.ts';
import type { ApiRequest } from '../api-call.ts';
import { apiCall } from '../api-call.ts';
import { domainConfig, domainConfigChange } from '../schemas.ts';
import { domainConfigRejection } from '../../rules/domain-config-acceptance.ts';
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
  problems: [...rejectionCodes, 'conflict', 'cluster-unavailable'],
  async handle(request) {
    const { dependencies, body } = request;
    const project = projectOf(request);
    const domains = {
      ...(body.primary === null ? {} : { primary: body.primary }),
      redirects: body.redirects.map(({ from, to, status }) => ({ from, status, ...(to === undefined ? {} : { to }) })),
    };
    const change = (before: Project): Project => ({ ...before, spec: { ...before.spec, domains } });
    refuseWhatCannotBe(request, change(project));
    const changed = await edit(request, { kind: ProjectKind, cache: dependencies.caches.projects }, project, change);
    return { status: 200, body: domainConfigView(changed) };
  },
});

/** What the rules say of the configuration as it would be once it is applied, before any of it is written. */
function refuseWhatCannotBe({ dependencies, caller }: ApiRequest, project: Project): void {
  const { caches, settings } = dependencies;
  const { namespace = '', name } = project.metadata;
  const rejection = domainConfigRejection({
    project,
    account: caller.account,
    limits: caller.limits,
    platformDomains: [settings.platformDomain, settings.cnameDomain],
    domains: caches.domains.byIndex('project', indexKey(namespace, name)),
    domainsWith: (hostname) => caches.domains.byIndex('place', indexKey(namespace, hostname)),
    claimOf: (hostname) => caches.claims.get({ namespace: '', name: hostname }),
    count: caches.domains.byIndex('namespace', namespace).length,
  });
  if (rejection) throw problemOfFinding(rejection);
}
