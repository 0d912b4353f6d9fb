import type { Project } from '../generated/project.ts';
import type { ProjectDomain } from '../generated/project-domain.ts';
import { ProjectKind } from '../resources/kinds.ts';
import { declaredDomains, isDeclaredBy } from '../rules/declared-domains.ts';
import { domainConfigFinding } from '../rules/domain-config-acceptance.ts';
import { indexKey } from './acceptance-candidate.ts';
import type { RedirectStatus } from './domain-fields.ts';
import { edit } from './edit-object.ts';
import type { ProjectPath } from './find-in-account.ts';
import { domainIn, projectOf } from './find-in-account.ts';
import { problemOfFinding } from './finding-to-problem.ts';
import { Problem } from './problem.ts';
import type { RequestContext } from './request-context.ts';
import type { DomainConfigView } from './show-domain-config.ts';
import { domainConfigView } from './show-domain-config.ts';
import { useCase } from './use-case.ts';

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
    const domains = domainsOf(config);
    refuseWhatCannotBe(context, project, domains);
    const editable = { kind: ProjectKind, cache: context.dependencies.caches.projects };
    const changed = await edit(context, editable, project, (before) => ({
      ...before,
      spec: { ...before.spec, domains },
    }));
    return domainConfigView(changed);
  },
);

const domainsOf = ({ primary, redirects }: NewDomainConfig) => ({
  ...(primary === null ? {} : { primary }),
  redirects: redirects.map(({ from, to, status }) => ({ from, status, ...(to === undefined ? {} : { to }) })),
});

/** What the rules say of the configuration as a whole, before any of it is written. */
function refuseWhatCannotBe(context: RequestContext, project: Project, domains: Project['spec']['domains']): void {
  const { dependencies, caller } = context;
  const { platformDomain, cnameDomain } = dependencies.settings;
  const objection = domainConfigFinding(domains, {
    limits: caller.limits,
    plan: caller.account.spec.plan,
    platformDomains: [platformDomain, cnameDomain],
    platformHostname: project.status?.platformHostname ?? null,
    others: standAlone(context, project).map(({ spec }) => spec.hostname),
    count: countOf(context, project),
  });
  if (objection) throw problemOfFinding(objection);
  const taken = declaredDomains(project.metadata.name, domains)
    .map(({ hostname }) => domainIn(context, project.metadata, hostname))
    .find((domain) => domain !== undefined && !isDeclaredBy(domain, project));
  if (!taken) return;
  const { hostname } = taken.spec;
  throw new Problem(
    'hostname-in-use',
    `${hostname} was added by itself; change it there, or delete it before you declare it here`,
  );
}

function countOf(context: RequestContext, project: Project) {
  const { namespace = '' } = project.metadata;
  const declared = ofProject(context, project).filter((domain) => isDeclaredBy(domain, project)).length;
  const { length: all } = context.dependencies.caches.domains.byIndex('namespace', namespace);
  return { elsewhere: all - declared, declared };
}

const standAlone = (context: RequestContext, project: Project): readonly ProjectDomain[] =>
  ofProject(context, project).filter((domain) => !isDeclaredBy(domain, project));

/** Those that are being removed too: they count until they are gone. */
const ofProject = ({ dependencies }: RequestContext, { metadata }: Project): readonly ProjectDomain[] =>
  dependencies.caches.domains.byIndex('project', indexKey(metadata.namespace ?? '', metadata.name));
