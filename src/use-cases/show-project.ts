import type { Project } from '../generated/project.ts';
import { projectTarget } from '../rules/dns-target.ts';
import { projectOf } from './find-in-account.ts';
import type { ProjectPath } from './find-in-account.ts';
import type { RequestContext } from './request-context.ts';
import { useCase } from './use-case.ts';

/** A project as REST and the dashboard show it. */
export interface ProjectView {
  readonly name: string;
  readonly service: { readonly name: string; readonly port: number };
  readonly subdomain: string;
  /** null until the operator has given it one */
  readonly platformHostname: string | null;
  /** what the CNAME records of its domains point to; null while the account has no id */
  readonly target: string | null;
  /** RFC 3339; null until it was deployed for the first time */
  readonly deployedAt: string | null;
}

export function projectView(
  { dependencies: { settings }, caller: { account } }: Pick<RequestContext, 'dependencies' | 'caller'>,
  { metadata, spec, status }: Project,
): ProjectView {
  const { name } = metadata;
  const accountId = account.spec.id;
  return {
    name,
    service: { name: spec.service.name, port: spec.service.port },
    subdomain: spec.subdomain ?? name,
    platformHostname: status?.platformHostname ?? null,
    target: accountId ? projectTarget(settings.secret, { accountId, name }, settings.cnameDomain) : null,
    deployedAt: status?.deployedAt ?? null,
  };
}

/** One project. */
export const showProject = useCase<ProjectPath, ProjectView>('domains:read', (context, path) =>
  projectView(context, projectOf(context, path)),
);
