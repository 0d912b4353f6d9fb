import { dnsHostOf } from '../../help/dns-hosts.ts';
import type { DomainPath } from '../../use-cases/find-in-account.ts';
import { domainsIn } from '../../use-cases/find-in-account.ts';
import type { Problem } from '../../use-cases/problem.ts';
import { removeDomain } from '../../use-cases/remove-domain.ts';
import type { RequestContext } from '../../use-cases/api-dependencies.ts';
import { showDomain } from '../../use-cases/read-domains.ts';
import { showProject } from '../../use-cases/projects.ts';
import { verifyDomain } from '../../use-cases/verify-domain.ts';
import { newestVersion } from '../../use-cases/watch-project-domains.ts';
import type { DomainModel } from '../view-models.ts';
import type { DashboardPage, PageAnswer, PageRequest } from '../dashboard-page.ts';
import { attempt, layoutModelOf, noticeOf, paths, pathParameter, problemNotice } from '../dashboard-page.ts';
import { domainMain } from '../views/domain-view.ts';
import { layout } from '../views/layout.ts';
import { removeMain } from '../views/remove-view.ts';

const path = '/projects/:project/domains/:hostname';

const domainPathOf = (request: PageRequest): DomainPath => ({
  project: pathParameter(request, 'project'),
  hostname: pathParameter(request, 'hostname'),
});

/** The model of a domain's page, also for the updates sent to open pages. */
export async function domainModel(context: RequestContext, path: DomainPath): Promise<DomainModel> {
  const { domain, timeline, nameServers, checkedAt } = await showDomain(context, path);
  const project = await showProject(context, path);
  return { project, domain, timeline: timeline.toReversed(), dnsHost: dnsHostOf(nameServers), checkedAt };
}

export const domainPage: DashboardPage = {
  method: 'get',
  path,
  name: 'dashboardDomain',
  handle: (request) => show(request, null),
};

async function show(request: PageRequest, problem: Problem | null): Promise<PageAnswer> {
  const path = domainPathOf(request);
  const newest = newestVersion(domainsIn(request, path));
  const model = await domainModel(request, path);
  const frame = layoutModelOf(request, {
    title: model.domain.hostname,
    section: 'projects',
    notice: problem ? problemNotice(problem) : noticeOf(request),
  });
  const live = paths.events(model.project.name, newest);
  return { html: layout(frame, domainMain(model, request.visitor.csrf), { live }), ...outcomeOf(problem) };
}

const outcomeOf = (problem: Problem | null) => ({ status: problem?.status ?? 200, headers: problem?.headers ?? {} });

export const verifyAction: DashboardPage = {
  method: 'post',
  path: `${path}/verify`,
  name: 'dashboardVerify',
  handle: (request) =>
    attempt(
      async () => {
        const { domain } = await verifyDomain(request, { ...domainPathOf(request), waitMs: 0 });
        return { to: `${paths.domain(domain.project, domain.hostname)}?done=verify` };
      },
      (problem) => show(request, problem),
    ),
};

export const removePage: DashboardPage = {
  method: 'get',
  path: `${path}/remove`,
  name: 'dashboardAskRemove',
  handle: (request) => confirmRemoval(request, null),
};

async function confirmRemoval(request: PageRequest, problem: Problem | null): Promise<PageAnswer> {
  const { project, domain } = await domainModel(request, domainPathOf(request));
  const notice = problem && problemNotice(problem);
  const frame = layoutModelOf(request, { title: `Remove ${domain.hostname}`, section: 'projects', notice });
  return { html: layout(frame, removeMain({ project, domain }, request.visitor.csrf)), ...outcomeOf(problem) };
}

export const removeAction: DashboardPage = {
  method: 'post',
  path: `${path}/remove`,
  name: 'dashboardRemove',
  handle: (request) =>
    attempt(
      async () => {
        const { kind } = await removeDomain(request, domainPathOf(request));
        return { to: `${paths.project(pathParameter(request, 'project'))}?done=${kind}` };
      },
      (problem) => confirmRemoval(request, problem),
    ),
};
