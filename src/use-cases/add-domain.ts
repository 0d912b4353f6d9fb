import type { ProjectDomain } from '../generated/project-domain.ts';
import { objectKeyOf } from '../kubernetes/object-keys.ts';
import { ProjectDomainKind } from '../resources/kinds.ts';
import type { Rejection } from '../rules/acceptance.ts';
import { rejectionOf } from '../rules/acceptance.ts';
import { isLeaving } from '../rules/leaving.ts';
import { claimName } from '../rules/claim-name.ts';
import type { Competitor } from '../rules/precedence.ts';
import { acceptanceCandidate, draftDomain } from './acceptance-candidate.ts';
import { settled } from './cache-wait.ts';
import { domainPlaces, makeWithin, mustHaveRoom } from './caps.ts';
import type { DomainView } from './domain-view.ts';
import { domainView } from './describe-domain.ts';
import type { NewDomain } from './domain-spec.ts';
import { projectToRedirect } from './domain-config.ts';
import { isAsWished, newSpec } from './domain-spec.ts';
import { statusOf, createInTurn, inTurn } from './writes/write-turn.ts';
import type { ProjectPath } from './find-in-account.ts';
import { domainIn, projectOf } from './find-in-account.ts';
import { problemOfFinding } from './error-to-problem.ts';
import { Problem } from './problem.ts';
import type { RequestContext } from './api-dependencies.ts';
import { useCase } from './use-case.ts';

export interface DomainToAdd extends ProjectPath {
  readonly domain: NewDomain;
}

interface AddDomain extends DomainToAdd {
  /** previews the domain and its records without creating anything */
  readonly dryRun: boolean;
}

export interface AddDomainResult {
  /** `existing`: an identical domain already existed, which is not an error; `preview`: result of a dry run */
  readonly kind: 'added' | 'existing' | 'preview';
  readonly domain: DomainView;
}

/**
 * Adds a hostname to a project. Rejects with the problem that the acceptance rules, the caps or another holder of the
 * hostname raise.
 */
export const addDomain = useCase<AddDomain, AddDomainResult>('domains:write', async (context, input) => {
  if (input.dryRun) return whereDestinationIsSeen(context, input, () => previewDomain(context, input));
  const { kind, domain } = await whereDestinationIsSeen(context, input, () => acceptedDomain(context, input));
  return kind === 'new' ? create(context, domain) : { kind, domain: domainView(context, domain) };
});

/**
 * A destination that was added a moment ago, here or at another API server, may not be in the cache yet: before a redirect to it is refused, the
 * kube-apiserver is asked in the account's turn, and the cache is waited for.
 */
export async function whereDestinationIsSeen<T>(
  context: RequestContext,
  { domain, ...path }: DomainToAdd,
  accept: () => T,
): Promise<T> {
  try {
    return accept();
  } catch (error) {
    const to = domain.redirect?.to;
    if (to === undefined || !isForeign(error)) throw error;
    const { cluster, caches } = context.dependencies;
    const { namespace = '', name: project } = projectOf(context, path).metadata;
    const key = { namespace, name: claimName(to) };
    const destination = await inTurn(context, null, () => cluster.get(ProjectDomainKind, key));
    if (destination?.spec.project !== project) throw error;
    await settled(caches.domains, destination, context.signal);
    return accept();
  }
}

const isForeign = (error: unknown): boolean =>
  error instanceof Problem && error.members['reason'] === ('RedirectToForeign' satisfies Rejection['reason']);

/** What adding the domain would answer; throws as Add rejects. */
export function previewDomain(context: RequestContext, input: DomainToAdd): AddDomainResult {
  const { kind, domain } = acceptedDomain(context, input);
  if (kind === 'new') mustHaveRoom(context, domainPlaces(context, domain));
  return { kind: kind === 'new' ? 'preview' : kind, domain: domainView(context, domain) };
}

export interface AcceptedDomain {
  /** `new`: it may be made of the draft */
  readonly kind: 'new' | 'existing';
  readonly domain: ProjectDomain;
}

