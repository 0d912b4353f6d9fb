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

/** A project's configuration of domains as REST shows it. */
export interface DomainConfigView {
  readonly primary: string | null;
  readonly redirects: readonly ConfiguredRedirect[];
}

interface ConfiguredRedirect {
  readonly from: string;
  /** the primary where none is given; null where there is none either */
  readonly to: string | null;
  readonly status: RedirectStatus;
}

function domainConfigView({ spec }: Project): DomainConfigView {
  const { primary = null, redirects = [] } = spec.domains ?? {};
  return { primary, redirects: redirects.map(({ from, to = primary, status = 301 }) => ({ from, to, status })) };
}

/** The project's configuration of domains. */
export const showDomainConfig = useCase<ProjectPath, DomainConfigView>('domains:read', (context, path) =>
  domainConfigView(projectOf(context, path)),
);

/** The whole configuration that takes the place of the one before. */
export interface NewDomainConfig {
  readonly primary: string | null;
  readonly redirects: readonly {
    readonly from: string;
    /** the primary when absent */
    readonly to?: string | undefined;
    readonly status: RedirectStatus;
  }[];
}

interface ReplaceDomainConfig extends ProjectPath {
  readonly config: NewDomainConfig;
}

/** Replaces the project's configuration of domains; what it no longer names is removed by the operator. */
export const replaceDomainConfig = useCase<ReplaceDomainConfig, DomainConfigView>(
  'domains:write',
  async (context, { config, ...path }) => {
    const project = projectOf(context, path);
    const change = (before: Project): Project => ({ ...before, spec: { ...before.spec, domains: domainsOf(config) } });
    refuseWhatCannotBe(context, change(project));
    const editable = { kind: ProjectKind, cache: context.dependencies.caches.projects };
    const changed = await edit(context, editable, project, change);
    return domainConfigView(changed);
  },
);

const domainsOf = ({ primary, redirects }: NewDomainConfig) => ({
  ...(primary === null ? {} : { primary }),
  redirects: redirects.map(({ from, to, status }) => ({ from, status, ...(to === undefined ? {} : { to }) })),
});

/** What the rules say of the configuration as it would be once it is applied, before any of it is written. */
function refuseWhatCannotBe({ dependencies, caller }: RequestContext, project: Project): void {
  const { caches, settings } = dependencies;
  const { namespace = '', name } = project.metadata;
  const rejection = domainConfigRejection({
    project,
    account: caller.account,
    limits: caller.limits,
    platformDomains: [settings.platformDomain, settings.cnameDomain],
    domains: caches.domains.byIndex('project', indexKey(namespace, name)),
    domainsWith: (hostname) => caches.domains.byIndex('place', indexKey(namespace, hostname)),
    claimOf: (hostname) => caches.claims.get({ namespace: '', name: hostname }),
    count: caches.domains.byIndex('namespace', namespace).length,
  });
  if (rejection) throw problemOfFinding(rejection);
}
