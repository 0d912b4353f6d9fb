import type { Project } from '../generated/project.ts';
import { ProjectKind } from '../resources/kinds.ts';
import { edit } from './edit-object.ts';
import type { ProjectPath } from './find-in-account.ts';
import { projectOf } from './find-in-account.ts';
import type { ProjectView } from './show-project.ts';
import { projectView } from './show-project.ts';
import { useCase } from './use-case.ts';

/** What is absent stays as it is. */
interface ProjectChange {
  readonly service?: Project['spec']['service'] | undefined;
  readonly subdomain?: string | undefined;
}

interface ChangeProject extends ProjectPath {
  readonly change: ProjectChange;
}

/** Changes a project's service or subdomain. Rejects with conflict when others change it all the time. */
export const changeProject = useCase<ChangeProject, ProjectView>(
  'domains:write',
  async (context, { change, ...path }) => {
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    const editable = { kind: ProjectKind, cache: context.dependencies.caches.projects };
    const changed = await edit(context, editable, projectOf(context, path), (before) => ({
      ...before,
      spec: { ...before.spec, ...given },
    }));
    return projectView(context, changed);
  },
);
