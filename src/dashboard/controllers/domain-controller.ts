import { dnsHostOf } from '../../help/dns-hosts.ts';
import { removeDomain } from '../../server/calls/remove-domain-call.ts';
import { verifyDomain } from '../../server/calls/verify-domain-call.ts';
import { domainOf } from '../../use-cases/find-in-account.ts';
import type { Problem } from '../../use-cases/problem.ts';
import { domainView } from '../../use-cases/resource-views.ts';
import type { DomainModel, DomainView } from '../view-models.ts';
import type { DashboardPage, PageAnswer, PageRequest } from '../dashboard-page.ts';
import { attempt, call, layoutModelOf, noticeOf, paths, problemNotice } from '../dashboard-page.ts';
import { domainMain } from '../views/domain-view.ts';
import { layout } from '../views/layout.ts';
import { removeMain } from '../views/remove-view.ts';
import { domainsOf, newestOf, projectView } from './projects-controller.ts';

const path = '/projects/:project/domains/:hostname';

export async function modelOf(request: PageRequest): Promise<DomainModel> {
  const { dependencies, visitor, params } = request;
  const domain = domainOf({ dependencies, caller: visitor.caller, params });
  const { timeline = [], check } = domain.status ?? {};
  return {
    project: await projectView(request),
    domain: domainView(dependencies, visitor.caller, domain) as DomainView,
    timeline: timeline.toReversed(),
    dnsHost: dnsHostOf(check?.nameServers ?? []),
    checkedAt: check?.checkedAt ?? null,
  };
}

export const domainPage: DashboardPage = {
  method: 'get',
  path,
  name: 'dashboardDomain',
  handle: (request) => show(request, null),
};

async function show(request: PageRequest, problem: Problem | null): Promise<PageAnswer> {
  const newest = newestOf(domainsOf(request, request.params.project ?? ''));
  const model = await modelOf(request);
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
        const { body } = await call(verifyDomain, request);
        const { project, hostname } = body as DomainView;
        return { to: `${paths.domain(project, hostname)}?done=verify` };
      },
      (problem) => show(request, problem),
    ),
};

export const removePage: DashboardPage = {
  method: 'get',
  path: `${path}/remove`,
  name: 'dashboardAskRemove',
  handle: (request) => ask(request, null),
};

async function ask(request: PageRequest, problem: Problem | null): Promise<PageAnswer> {
  const { project, domain } = await modelOf(request);
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
        const { status } = await call(removeDomain, request);
        const { project = '' } = request.params;
        return { to: `${paths.project(project)}?done=${status === 204 ? 'removed' : 'removing'}` };
      },
      (problem) => ask(request, problem),
    ),
};
