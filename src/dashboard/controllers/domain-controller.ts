import { bothForms } from '../../use-cases/unicode-hostname.ts';
import { dnsHostOf } from '../../rules/dns-hosts/dns-hosts.ts';
import { wwwCounterpart } from '../../rules/hostname.ts';
import { showChoices } from '../../use-cases/make-primary.ts';
import type { DomainPath } from '../../use-cases/find-in-account.ts';
import { domainIn, domainsIn, projectOf } from '../../use-cases/find-in-account.ts';
import type { Problem } from '../../use-cases/problem.ts';
import { removeDomain, strandedBy } from '../../use-cases/remove-domain.ts';
import type { RequestContext } from '../../use-cases/api-dependencies.ts';
import { showDomain } from '../../use-cases/read-domains.ts';
import { showProject } from '../../use-cases/projects.ts';
import { verifyDomain } from '../../use-cases/verify-domain.ts';
import { newestVersion } from '../../use-cases/watch-project-domains.ts';
import type { DomainModel } from '../view-models.ts';
import type { DashboardPage, PageAnswer, PageRequest } from '../dashboard-page.ts';
import { attempt, layoutModelOf, noticeOf, paths, pathParameter, problemNotice } from '../dashboard-page.ts';
import type { Html } from '../html.ts';
import { html } from '../html.ts';
import { askedQuery, verifyNotice } from '../verify-notice.ts';
import { domainMain } from '../views/domain-view.ts';
import { hostnameHeading, hostnameText, nothing } from '../views/elements.ts';
import { handOverSection } from '../views/handover-section.ts';
import { layout } from '../views/layout.ts';
import { handoverSectionModel } from './handover-controller.ts';
import { removeMain } from '../views/remove-view.ts';

export const domainRoute = '/projects/:project/domains/:hostname';

export const domainPathOf = (request: PageRequest): DomainPath => ({
  project: pathParameter(request, 'project'),
  hostname: pathParameter(request, 'hostname'),
});

/** The model of a domain's page, also for the updates sent to open pages. */
export async function domainModel(context: RequestContext, path: DomainPath): Promise<DomainModel> {
  const { nameServers, timeline, ...details } = await showDomain(context, path);
  const project = await showProject(context, path);
  const choices = await showChoices(context, path);
  return {
    ...details,
    project,
    choices,
    timeline: timeline.toReversed(),
    dnsHost: dnsHostOf(nameServers),
  };
}

export const domainPage: DashboardPage = {
  method: 'get',
  path: domainRoute,
  name: 'dashboardDomain',
  handle: (request) => showDomainPage(request, null),
};

/** A domain's page, with the problem that an action of it had. */
export async function showDomainPage(request: PageRequest, problem: Problem | null): Promise<PageAnswer> {
  const path = domainPathOf(request);
  const newest = newestVersion(domainsIn(request, path));
  const model = await domainModel(request, path);
  const { hostname } = model.domain;
  const frame = layoutModelOf(request, {
    title: bothForms(hostname),
    heading: hostnameHeading(hostname),
    section: 'projects',
    notice: problem ? problemNotice(problem) : (verifyNotice(request.query, model) ?? noticeOf(request)),
  });
  const live = `${paths.events(model.project.name, newest)}&hostname=${encodeURIComponent(hostname)}`;
  const links = handOverSection(request.view, await handoverSectionModel(request, path));
  const main = html`${domainMain(request.view, model)} ${pairLink(request, path)} ${links}`;
  return { html: layout(request.view, frame, main, { live }), ...outcomeOf(problem) };
}

/** Leads to the page of both, where the project has the other one of `www` and the bare domain too. */
function pairLink({ view, ...context }: PageRequest, { project, hostname }: DomainPath): Html {
  const other = wwwCounterpart(hostname);
  if (other === null || !domainIn(context, projectOf(context, { project }).metadata, other)) return nothing;
  const href = paths.setUp(project, [hostname, other]);
  return html`<p><a href="${href}">${view.words.say('setup.both', { other: hostnameText(other) })}</a></p>`;
}

/** Status and headers of a page that shows a problem; those of success without one. */
export const outcomeOf = (problem: Problem | null) => ({
  status: problem?.status ?? 200,
  headers: problem?.headers ?? {},
});

export const verifyAction: DashboardPage = {
  method: 'post',
  path: `${domainRoute}/verify`,
  name: 'dashboardVerify',
  handle: (request) =>
    attempt(
      async () => {
        const { domain, version } = await verifyDomain(request, { ...domainPathOf(request), waitMs: 0 });
        return { to: `${paths.domain(domain.project, domain.hostname)}?${askedQuery(version, domain)}` };
      },
      (problem) => showDomainPage(request, problem),
    ),
};

export const removePage: DashboardPage = {
  method: 'get',
  path: `${domainRoute}/remove`,
  name: 'dashboardAskRemove',
  handle: (request) => confirmRemoval(request, null),
};

async function confirmRemoval(request: PageRequest, problem: Problem | null): Promise<PageAnswer> {
  const { words } = request.view;
  const path = domainPathOf(request);
  const model = await domainModel(request, path);
  const { hostname } = model.domain;
  const stranded = strandedBy(domainsIn(request, path), [hostname])(hostname);
  const frame = layoutModelOf(request, {
    title: words.text('remove.title', { hostname: bothForms(hostname) }),
    heading: words.say('remove.title', { hostname: hostnameHeading(hostname) }),
    section: 'projects',
    notice: problem && problemNotice(problem),
  });
  return { html: layout(request.view, frame, removeMain(request.view, model, stranded)), ...outcomeOf(problem) };
}

export const removeAction: DashboardPage = {
  method: 'post',
  path: `${domainRoute}/remove`,
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
