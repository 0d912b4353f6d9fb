import type { ProjectDomain } from '../generated/project-domain.ts';
import { objectKeyOf } from '../kubernetes/object-keys.ts';
import { ProjectDomainKind } from '../resources/kinds.ts';
import type { Rejection } from '../rules/acceptance.ts';
import { rejectionOf } from '../rules/acceptance.ts';
import { isLeaving } from '../rules/leaving.ts';
import { claimName } from '../rules/claim-name.ts';
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

interface AddDomain extends ProjectPath {
  readonly domain: NewDomain;
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
  const accepted = await whereDestinationIsSeen(context, input, () =>
    input.dryRun ? previewDomain(context, input) : acceptedDomain(context, input),
  );
  return accepted.kind === 'new' ? create(context, accepted.draft) : accepted;
});

/**
 * A destination that was added a moment ago, here or at another API server, may not be in the cache yet: before a redirect to it is refused, the
 * kube-apiserver is asked in the account's turn, and the cache is waited for.
 */
async function whereDestinationIsSeen<T>(
  context: RequestContext,
  { domain, ...path }: Omit<AddDomain, 'dryRun'>,
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
export function previewDomain(context: RequestContext, input: Omit<AddDomain, 'dryRun'>): AddDomainResult {
  const accepted = acceptedDomain(context, input);
  if (accepted.kind === 'existing') return accepted;
  const { draft } = accepted;
  mustHaveRoom(context, domainPlaces(context, draft));
  return { kind: 'preview', domain: domainView(context, draft) };
}

type Accepted =
  (AddDomainResult & { readonly kind: 'existing' }) | { readonly kind: 'new'; readonly draft: ProjectDomain };

function acceptedDomain(context: RequestContext, input: Omit<AddDomain, 'dryRun'>): Accepted {
  const project = projectOf(context, input);
  const spec = newSpec(projectToRedirect(context, project), input.domain);
  const existing = domainIn(context, project.metadata, spec.hostname);
  if (existing) return existingAs(context, existing, spec);
  const draft = draftDomain(project.metadata.namespace ?? '', spec);
  const rejection = rejectionOf(acceptanceCandidate(context, draft));
  if (rejection) throw problemOfFinding(rejection);
  const namesake = context.dependencies.caches.domains.get(objectKeyOf(draft));
  if (namesake && isLeaving(namesake)) throw beingRemoved(spec.hostname);
  if (namesake && namesake.spec.project !== spec.project) throw inAnotherProject(spec.hostname);
  return { kind: 'new', draft };
}

/** Concurrent identical requests share one write; only the first of them reports `added`. */
async function create(context: RequestContext, draft: ProjectDomain): Promise<AddDomainResult> {
  const { dependencies, caller, signal } = context;
  const key = objectKeyOf(draft);
  const cache = dependencies.caches.domains;
  const same = JSON.stringify([key.namespace, draft.spec]);
  const { first, result } = dependencies.writes.shared.join(same, signal, (waits) => {
    const places = domainPlaces(context, draft);
    const make = () => createInTurn({ dependencies, caller, signal: waits }, ProjectDomainKind, { ...draft });
    return makeWithin(context, { places, cache, key }, make);
  });
  try {
    const created = await result;
    await settled(cache, created, signal);
    if (!first) return existingAs(context, created, draft.spec);
    return { kind: 'added', domain: domainView(context, created) };
  } catch (error) {
    if (statusOf(error) !== 409) throw error;
    const winner = await dependencies.cluster.get(ProjectDomainKind, key);
    if (!winner) throw error;
    if (isLeaving(winner)) throw beingRemoved(winner.spec.hostname);
    if (winner.spec.project === draft.spec.project) return existingAs(context, winner, draft.spec);
    throw inAnotherProject(draft.spec.hostname);
  }
}

const beingRemoved = (hostname: string): Problem =>
  new Problem(
    'conflict',
    `${hostname} is still being removed; add it again in a few seconds, and ask the platform where that does not help: something may keep the former one`,
  );

const inAnotherProject = (hostname: string): Problem =>
  new Problem('hostname-in-use', `another project of the account has ${hostname}; remove it there first`);

/** Adding an identical domain again is not an error; adding it with another role or destination, or with other labels, is. */
function existingAs(
  context: RequestContext,
  existing: ProjectDomain,
  spec: ProjectDomain['spec'],
): AddDomainResult & { readonly kind: 'existing' } {
  if (isAsWished(existing.spec, spec)) return { kind: 'existing', domain: domainView(context, existing) };
  throw new Problem(
    'hostname-in-use',
    `the project has ${spec.hostname} with another role, destination or preparation, or with other labels; remove it first, or change it with PATCH`,
  );
}
