import type { RecentChecks } from '../project-domain/recent-checks.ts';
import type { RedirectorRollout } from './redirector-rollout.ts';
import type { CommonNeeds } from '../needs.ts';

/** What reconciles of this kind need of the outside. */
export interface RedirectorEndpointsNeeds extends CommonNeeds {
  /** where the redirector's addresses have got to */
  readonly rollout: RedirectorRollout;
  readonly recentChecks: RecentChecks;
}
