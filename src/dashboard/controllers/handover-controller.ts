import { handoverLinkNew } from '../../server/calls/handover-link-calls.ts';
import { check } from '../../server/request-validation.ts';
import { problemOfError } from '../../use-cases/error-to-problem.ts';
import type { DomainPath } from '../../use-cases/find-in-account.ts';
import type { CreatedHandoverLinkView, HandoverLinkView } from '../../use-cases/handover-links.ts';
import { createHandoverLink, listHandoverLinks, revokeHandoverLink } from '../../use-cases/handover-links.ts';
import type { Problem } from '../../use-cases/problem.ts';
import { html } from '../html.ts';
import type { PageAnswer, PageRequest } from '../dashboard-page.ts';
import { domainPathOf, field, mayChange, pathParameter, paths } from '../dashboard-page.ts';
import { attempt, pageAnswer } from '../page-answer.ts';
import { trail } from '../views/elements.ts';
import type { HandoverSectionModel } from '../views/handover-section.ts';
import { handOverSection } from '../views/handover-section.ts';

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
    mayWrite: mayChange(request),
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

/** A page of its own, because a link is shown in the answer to its form and nowhere else. */
async function show(
  request: PageRequest,
  created: CreatedHandoverLinkView | null,
  problem: Problem | null,
): Promise<PageAnswer> {
  const { view } = request;
  const domain = domainPathOf(request);
  const { project, hostname } = domain;
  const crumbs = trail(view, project, { name: hostname, href: paths.domain(project, hostname) });
  return pageAnswer(request, {
    title: view.words.text('handover.created-title', { hostname }),
    section: 'projects',
    problem,
    status: 201,
    main: html`${crumbs} ${handOverSection(view, await handoverSectionModel(request, domain, created))}`,
  });
}

const refused = (request: PageRequest, problem: Problem): Promise<PageAnswer> => show(request, null, problem);

export const createLinkAction = attempt(async (request) => {
  const sent = { days: Number(field(request, 'days')), from: field(request, 'from') };
  const link = check(handoverLinkNew, sent, 'form');
  const created = await createHandoverLink(request, { ...domainPathOf(request), ...link });
  return show(request, created, null);
}, refused);

export const revokeLinkAction = attempt(async (request) => {
  const { project, hostname } = domainPathOf(request);
  await revokeHandoverLink(request, { project, hostname, link: pathParameter(request, 'link') });
  return { to: `${paths.domain(project, hostname)}#hand-over` };
}, refused);
