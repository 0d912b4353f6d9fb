import { namespaceFor } from './find-in-account.ts';
import type { PageRequest, ResultPage } from './pagination.ts';
import { pageOf } from './pagination.ts';
import type { ProjectView } from './show-project.ts';
import { projectView } from './show-project.ts';
import { useCase } from './use-case.ts';

/** The account's projects, by name. */
export const listProjects = useCase<PageRequest, ResultPage<ProjectView>>('domains:read', (context, page) => {
  const mine = context.dependencies.caches.projects.byIndex('namespace', namespaceFor(context));
  const { items, nextCursor } = pageOf(mine, ({ metadata }) => metadata.name, page);
  return { items: items.map((item) => projectView(context, item)), nextCursor };
});
