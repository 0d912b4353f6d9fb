import type { ProjectDomain } from '../generated/project-domain.ts';
import { createTimeSlices } from '../lib/time-slices.ts';
import { keyOf, objectKeyOf } from '../kubernetes/object-keys.ts';
import { claimKey } from '../rules/claim-name.ts';
import type { DomainHead } from '../rules/domain-head.ts';
import type { Competitor } from '../rules/precedence.ts';
import { competitorsIn } from './acceptance-candidate.ts';
import type { CallerContext } from './api-dependencies.ts';
import { describeDomain, isReconciled } from './describe-domain.ts';
import type { DescribedDomain, ViewedDomain } from './domain-view.ts';
import type { ViewSources } from './remembered-views.ts';

/** One of many domains. */
interface ListedDomain {
  readonly head: DomainHead;
  readonly viewed: ViewedDomain;
}

/**
 * Many domains, one after the other; yields to the event loop between slices. Those that were shown before are not made
 * again unless something that they depend on has changed.
 */
export async function* domainViews(context: CallerContext, heads: readonly DomainHead[]): AsyncGenerator<ListedDomain> {
  const viewOf = viewerFor(context, heads.length <= rememberedAtOnce);
  const slices = createTimeSlices(() => performance.now());
  for (const head of heads) {
    const viewed = viewOf(head);
    if (viewed) yield { head, viewed };
    await slices.next();
  }
}

/** A longer list is remembered by nobody: of the few views that are, it would leave none of other accounts'. */
export const rememberedAtOnce = 200;

/** The view of each domain that it is asked for; undefined for one that is gone. What all domains of a project depend on is read once. */
export function viewerFor(
  context: CallerContext,
  areRemembered: boolean,
): (head: DomainHead) => ViewedDomain | undefined {
  const { dependencies, caller } = context;
  const { caches, views, now } = dependencies;
  const accountId = caller.account.spec.id;
  const driftInterval = dependencies.driftInterval();
  const siblings = new Map<string, readonly Competitor[]>();

  const sourcesOf = (head: DomainHead): ViewSources => ({
    // A domain that changes has another head.
    domain: head,
    claim: caches.claims.stampOf(claimKey(head.spec.hostname)),
    accountId,
    driftInterval,
  });
  const siblingsOf = (domain: ProjectDomain) => {
    const { project } = domain.spec;
    const known = siblings.get(project) ?? competitorsIn(context, domain);
    siblings.set(project, known);
    return known;
  };
  const describe = (head: DomainHead, sources: ViewSources): DescribedDomain | undefined => {
    const domain = caches.domains.get(objectKeyOf(head));
    if (!domain) return undefined;
    const described = describeDomain(context, domain, isReconciled(domain) ? undefined : siblingsOf(domain));
    if (areRemembered && !dependsOnOthers(domain)) views.remember(keyOf(head), sources, described, now());
    return described;
  };
  return (head) => {
    const sources = sourcesOf(head);
    return views.recall(keyOf(head), sources, now()) ?? describe(head, sources);
  };
}

/** Before its first reconcile it depends on its siblings, and a prepared base has the delegation of its wildcard. */
const dependsOnOthers = (domain: ProjectDomain): boolean => !isReconciled(domain) || domain.spec.prepare === true;
