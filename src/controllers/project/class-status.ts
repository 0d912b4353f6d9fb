import type { Project } from '../../generated/project.ts';
import { classesFor } from '../../routing/routing-classes.ts';
import type { ProjectSnapshot } from './project-snapshot.ts';

type Chosen = Pick<ProjectSnapshot, 'settings' | 'project' | 'permittedClasses'>;

const wantedClasses = ({ settings, project, permittedClasses: permitted }: Chosen): readonly string[] =>
  classesFor(settings.routingClasses, { permitted, named: project.spec.routingClass });

/** What the status says of the classes that are to serve the project; nothing while every project is served by the same ones. */
export function classStatus(
  snapshot: Chosen,
): Pick<NonNullable<Project['status']>, 'routingClasses' | 'targetAddresses'> {
  const { chosen } = snapshot.settings.routingClasses;
  if (chosen.size === 0) return {};
  const wanted = wantedClasses(snapshot);
  const addresses = wanted.flatMap((name) => chosen.get(name) ?? []);
  return { routingClasses: [...wanted], ...(addresses.length === 0 ? {} : { targetAddresses: [...addresses] }) };
}

/** For people: that the class that the project names does not serve it. Empty where it does, or none is named. */
export function classComplaint(snapshot: Chosen): string {
  const { routingClass } = snapshot.project.spec;
  if (routingClass === undefined || wantedClasses(snapshot).includes(routingClass)) return '';
  return `; spec.routingClass ${routingClass} is not permitted by the plan, or does not exist: ${wantedClasses(snapshot).join(', ')} serves its own hostnames`;
}
