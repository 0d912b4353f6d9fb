import type { ProjectDomain } from '../generated/project-domain.ts';
import { findCondition, isTrue } from '../rules/conditions.ts';
import { customerStatusOf } from '../rules/next-step.ts';
import type { DomainView } from './domain-view.ts';
import { domainFields } from './domain-view.ts';

/** What the object of a domain says of it, without anything else. */

export type Summary = Pick<DomainView, 'state' | 'reason' | 'message'>;

/** The operator's summary; null before the first reconcile. */
export function reportedSummary({ status }: ProjectDomain): Summary | null {
  const ready = findCondition(status?.conditions, 'Ready');
  return status?.state && ready ? { state: status.state, reason: ready.reason, message: ready.message } : null;
}

/** Why it is not accepted; null if it is, or if that is not decided yet. */
export function refusalOf({ status }: ProjectDomain): string | null {
  const accepted = findCondition(status?.conditions, 'Accepted');
  return accepted && !isTrue(accepted) ? accepted.reason : null;
}

/** What the next certificate waits for. */
export function waitsOf({ status }: ProjectDomain): DomainView['waits'] {
  const { waitsFor, waitsUntil = null } = status?.certificate ?? {};
  return waitsFor ? { reason: waitsFor, until: waitsUntil } : null;
}

/** What a domain's customer has to do, as far as the operator has said it and nothing but the domain's own object tells. */
export interface ReportedNeed {
  readonly reason: string;
  /** whether it needs action; absent where that depends on whether its checks have ended */
  readonly needsAction?: boolean;
}

/** Null before the first reconcile. */
export function reportedNeed(domain: ProjectDomain): ReportedNeed | null {
  const summary = reportedSummary(domain);
  if (summary === null) return null;
  const subject = { ...summary, issues: domainFields(domain).issues, waits: waitsOf(domain) };
  const context = { nextCheckAt: null, refusal: refusalOf(domain) };
  const [before, after] = [false, true].map(
    (checksEnded) => customerStatusOf(subject, { ...context, checksEnded }) === 'NeedsAction',
  );
  const { reason } = summary;
  return before === after ? { reason, needsAction: before === true } : { reason };
}
