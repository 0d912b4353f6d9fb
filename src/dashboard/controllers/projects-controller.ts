import { domainsIn } from '../../use-cases/find-in-account.ts';
import { listProjects } from '../../use-cases/projects.ts';
import type { ProjectView } from '../../use-cases/projects.ts';
import type { ProjectCard } from '../view-models.ts';
import type { DashboardPage, PageRequest } from '../dashboard-page.ts';
import { layoutModelOf, noticeOf } from '../dashboard-page.ts';
import { layout } from '../views/layout.ts';
import { projectsMain } from '../views/projects-view.ts';

/** Maximum number of projects on the page; the API lists any number. */
const maxShown = 100;

export const projectsPage: DashboardPage = {
  method: 'get',
  path: '/projects',
  name: 'dashboardProjects',
  async handle(request) {
    const { items } = await listProjects(request, { limit: maxShown });
    const cards = items.map((project) => cardOf(request, project));
    const frame = layoutModelOf(request, {
      title: request.view.words.text('projects.title'),
      section: 'projects',
      notice: noticeOf(request),
    });
    return { html: layout(request.view, frame, projectsMain(request.view, cards)) };
  },
};

function cardOf(request: PageRequest, project: ProjectView): ProjectCard {
  const domains = domainsIn(request, { project: project.name });
  return { project, domains: domains.length, waiting: domains.filter(({ status }) => status?.state !== 'Live').length };
}