/** What is known beside the cache where several domains are added together. */
export interface AddedTogether {
  /** the domains that a draft is judged by, read before */
  siblingsOf(draft: ProjectDomain): readonly Competitor[];
  /** the primary among those that are being added to a project; null without one */
  primaryOf(project: string): string | null;
}

/** What adding a domain comes to before it is made. Throws as Add rejects. */
export function acceptedDomain(context: RequestContext, input: DomainToAdd, together?: AddedTogether): AcceptedDomain {
  const project = projectOf(context, input);
  const spec = newSpec(
    projectToRedirect(context, project, together && (() => together.primaryOf(input.project))),
    input.domain,
  );
  const existing = domainIn(context, project.metadata, spec.hostname);
  if (existing) return existingAs(existing, spec);
  const draft = draftDomain(project.metadata.namespace ?? '', spec);
  const rejection = rejectionOf(acceptanceCandidate(context, draft, together?.siblingsOf(draft)));
  if (rejection) throw problemOfFinding(rejection);
  const namesake = context.dependencies.caches.domains.get(objectKeyOf(draft));
  if (namesake && isLeaving(namesake)) throw beingRemoved(spec.hostname);
  if (namesake && namesake.spec.project !== spec.project) throw inAnotherProject(spec.hostname);
  return { kind: 'new', domain: draft };
}

/** Concurrent identical requests share one write; only the first of them reports `added`. */
async function create(context: RequestContext, draft: ProjectDomain): Promise<AddDomainResult> {
  const { dependencies, signal } = context;
  const same = JSON.stringify([draft.metadata.namespace, draft.spec]);
  const { first, result } = dependencies.writes.shared.join(same, signal, (waits) =>
    makeDomain({ ...context, signal: waits }, draft),
  );
  const { kind, domain } = await result;
  await settled(dependencies.caches.domains, domain, signal);
  return { kind: first ? kind : 'existing', domain: domainView(context, domain) };
}

export interface MadeDomain {
  readonly kind: 'added' | 'existing';
  readonly domain: ProjectDomain;
}

/** Makes a domain of an accepted draft, within the caps and in the account's turn. Rejects as Add does; the cache may not show it yet. */
export async function makeDomain(context: RequestContext, draft: ProjectDomain): Promise<MadeDomain> {
  const { cluster, caches } = context.dependencies;
  const key = objectKeyOf(draft);
  const making = { places: domainPlaces(context, draft), cache: caches.domains, key };
  try {
    const make = () => createInTurn(context, ProjectDomainKind, { ...draft });
    return { kind: 'added', domain: await makeWithin(context, making, make) };
  } catch (error) {
    if (statusOf(error) !== 409) throw error;
    const winner = await cluster.get(ProjectDomainKind, key);
    if (!winner) throw error;
    if (isLeaving(winner)) throw beingRemoved(winner.spec.hostname);
    if (winner.spec.project === draft.spec.project) return existingAs(winner, draft.spec);
    throw inAnotherProject(draft.spec.hostname);
  }
}

const beingRemoved = (hostname: string): Problem =>
  new Problem(
    'conflict',
    `${hostname} is still being removed; add it again in a few seconds, and ask the platform where that does not help: something may keep the former one`,
  );

export const inAnotherProject = (hostname: string): Problem =>
  new Problem('hostname-in-use', `another project of the account has ${hostname}; remove it there first`);

/** Adding an identical domain again is not an error; adding it with another role or destination, or with other labels, is. */
export function existingAs(
  existing: ProjectDomain,
  spec: ProjectDomain['spec'],
): { readonly kind: 'existing'; readonly domain: ProjectDomain } {
  if (isAsWished(existing.spec, spec)) return { kind: 'existing', domain: existing };
  throw new Problem(
    'hostname-in-use',
    `the project has ${spec.hostname} with another role, destination or preparation, or with other labels; remove it first, or change it with PATCH`,
  );
}
