import type { ProjectDomain } from '../generated/project-domain.ts';
import { keyOf, objectKeyOf } from '../kubernetes/object-keys.ts';
import { claimKey } from '../rules/claim-name.ts';
import type { DomainHead } from '../rules/domain-head.ts';
import type { Competitor } from '../rules/precedence.ts';
import { competitorsIn } from './acceptance-candidate.ts';
import type { CallerContext } from './api-dependencies.ts';
import { describeDomain, isReconciled } from './describe-domain.ts';
import type { DescribedDomain, ViewedDomain } from './domain-view.ts';
import { createSlices } from './event-loop-slices.ts';
import type { ViewSources } from './remembered-views.ts';

/** One of many domains of a project. */
interface ListedDomain {
  readonly head: DomainHead;
  readonly viewed: ViewedDomain;
}

/**
 * Many domains of one project, one after the other; yields to the event loop between slices. Those that were shown before are not made
 * again unless something that they depend on has changed.
 */
export async function* domainViews(context: CallerContext, heads: readonly DomainHead[]): AsyncGenerator<ListedDomain> {
  const viewOf = viewsFor(context, heads.length <= rememberedAtOnce);
  const slice = createSlices();
  for (const head of heads) {
    const viewed = viewOf(head);
    if (viewed) yield { head, viewed };
    await slice();
  }
}

/** A longer list is remembered by nobody: of the few views that are, it would leave none of other accounts'. */
export const rememberedAtOnce = 200;

function viewsFor(context: CallerContext, areRemembered: boolean) {
  const { dependencies, caller } = context;
  const { caches, views, now } = dependencies;
  const accountId = caller.account.spec.id;
  const driftInterval = dependencies.driftInterval();
  let siblings: readonly Competitor[] | undefined;

  const sourcesOf = (head: DomainHead): ViewSources => ({
    // A domain that changes has another head.
    domain: head,
    claim: caches.claims.stampOf(claimKey(head.spec.hostname)),
    accountId,
    driftInterval,
  });
  const describe = (head: DomainHead, sources: ViewSources): DescribedDomain | undefined => {
    const domain = caches.domains.get(objectKeyOf(head));
    if (!domain) return undefined;
    if (!isReconciled(domain)) siblings ??= competitorsIn(context, domain);
    const described = describeDomain(context, domain, siblings);
    if (areRemembered && !dependsOnOthers(domain)) views.remember(keyOf(head), sources, described, now());
    return described;
  };
  return (head: DomainHead): ViewedDomain | undefined => {
    const sources = sourcesOf(head);
    return views.recall(keyOf(head), sources, now()) ?? describe(head, sources);
  };
}

/** Before its first reconcile it depends on its siblings, and a prepared base has the delegation of its wildcard. */
const dependsOnOthers = (domain: ProjectDomain): boolean => !isReconciled(domain) || domain.spec.prepare === true;
