import { showAccount, showUsage, listPlanOffers } from '../../use-cases/account-and-usage.ts';
import { domainsIn } from '../../use-cases/find-in-account.ts';
import type { ProjectView } from '../../use-cases/projects.ts';
import { listProjects } from '../../use-cases/projects.ts';
import type { PageAnswer, PageRequest } from '../dashboard-page.ts';
import { noticeOf, pageAnswer } from '../page-answer.ts';
import type { ProjectCard } from '../view-models.ts';
import { helpMain } from '../views/help-view.ts';
import { planMain } from '../views/plan-view.ts';
import { projectsMain } from '../views/projects-view.ts';

/** Maximum number of projects on the page; the API lists any number. */
const maxShown = 100;

export async function projectsPage(request: PageRequest): Promise<PageAnswer> {
  const { items } = await listProjects(request, { limit: maxShown });
  const cards = items.map((project) => cardOf(request, project));
  return pageAnswer(request, {
    title: request.view.words.text('projects.title'),
    section: 'projects',
    notice: noticeOf(request),
    main: projectsMain(request.view, cards),
  });
}

function cardOf(request: PageRequest, project: ProjectView): ProjectCard {
  const domains = domainsIn(request, { project: project.name });
  return { project, domains: domains.length, waiting: domains.filter(({ status }) => status?.state !== 'Live').length };
}

export async function planPage(request: PageRequest): Promise<PageAnswer> {
  const account = await showAccount(request);
  const model = { account, ...(await showUsage(request)), plans: await listPlanOffers(request) };
  const title = request.view.words.text('plan.title');
  return pageAnswer(request, { title, section: 'plan', main: planMain(request.view, model) });
}

export function helpPage(request: PageRequest): Promise<PageAnswer> {
  const title = request.view.words.text('help.title');
  return Promise.resolve(pageAnswer(request, { title, section: 'help', main: helpMain(request.view) }));
}
