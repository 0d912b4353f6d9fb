import type { Project } from '../generated/project.ts';
import type { ProjectToRedirect } from './domain-spec.ts';
import type { RedirectView } from './domain-view.ts';
import type { ProjectPath } from './find-in-account.ts';
import { domainsIn, projectOf } from './find-in-account.ts';
import { useCase } from './use-case.ts';
import { declaredDomains, domainConfigRejection, isDeclaredBy } from '../rules/declared-domains.ts';
import type { DomainHead } from '../rules/domain-head.ts';
import { comparePrimaries, competitorOf } from '../rules/precedence.ts';
import { isPrimary } from '../rules/domain-head.ts';
import { indexKey } from '../kubernetes/object-keys.ts';
import { checkVersion } from './writes/check-version.ts';
import { editProject } from './writes/write-turn.ts';
import { ProjectKind } from '../resources/kinds.ts';
import { problemOfFinding } from './error-to-problem.ts';
import { competitionOf } from './acceptance-candidate.ts';
import type { RequestContext } from './api-dependencies.ts';

/** The domains of a project as REST shows them, whoever declared them. */
export interface DomainConfigView {
  /** the one that is served, of several */
  readonly primary: string | null;
  readonly redirects: readonly ConfiguredRedirect[];
  /** hostnames of the project that the configuration has no place for, some of them: wildcards, and what only asks to be the primary */
  readonly others: readonly string[];
}

interface ConfiguredRedirect {
  readonly from: string;
  /** the primary if not specified; null if there is no primary either */
  readonly to: string | null;
  readonly status: RedirectView['status'];
}

/** As many as a configuration may have. */
const redirectsAtMost = 500;
/** As many names as a page of a list has. */
const namedAtMost = 100;

/** What is declared in the project comes first, then what was added separately, by hostname; of a hostname that is both, what is served. */
function domainConfigView(context: RequestContext, project: Project): DomainConfigView {
  const separate = separateOf(context, project);
  const primary = servedPrimary(context, project, separate);
  const apart = new Set(separate.map(({ spec }) => spec.hostname));
  const { primary: declared = null, redirects = [] } = project.spec.domains ?? {};
  const own: ConfiguredRedirect[] = redirects
    .filter(({ from }) => !apart.has(from))
    .map(({ from, to = declared, status = 301 }) => ({ from, to, status }));
  const added = separate.flatMap(({ spec: { hostname, redirect } }): ConfiguredRedirect[] =>
    redirect ? [{ from: hostname, to: redirect.to, status: redirect.status ?? 301 }] : [],
  );
  const shown = [...own, ...added].slice(0, redirectsAtMost);
  const named = new Set([primary, ...shown.map(({ from }) => from)]);
  const all = new Set([...(declared === null ? [] : [declared]), ...apart]);
  return { primary, redirects: shown, others: [...all].filter((one) => !named.has(one)).slice(0, namedAtMost) };
}

/** The project's domains that are no entries of its configuration, by hostname: one that has the hostname of an entry wins over it, unless it is being adopted. */
function separateOf(context: RequestContext, project: Project): readonly DomainHead[] {
  const { domains: configuration } = project.spec;
  const entries = declaredDomains(project.metadata.name, configuration).map(({ hostname }) => hostname);
  const coming = new Set(configuration?.adopt === true ? entries : []);
  return domainsIn(context, { project: project.metadata.name })
    .filter((domain) => !coming.has(domain.spec.hostname) && !isDeclaredBy(domain, project))
    .toSorted((a, b) => (a.spec.hostname < b.spec.hostname ? -1 : 1));
}

/** The hostname that redirects of the project lead to where no other one is given; null without a primary. */
export const primaryOf = (context: RequestContext, project: Project): string | null =>
  servedPrimary(context, project, separateOf(context, project));

/** The project, for the spec of one of its domains; `coming` tells of a primary that is being added to it. */
export const projectToRedirect = (
  context: RequestContext,
  project: Project,
  coming: () => string | null = () => null,
): ProjectToRedirect => ({
  project: project.metadata.name,
  primary: () => coming() ?? primaryOf(context, project),
});

function servedPrimary(context: RequestContext, project: Project, separate: readonly DomainHead[]): string | null {
  const { primary: declared } = project.spec.domains ?? {};
  const isEntry = (domain: DomainHead) => domain.spec.hostname === declared && isDeclaredBy(domain, project);
  const entry = domainsIn(context, { project: project.metadata.name }).find(isEntry);
  const all = [...(entry ? [entry] : []), ...separate].filter(isPrimary);
  const { accountId, claimOf } = competitionOf(context);
  const [first] = all
    .map((domain) => competitorOf(domain, claimOf(domain.spec.hostname), accountId))
    .toSorted(comparePrimaries);
  const isApart = separate.some(({ spec }) => spec.hostname === declared);
  // An entry that has no object yet, or one that the operator is about to make the primary.
  const isComing = declared !== undefined && !isApart && !(entry && isPrimary(entry));
  return isComing && first?.servesAsPrimary !== true ? declared : (first?.hostname ?? null);
}

