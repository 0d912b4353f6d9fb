import type { Project } from '../generated/project.ts';
import { ProjectKind } from '../resources/kinds.ts';
import { deletionShown } from './cache-wait.ts';
import type { ProjectPath } from './find-in-account.ts';
import { projectOf } from './find-in-account.ts';
import { useCase } from './use-case.ts';
import { removeInTurn } from './writes/write-turn.ts';

/** Removes a project with all of its domains; their routes follow at once. */
export const deleteProject = useCase<ProjectPath, void>('domains:write', async (context, path) => {
  const project: Project = projectOf(context, path);
  await removeInTurn(context, ProjectKind, project);
  await deletionShown(context.dependencies.caches.projects, project, context.signal);
});
