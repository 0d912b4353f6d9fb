import type { Project } from '../generated/project.ts';
import { ProjectKind } from '../resources/kinds.ts';
import { settled } from './cache-wait.ts';
import { makeWithin, projectPlaces } from './caps.ts';
import { statusOf } from './edit-object.ts';
import { namespaceFor } from './find-in-account.ts';
import { Problem } from './problem.ts';
import type { ProjectView } from './show-project.ts';
import { projectView } from './show-project.ts';
import { useCase } from './use-case.ts';
import { createInTurn } from './writes/write-turn.ts';

/** A project to make. */
export interface NewProject {
  readonly name: string;
  readonly service: Project['spec']['service'];
  /** its name when absent */
  readonly subdomain?: string | undefined;
}

/** Makes a project of a Service. Rejects with already-exists or project-cap-reached. */
export const createProject = useCase<NewProject, ProjectView>('domains:write', async (context, { name, ...spec }) => {
  const { apiVersion, kind } = ProjectKind;
  const key = { name, namespace: namespaceFor(context) };
  const cache = context.dependencies.caches.projects;
  const taken = () => new Problem('already-exists', `there is a project ${name} already`);
  if (cache.get(key)) throw taken();
  const places = projectPlaces(context, key.namespace);
  try {
    const created = await makeWithin(context, { places, cache, key }, () =>
      createInTurn(context, ProjectKind, { apiVersion, kind, metadata: key, spec }),
    );
    await settled(cache, created, context.signal);
    return projectView(context, created);
  } catch (error) {
    if (statusOf(error) !== 409) throw error;
    throw taken();
  }
});
