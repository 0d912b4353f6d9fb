import type { ProjectDomain } from '../generated/project-domain.ts';
import { acceptanceFinding } from '../rules/acceptance.ts';
import type { Finding } from '../rules/conditions.ts';
import { isTrue } from '../rules/conditions.ts';
import { decidingSiblings } from '../rules/precedence.ts';
import { isDeclaredBy } from '../rules/declared-domains.ts';
import type { DomainHead } from '../rules/domain-head.ts';
import type { DomainState } from '../rules/domain-state.ts';
import type { AcceptedReason } from '../rules/reasons.ts';
import { acceptanceCandidate, competitorsIn } from './acceptance-candidate.ts';
import { keyOf } from '../kubernetes/object-keys.ts';
import type { RequestContext } from './api-dependencies.ts';
import { isPastPending } from './domain-view.ts';
import { problemOfError } from './error-to-problem.ts';
import type { ProjectPath } from './find-in-account.ts';
import { domainIn, domainsIn, projectOf } from './find-in-account.ts';
import type { Problem } from './problem.ts';
import { removeDomain, strandedBy } from './remove-domain.ts';
import type { Stranded } from './remove-domain.ts';
import { useCase } from './use-case.ts';
import { verifyDomain } from './verify-domain.ts';

export type BulkAct = 'verify' | 'remove';

/** The most domains of one form: a page of the list. */
export const bulkMaximum = 50;

interface Bulk extends ProjectPath {
  readonly act: BulkAct;
  readonly hostnames: readonly string[];
}

/** What would happen to one of several domains, and why it would not. */
export type BulkPlanned = { readonly hostname: string } & (
  | {
      readonly kind: 'will';
      /** tells whether visitors have it now */
      readonly state: DomainState;
      /** where it redirects; null for a primary */
      readonly to: string | null;
      /** redirects that lead to it and are not removed with it */
      readonly stranded: Stranded;
    }
  /** the project has no such domain, or no longer */
  | { readonly kind: 'gone' }
  /** the project's own configuration names it, and would bring it back the next time that it is applied */
  | { readonly kind: 'declared' }
  /** it waits for something other than DNS, by the reason of the acceptance rules */
  | { readonly kind: 'pending'; readonly reason: string }
);

/** What happened to one of several domains. */
export interface BulkResult {
  readonly hostname: string;
  readonly planned: BulkPlanned;
  /** null where nothing went wrong */
  readonly problem: Problem | null;
}

/** What an act would do with each of several domains; changes nothing. */
export const planBulk = useCase<Bulk, readonly BulkPlanned[]>('domains:write', plannedOf);

function plannedOf(context: RequestContext, { act, hostnames, ...path }: Bulk): readonly BulkPlanned[] {
  const project = projectOf(context, path);
  const distinct = [...new Set(hostnames)].slice(0, bulkMaximum);
  const all = domainsIn(context, path);
  const findingOf = act === 'verify' ? findingsOf(context, all[0]) : null;
  const stranded = act === 'remove' ? strandedBy(all, distinct) : noneStranded;
  return distinct.map((hostname): BulkPlanned => {
    const domain = domainIn(context, project.metadata, hostname);
    if (!domain) return { hostname, kind: 'gone' };
    const { state = 'Pending' } = domain.status ?? {};
    const to = domain.spec.redirect?.to ?? null;
    const will = { hostname, kind: 'will', state, to, stranded: stranded(hostname) } as const;
    if (findingOf !== null) return waitsFor(domain, findingOf(domain)) ?? will;
    return isDeclaredBy(domain, project) ? { hostname, kind: 'declared' } : will;
  });
}

/** Whether each domain of a project is accepted. What all of them are judged by, which is costly in a large project, is read once; `any` is one of them. */
function findingsOf(context: RequestContext, any: DomainHead | undefined) {
  const competitors = any ? competitorsIn(context, any) : [];
  const byKey = new Map(competitors.map((competitor) => [competitor.precedence.key, competitor]));
  const siblingsOf = decidingSiblings(competitors, context.caller.limits.customDomains.maxPerProject);
  return (domain: ProjectDomain) => {
    const self = byKey.get(keyOf(domain));
    return acceptanceFinding(acceptanceCandidate(context, domain, self && siblingsOf(domain.spec, self)));
  };
}

const noneStranded = strandedBy([], []);

/** A domain that waits for something other than DNS; null for any other. */
function waitsFor(domain: ProjectDomain, finding: Finding<AcceptedReason>): BulkPlanned | null {
  if (isTrue(finding) || isPastPending(domain)) return null;
  return { hostname: domain.spec.hostname, kind: 'pending', reason: finding.reason };
}

/** How many are worked on at a time: an account's other requests keep their turns. */
const atATime = 4;

/** Does the act with each of several domains. A problem with one of them stops no other; the results say which. */
export const runBulk = useCase<Bulk, readonly BulkResult[]>('domains:write', async (context, input) => {
  const planned = plannedOf(context, input);
  const results: BulkResult[] = [];
  const rest = planned.entries();
  const work = async () => {
    for (const [index, one] of rest) {
      results[index] = { hostname: one.hostname, planned: one, problem: await outcomeOf(context, input, one) };
    }
  };
  await Promise.all(Array.from({ length: atATime }, work));
  return results;
});

async function outcomeOf(
  context: RequestContext,
  { act, project }: Bulk,
  planned: BulkPlanned,
): Promise<Problem | null> {
  if (planned.kind !== 'will') return null;
  const path = { project, hostname: planned.hostname };
  try {
    // The route of a removed domain is gone within seconds; nobody waits for fifty of them in turn.
    await (act === 'remove'
      ? removeDomain(context, { ...path, waitMs: 0 })
      : verifyDomain(context, { ...path, waitMs: 0 }));
    return null;
  } catch (error) {
    const problem = problemOfError(error);
    if (problem) return problem;
    throw error;
  }
}
