import { check } from '../../server/request-validation.ts';
import { handoverLinkNew } from '../../server/calls/handover-link-calls.ts';
import { problemOfError } from '../../use-cases/error-to-problem.ts';
import type { DomainPath } from '../../use-cases/find-in-account.ts';
import type { CreatedHandoverLinkView, HandoverLinkView } from '../../use-cases/handover-links.ts';
import { createHandoverLink, listHandoverLinks, revokeHandoverLink } from '../../use-cases/handover-links.ts';
import type { Problem } from '../../use-cases/problem.ts';
import { html } from '../html.ts';
import type { DashboardPage, PageAnswer, PageRequest } from '../dashboard-page.ts';
import { attempt, field, layoutModelOf, pathParameter, paths, problemNotice } from '../dashboard-page.ts';
import { trail } from '../views/elements.ts';
import type { HandoverSectionModel } from '../views/handover-section.ts';
import { handOverSection } from '../views/handover-section.ts';
import { layout } from '../views/layout.ts';

const path = '/projects/:project/domains/:hostname/links';

const domainPathOf = (request: PageRequest): DomainPath => ({
  project: pathParameter(request, 'project'),
  hostname: pathParameter(request, 'hostname'),
});

/** The links of a domain, for its page and for the page that shows a new one. Rejects with not-found. */
export async function handoverSectionModel(
  request: PageRequest,
  domain: DomainPath,
  created: CreatedHandoverLinkView | null = null,
): Promise<HandoverSectionModel> {
  return {
    action: `${paths.domain(domain.project, domain.hostname)}/links`,
    links: await linksOf(request, domain),
    created: created && { url: `${request.origin}${created.path}`, expiresAt: created.expiresAt },
    mayWrite: request.caller.apiKey.spec.scopes.includes('domains:write'),
  };
}

/** Null if they cannot be looked up: the rest of the page does not depend on them. */
async function linksOf(request: PageRequest, domain: DomainPath): Promise<readonly HandoverLinkView[] | null> {
  try {
    return await listHandoverLinks(request, domain);
  } catch (error) {
    if (problemOfError(error)?.code === 'links-unavailable') return null;
    throw error;
  }
}

interface Shown {
  readonly created: CreatedHandoverLinkView | null;
  readonly problem: Problem | null;
}

/** A page of its own, because a link is shown in the answer to its form and nowhere else. */
async function show(request: PageRequest, { created, problem }: Shown): Promise<PageAnswer> {
  const { view } = request;
  const domain = domainPathOf(request);
  const frame = layoutModelOf(request, {
    title: view.words.text('handover.created-title', { hostname: domain.hostname }),
    section: 'projects',
    notice: problem && problemNotice(problem),
  });
  const crumbs = trail(view, [
    { name: view.words.say('layout.projects'), href: paths.projects },
    { name: domain.project, href: paths.project(domain.project) },
    { name: domain.hostname, href: paths.domain(domain.project, domain.hostname) },
  ]);
  const main = html`${crumbs} ${handOverSection(view, await handoverSectionModel(request, domain, created))}`;
  return { html: layout(view, frame, main), status: problem?.status ?? 201, headers: problem?.headers ?? {} };
}

const backOf = (request: PageRequest): PageAnswer => {
  const { project, hostname } = domainPathOf(request);
  return { to: `${paths.domain(project, hostname)}#hand-over` };
};

export const createLinkAction: DashboardPage = {
  method: 'post',
  path,
  name: 'dashboardCreateLink',
  handle: (request) =>
    attempt(
      async () => {
        const sent = { days: Number(field(request, 'days')), from: field(request, 'from') };
        const link = check(handoverLinkNew, sent, 'the form');
        const created = await createHandoverLink(request, { ...domainPathOf(request), ...link });
        return show(request, { created, problem: null });
      },
      (problem) => show(request, { created: null, problem }),
    ),
};

export const revokeLinkAction: DashboardPage = {
  method: 'post',
  path: `${path}/:link/revoke`,
  name: 'dashboardRevokeLink',
  handle: (request) =>
    attempt(
      async () => {
        await revokeHandoverLink(request, { ...domainPathOf(request), link: pathParameter(request, 'link') });
        return backOf(request);
      },
      (problem) => show(request, { created: null, problem }),
    ),
};
