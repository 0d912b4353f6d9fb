import type { Project } from '../generated/project.ts';
import type { RedirectStatus } from './domain-fields.ts';
import type { ProjectPath } from './find-in-account.ts';
import { projectOf } from './find-in-account.ts';
import { useCase } from './use-case.ts';
import { ProjectKind } from '../resources/kinds.ts';
import { domainConfigRejection } from '../rules/declared-domains.ts';
import { indexKey } from './acceptance-candidate.ts';
import { edit } from './edit-object.ts';
import { problemOfFinding } from './finding-to-problem.ts';
import type { RequestContext } from './api-dependencies.ts';
import { claimKey } from '../rules/claim-name.ts';

/** A project's domain configuration as REST shows it. */
export interface DomainConfigView {
  readonly primary: string | null;
  readonly redirects: readonly ConfiguredRedirect[];
}

interface ConfiguredRedirect {
  readonly from: string;
  /** the primary if not specified; null if there is no primary either */
  readonly to: string | null;
  readonly status: RedirectStatus;
}

function domainConfigView({ spec }: Project): DomainConfigView {
  const { primary = null, redirects = [] } = spec.domains ?? {};
  return { primary, redirects: redirects.map(({ from, to = primary, status = 301 }) => ({ from, to, status })) };
}

/** The project's domain configuration. */
export const showDomainConfig = useCase<ProjectPath, DomainConfigView>('domains:read', (context, path) =>
  domainConfigView(projectOf(context, path)),
);

/** A complete configuration that replaces the current one. */
export interface NewDomainConfig {
  readonly primary: string | null;
  readonly redirects: readonly {
    readonly from: string;
    /** defaults to the primary */
    readonly to?: string | undefined;
    readonly status: RedirectStatus;
  }[];
}

interface ReplaceDomainConfig extends ProjectPath {
  readonly config: NewDomainConfig;
}

/** Replaces the project's domain configuration; the operator removes the domains that are no longer in it. */
export const replaceDomainConfig = useCase<ReplaceDomainConfig, DomainConfigView>(
  'domains:write',
  async (context, { config, ...path }) => {
    const project = projectOf(context, path);
    const change = (before: Project): Project => ({ ...before, spec: { ...before.spec, domains: domainsOf(config) } });
    rejectInvalidConfig(context, change(project));
    const editable = { kind: ProjectKind, cache: context.dependencies.caches.projects };
    const changed = await edit(context, editable, project, change);
    return domainConfigView(changed);
  },
);

const domainsOf = ({ primary, redirects }: NewDomainConfig) => ({
  ...(primary === null ? {} : { primary }),
  redirects: redirects.map(({ from, to, status }) => ({ from, status, ...(to === undefined ? {} : { to }) })),
});

/** Checks the resulting configuration against the acceptance rules before anything is written. */
function rejectInvalidConfig({ dependencies, caller }: RequestContext, project: Project): void {
  const { caches, settings } = dependencies;
  const { namespace = '', name } = project.metadata;
  const rejection = domainConfigRejection({
    project,
    account: caller.account,
    limits: caller.limits,
    platformDomains: [settings.platformDomain, settings.cnameDomain],
    domains: caches.domains.byIndex('project', indexKey(namespace, name)),
    domainsWith: (hostname) => caches.domains.byIndex('place', indexKey(namespace, hostname)),
    claimOf: (hostname) => caches.claims.get(claimKey(hostname)),
    count: caches.domains.countByIndex('namespace', namespace),
  });
  if (rejection) throw problemOfFinding(rejection);
}
