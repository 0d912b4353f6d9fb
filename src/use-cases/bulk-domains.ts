import type { ProjectDomain } from '../generated/project-domain.ts';
import { acceptanceFinding } from '../rules/acceptance.ts';
import { isTrue } from '../rules/conditions.ts';
import { isDeclaredBy } from '../rules/declared-domains.ts';
import type { DomainState } from '../rules/domain-state.ts';
import { acceptanceCandidate } from './acceptance-candidate.ts';
import type { RequestContext } from './api-dependencies.ts';
import type { ProjectRosters } from './bulk/project-rosters.ts';
import { createProjectRosters } from './bulk/project-rosters.ts';
import type { ItemOutcome } from './bulk/run-items.ts';
import { runItems } from './bulk/run-items.ts';
import { isPastPending } from './domain-view.ts';
import { problemOfError } from './error-to-problem.ts';
import type { ProjectPath } from './find-in-account.ts';
import { domainIn, domainOf, domainsIn, projectOf } from './find-in-account.ts';
import type { Problem } from './problem.ts';
import { beginRemoval, strandedBy } from './remove-domain.ts';
import type { Stranded } from './remove-domain.ts';
import { useCase } from './use-case.ts';
import { askForCheck } from './verify-domain.ts';

export type BulkAct = 'verify' | 'remove';

/** The most domains of one form: a page of the list. */
export const chosenMaximum = 50;

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
  const distinct = [...new Set(hostnames)].slice(0, chosenMaximum);
  const rosters = act === 'verify' ? createProjectRosters(context) : null;
  const stranded = act === 'remove' ? strandedBy(domainsIn(context, path), distinct) : noneStranded;
  return distinct.map((hostname): BulkPlanned => {
    const domain = domainIn(context, project.metadata, hostname);
    if (!domain) return { hostname, kind: 'gone' };
    const { state = 'Pending' } = domain.status ?? {};
    const to = domain.spec.redirect?.to ?? null;
    const will = { hostname, kind: 'will', state, to, stranded: stranded(hostname) } as const;
    if (rosters) return waitsFor(context, domain, rosters) ?? will;
    return isDeclaredBy(domain, project) ? { hostname, kind: 'declared' } : will;
  });
}

const noneStranded = strandedBy([], []);

/** A domain that waits for something other than DNS; null for any other. */
function waitsFor(context: RequestContext, domain: ProjectDomain, rosters: ProjectRosters): BulkPlanned | null {
  if (isPastPending(domain)) return null;
  const finding = acceptanceFinding(acceptanceCandidate(context, domain, rosters.siblingsOf(domain)));
  return isTrue(finding) ? null : { hostname: domain.spec.hostname, kind: 'pending', reason: finding.reason };
}

/** Does the act with each of several domains. A problem with one of them stops no other; the results say which. */
export const runBulk = useCase<Bulk, readonly BulkResult[]>('domains:write', async (context, input) => {
  const planned = plannedOf(context, input);
  const items = { sent: planned, read: (sent: unknown) => sent as BulkPlanned, dryRun: false };
  const outcomes = await runItems(context, items, (one) =>
    one.kind === 'will' ? { outcome: null, write: () => actOn(context, input, one.hostname) } : { outcome: null },
  );
  return planned.map((one, index) => ({ hostname: one.hostname, planned: one, problem: problemOf(outcomes[index]) }));
});

/** The route of a removed domain is gone within seconds; nobody waits for fifty of them in turn. */
async function actOn(context: RequestContext, { act, project }: Bulk, hostname: string): Promise<null> {
  const domain = domainOf(context, { project, hostname });
  if (act === 'remove') await beginRemoval(context, { project: projectOf(context, domain.spec), domain });
  else await askForCheck(context, domain);
  return null;
}

function problemOf(outcome: ItemOutcome<BulkPlanned, null> | undefined): Problem | null {
  if (outcome?.kind !== 'failed') return null;
  const problem = problemOfError(outcome.error);
  if (problem) return problem;
  throw outcome.error;
}
