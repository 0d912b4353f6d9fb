import type { Project } from '../generated/project.ts';
import type { ProjectDomain } from '../generated/project-domain.ts';

type Configuration = Project['spec']['domains'];
type DomainSpec = ProjectDomain['spec'];

/** Project-level configuration as ProjectDomain specs; the primary first, so that a switch promotes before it demotes. */
export function declaredDomains(project: string, domains: Configuration): readonly DomainSpec[] {
  const { primary, redirects = [] } = domains ?? {};
  const first: readonly DomainSpec[] = primary === undefined ? [] : [{ project, hostname: primary, role: 'Primary' }];
  const others = redirects.flatMap(({ from, to = primary, status = 301 }): readonly DomainSpec[] =>
    to === undefined ? [] : [{ project, hostname: from, role: 'Redirect', redirect: { to, status } }],
  );
  return [...first, ...others];
}

/** True for a ProjectDomain that was made from the project's own configuration. */
export const isDeclaredBy = ({ metadata }: ProjectDomain, project: Project): boolean =>
  metadata.ownerReferences?.some(({ controller, uid }) => controller && uid === project.metadata.uid) ?? false;
