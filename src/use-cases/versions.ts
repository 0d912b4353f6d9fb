import { declarationOf } from './domain-declaration.ts';
import type { DomainPath, ProjectPath } from './find-in-account.ts';
import { domainOf, projectOf } from './find-in-account.ts';
import { versionOf } from './precondition.ts';
import { useCase } from './use-case.ts';

/** The version of a project, and of its domain configuration, which is a part of it. */
export const projectVersion = useCase<ProjectPath, string>('domains:read', (context, path) =>
  versionOf(projectOf(context, path)),
);

/** The version of a domain: of the object in which it is declared. */
export const domainVersion = useCase<DomainPath, string>('domains:read', (context, path) =>
  versionOf(declarationOf({ project: projectOf(context, path), domain: domainOf(context, path) })),
);

/** The version of a domain's own certificate, which the ProjectDomain names however it is declared. */
export const certificateVersion = useCase<DomainPath, string>('domains:read', (context, path) =>
  versionOf(domainOf(context, path)),
);
