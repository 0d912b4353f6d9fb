import type { ProjectDomain } from '../../generated/project-domain.ts';
import { listProjects, showProject } from '../../server/calls/project-calls.ts';
import { namespaceFor } from '../../use-cases/find-in-account.ts';
import { indexKey } from '../../use-cases/acceptance-candidate.ts';
import type { ProjectCard, ProjectView } from '../view-models.ts';
import type { DashboardPage, PageRequest } from '../dashboard-page.ts';
import { call, layoutModelOf, noticeOf } from '../dashboard-page.ts';
import { layout } from '../views/layout.ts';
import { projectsMain } from '../views/projects-view.ts';

/** How many projects the page shows; the API lists any number. */
const shownAtMost = 100;

export const projectsPage: DashboardPage = {
  method: 'get',
  path: '/projects',
  name: 'dashboardProjects',
  async handle(request) {
    const { body } = await call(listProjects, request, { query: { limit: String(shownAtMost) } });
    const { items } = body as { items: readonly ProjectView[] };
    const cards = items.map((project) => cardOf(request, project));
    const frame = layoutModelOf(request, { title: 'Projects', section: 'projects', notice: noticeOf(request) });
    return { html: layout(frame, projectsMain(cards)) };
  },
};

function cardOf(request: PageRequest, project: ProjectView): ProjectCard {
  const domains = domainsOf(request, project.name);
  return { project, domains: domains.length, waiting: domains.filter(({ status }) => status?.state !== 'Live').length };
}

/** The project's living ProjectDomains. */
export function domainsOf({ dependencies, visitor, params }: PageRequest, project: string): readonly ProjectDomain[] {
  const namespace = namespaceFor({ dependencies, caller: visitor.caller, params });
  return dependencies.caches.domains
    .byIndex('project', indexKey(namespace, project))
    .filter(({ metadata }) => !metadata.deletionTimestamp);
}

/** The version of the newest of the domains; they are counted through by one counter (KEP-5504). */
export const newestOf = (domains: readonly ProjectDomain[]): number =>
  domains.reduce((newest, { metadata }) => Math.max(newest, Number(metadata.resourceVersion)), 0);

export async function projectView(request: PageRequest): Promise<ProjectView> {
  return (await call(showProject, request)).body as ProjectView;
}
