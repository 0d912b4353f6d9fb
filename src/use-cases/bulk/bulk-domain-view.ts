import type { ProjectDomain } from '../../generated/project-domain.ts';
import type { DesiredRecord } from '../../rules/desired-records.ts';
import type { Competitor } from '../../rules/precedence.ts';
import type { RequestContext } from '../api-dependencies.ts';
import { describeDomain, isReconciled } from '../describe-domain.ts';
import type { DomainView } from '../domain-view.ts';
import { isPastPending } from '../domain-view.ts';
import type { ProjectRosters } from './project-rosters.ts';

/** Of one domain among many what its client cannot know: a whole view may have ten kilobytes. */
export interface BulkDomainView extends Pick<DomainView, 'state' | 'reason'> {
  /** to be created, without what was found of them */
  readonly records: readonly DesiredRecord[];
}

/** What became of a domain that one item of many names. */
export interface BulkDone {
  /** added: made, or to be made; existing: it was there, as it was sent; asked: for a check; removing: its route goes */
  readonly kind: 'added' | 'existing' | 'asked' | 'removing';
  readonly domain: BulkDomainView;
}

type Rosters = Pick<ProjectRosters, 'siblingsOf'>;

export function bulkDomainView(context: RequestContext, domain: ProjectDomain, rosters: Rosters): BulkDomainView {
  const { state, reason, records } = describeDomain(context, domain, siblingsIfAsked(domain, rosters)).view;
  return { state, reason, records: records.map(({ status: _, found: __, ...record }) => record) };
}

/** None for a domain about which the operator has said all that they decide. */
export const siblingsIfAsked = (domain: ProjectDomain, rosters: Rosters): readonly Competitor[] =>
  isReconciled(domain) && isPastPending(domain) ? [] : rosters.siblingsOf(domain);
