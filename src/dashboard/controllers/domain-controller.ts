import { dnsHostOf } from '../../rules/dns-hosts/dns-hosts.ts';
import { wwwCounterpart } from '../../rules/hostname.ts';
import { showChoices } from '../../use-cases/make-primary.ts';
import type { RequestContext } from '../../use-cases/api-dependencies.ts';
import type { DomainPath } from '../../use-cases/find-in-account.ts';
import { domainIn, domainsIn, projectOf } from '../../use-cases/find-in-account.ts';
import { removeCertificate } from '../../use-cases/own-certificates.ts';
import type { Problem } from '../../use-cases/problem.ts';
import { removeDomain, strandedBy } from '../../use-cases/remove-domain.ts';
import { showDomain } from '../../use-cases/read-domains.ts';
import { showProject } from '../../use-cases/projects.ts';
import { bothForms } from '../../use-cases/unicode-hostname.ts';
import { verifyDomain } from '../../use-cases/verify-domain.ts';
import { newestVersion } from '../../use-cases/watch-project-domains.ts';
import type { PageAnswer, PageRequest } from '../dashboard-page.ts';
import { domainPathOf, paths, pathParameter } from '../dashboard-page.ts';
import type { Html } from '../html.ts';
import { html } from '../html.ts';
import { attempt, noticeOf, pageAnswer } from '../page-answer.ts';
import { askedQuery, verifyNotice } from '../verify-notice.ts';
import type { DomainModel } from '../view-models.ts';
import { removeMain } from '../views/change-view.ts';
import { domainMain } from '../views/domain-view.ts';
import { hostnameHeading, hostnameText, nothing } from '../views/elements.ts';
import { handOverSection } from '../views/handover-section.ts';
import { handoverSectionModel } from './handover-controller.ts';

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

/** A domain's page, with the problem that an action of it had. */
export async function domainPage(request: PageRequest, problem: Problem | null = null): Promise<PageAnswer> {
  const path = domainPathOf(request);
  const newest = newestVersion(domainsIn(request, path));
  const model = await domainModel(request, path);
  const { hostname } = model.domain;
  const links = handOverSection(request.view, await handoverSectionModel(request, path));
  return pageAnswer(request, {
    title: bothForms(hostname),
    heading: hostnameHeading(hostname),
    section: 'projects',
    notice: verifyNotice(request.query, model) ?? noticeOf(request),
    problem,
    live: `${paths.events(model.project.name, newest)}&hostname=${encodeURIComponent(hostname)}`,
    main: html`${domainMain(request.view, model)} ${pairLink(request, path)} ${links}`,
  });
}

/** Leads to the page of both, where the project has the other one of `www` and the bare domain too. */
function pairLink({ view, ...context }: PageRequest, { project, hostname }: DomainPath): Html {
  const other = wwwCounterpart(hostname);
  if (other === null || !domainIn(context, projectOf(context, { project }).metadata, other)) return nothing;
  const href = paths.setUp(project, [hostname, other]);
  return html`<p><a href="${href}">${view.words.say('setup.both', { other: hostnameText(other) })}</a></p>`;
}

export const verifyAction = attempt(async (request) => {
  const { domain, version } = await verifyDomain(request, { ...domainPathOf(request), waitMs: 0 });
  return { to: `${paths.domain(domain.project, domain.hostname)}?${askedQuery(version, domain)}` };
}, domainPage);

/** From a certificate of the customer's own back to automatic ones. */
export const automaticCertificatesAction = attempt(async (request) => {
  const { project, hostname } = domainPathOf(request);
  await removeCertificate(request, { project, hostname });
  return { to: `${paths.domain(project, hostname)}?done=automatic` };
}, domainPage);

export async function removePage(request: PageRequest, problem: Problem | null = null): Promise<PageAnswer> {
  const { words } = request.view;
  const path = domainPathOf(request);
  const model = await domainModel(request, path);
  const { hostname } = model.domain;
  const stranded = strandedBy(domainsIn(request, path), [hostname])(hostname);
  return pageAnswer(request, {
    title: words.text('remove.title', { hostname: bothForms(hostname) }),
    heading: words.say('remove.title', { hostname: hostnameHeading(hostname) }),
    section: 'projects',
    problem,
    main: removeMain(request.view, model, stranded),
  });
}

export const removeAction = attempt(async (request) => {
  const { kind } = await removeDomain(request, domainPathOf(request));
  return { to: `${paths.project(pathParameter(request, 'project'))}?done=${kind}` };
}, removePage);