/** The project's domains, as a configuration has them. */
export const showDomainConfig = useCase<ProjectPath, DomainConfigView>('domains:read', (context, path) =>
  domainConfigView(context, projectOf(context, path)),
);

/** A complete configuration that replaces the current one. */
export interface NewDomainConfig {
  readonly primary: string | null;
  readonly redirects: readonly {
    readonly from: string;
    /** defaults to the primary */
    readonly to?: string | undefined;
    readonly status: RedirectView['status'];
  }[];
  /** as they were read: an entry among them stays */
  readonly others?: readonly string[] | undefined;
}

interface ReplaceDomainConfig extends ProjectPath {
  readonly config: NewDomainConfig;
}

/** The configuration after a change, with what became of domains that were added separately. */
export interface ReplacedDomainConfig extends DomainConfigView {
  /** those that it lists and that are entries of it from now on */
  readonly adopted: readonly string[];
  /** those that it does not list, some of them: they stay as they are */
  readonly kept: readonly string[];
}

/**
 * Replaces the project's domain configuration. The operator removes entries that are no longer in it, and makes those of the project's domains entries that were
 * added separately and are listed; others of these stay. What says what is so already changes nothing, and is not judged.
 */
export const replaceDomainConfig = useCase<ReplaceDomainConfig, ReplacedDomainConfig>(
  'domains:write',
  async (context, { config: asked, ...path }) => {
    const project = await checkVersion(context, ProjectKind, projectOf(context, path));
    const separate = separateOf(context, project);
    const config = leavingOthers(context, project, separate, asked);
    const listed = new Set([config.primary, ...config.redirects.map(({ from }) => from)]);
    const adopted = separate.map(({ spec }) => spec.hostname).filter((hostname) => listed.has(hostname));
    const kept = separate.filter(({ spec }) => !listed.has(spec.hostname)).map(({ spec }) => spec.hostname);
    const change = (before: Project): Project => ({
      ...before,
      spec: { ...before.spec, domains: { ...domainsOf(config), ...adopting(before, adopted.length > 0) } },
    });
    const changed = isSameConfig(project, change(project)) ? project : await write(context, project, change);
    return { ...domainConfigView(context, changed), adopted, kept: kept.slice(0, namedAtMost) };
  },
);

/**
 * The configuration to write: an entry for the primary that is told as one of the others, as another primary is served, stays, and that other one stays as it was
 * added.
 */
function leavingOthers(
  context: RequestContext,
  project: Project,
  separate: readonly DomainHead[],
  asked: NewDomainConfig,
): NewDomainConfig {
  const { primary: declared } = project.spec.domains ?? {};
  const isLeft = declared !== undefined && declared !== asked.primary && asked.others?.includes(declared) === true;
  const isServed = asked.primary === servedPrimary(context, project, separate);
  return isLeft && isServed ? { ...asked, primary: declared } : asked;
}

function write(context: RequestContext, project: Project, change: (before: Project) => Project): Promise<Project> {
  rejectInvalidConfig(context, change(project));
  return editProject(context, project, change);
}

/** Once it adopts it goes on: what becomes an entry may take the operator a moment. */
const adopting = ({ spec }: Project, isNeeded: boolean): { readonly adopt?: true } =>
  isNeeded || spec.domains?.adopt === true ? { adopt: true } : {};

/** In whatever order, with the destinations and statuses that are meant. */
function isSameConfig(one: Project, other: Project): boolean {
  const said = ({ spec: { domains = {} } }: Project) => {
    const { primary = null, redirects = [], adopt = false } = domains;
    const entries = redirects.map(({ from, to = primary, status = 301 }) => JSON.stringify([from, to, status]));
    return JSON.stringify([primary, adopt, entries.toSorted()]);
  };
  return said(one) === said(other);
}

const domainsOf = ({ primary, redirects }: NewDomainConfig) => ({
  ...(primary === null ? {} : { primary }),
  redirects: redirects.map(({ from, to, status }) => ({ from, status, ...(to === undefined ? {} : { to }) })),
});

/** Checks the resulting configuration against the acceptance rules before anything is written. */
function rejectInvalidConfig(context: RequestContext, project: Project): void {
  const { dependencies, caller } = context;
  const { caches, settings } = dependencies;
  const { namespace = '', name } = project.metadata;
  const rejection = domainConfigRejection({
    project,
    account: caller.account,
    limits: caller.limits,
    platformDomains: [settings.platformDomain, settings.cnameDomain],
    domains: caches.domains.byIndex('project', indexKey(namespace, name)),
    domainsWith: (hostname) => caches.domains.byIndex('place', indexKey(namespace, hostname)),
    claimOf: competitionOf(context).claimOf,
    count: caches.domains.countByIndex('namespace', namespace),
  });
  if (rejection) throw problemOfFinding(rejection);
}
