import { hostnameMeant } from '../../rules/hostname.ts';
import { check } from '../../server/request-validation.ts';
import { domainChange } from '../../server/schemas.ts';
import { changeDomain } from '../../use-cases/change-domain.ts';
import { makePrimary } from '../../use-cases/make-primary.ts';
import type { Problem } from '../../use-cases/problem.ts';
import { bothForms } from '../../use-cases/unicode-hostname.ts';
import type { PageAnswer, PageRequest } from '../dashboard-page.ts';
import { domainPathOf, field, paths } from '../dashboard-page.ts';
import type { Html } from '../html.ts';
import { attempt, pageAnswer } from '../page-answer.ts';
import type { DomainModel } from '../view-models.ts';
import type { RedirectForm } from '../views/change-view.ts';
import { primaryMain, redirectMain } from '../views/change-view.ts';
import { hostnameHeading } from '../views/elements.ts';
import { domainModel } from './domain-controller.ts';

/** Changes of a domain's role and destination, each asked on a page of its own. */

interface Question {
  readonly title: 'primary.title' | 'redirect.title';
  readonly main: (model: DomainModel) => Html;
}

async function ask(request: PageRequest, { title, main }: Question, problem: Problem | null): Promise<PageAnswer> {
  const { words } = request.view;
  const model = await domainModel(request, domainPathOf(request));
  const { hostname } = model.domain;
  return pageAnswer(request, {
    title: words.text(title, { hostname: bothForms(hostname) }),
    heading: words.say(title, { hostname: hostnameHeading(hostname) }),
    section: 'projects',
    problem,
    main: main(model),
  });
}

export const primaryPage = (request: PageRequest, problem: Problem | null = null): Promise<PageAnswer> =>
  ask(request, { title: 'primary.title', main: (model) => primaryMain(request.view, model) }, problem);

export const primaryAction = attempt(async (request) => {
  const { project, hostname } = await makePrimary(request, { ...domainPathOf(request), spend: request.spend });
  return { to: `${paths.domain(project, hostname)}?done=primary` };
}, primaryPage);

export const redirectPage = (request: PageRequest): Promise<PageAnswer> => askRedirect(request, null, null);

const askRedirect = (request: PageRequest, form: RedirectForm | null, problem: Problem | null): Promise<PageAnswer> =>
  ask(request, { title: 'redirect.title', main: (model) => redirectMain(request.view, model, form) }, problem);

const sentForm = (request: PageRequest): RedirectForm => ({
  to: hostnameMeant(field(request, 'to')),
  status: field(request, 'status') || '301',
});

export const redirectAction = attempt(
  async (request) => {
    const { to, status } = sentForm(request);
    const wanted = { role: 'redirect', redirect: { to, status: Number(status) } };
    const change = check(domainChange, wanted, 'form');
    const { project, hostname } = await changeDomain(request, { ...domainPathOf(request), change });
    return { to: `${paths.domain(project, hostname)}?done=redirect` };
  },
  (request, problem) => askRedirect(request, sentForm(request), problem),
);
