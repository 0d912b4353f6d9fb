import type { ProjectDomain } from '../generated/project-domain.ts';
import { acceptanceFinding } from '../rules/acceptance.ts';
import { verifiedReasons } from '../rules/codes/verified-reasons.ts';
import { findCondition, isTrue } from '../rules/conditions.ts';
import { earlierFinding } from '../rules/desired-records.ts';
import type { ClaimRelation } from '../rules/hostname-claims.ts';
import { customerStatusOf } from '../rules/next-step.ts';
import type { Competitor } from '../rules/precedence.ts';
import { dnsHostView } from '../rules/dns-hosts/dns-hosts.ts';
import { automaticChecks, checkPlanOf } from './automatic-checks.ts';
import { acceptanceCandidate, claimRelationIn, recordsOf } from './acceptance-candidate.ts';
import { domainFields, lingersUntil } from './domain-view.ts';
import type { DescribedDomain, DomainView, RecordView } from './domain-view.ts';
import type { CallerContext } from './api-dependencies.ts';

/** `siblings`: the domains of the project, if the caller already has them. */
export function describeDomain(
  context: CallerContext,
  domain: ProjectDomain,
  siblings?: readonly Competitor[],
): DescribedDomain {
  const { dependencies } = context;
  const relation = claimRelationIn(context, domain);
  const { issues, certificate, ...declared } = domainFields(domain);
  const plan = checkPlanOf(domain, relation);
  const now = dependencies.now();
  const view = {
    ...declared,
    ...(reportedSummary(domain) ?? predictedSummary(context, domain, relation, siblings)),
    records: recordViews(context, domain, relation),
    issues,
    dnsHost: dnsHostView(domain.status?.check?.nameServers ?? []),
    lingersUntil: lingersUntil(domain, now),
    ...automaticChecks(plan, { now, driftInterval: dependencies.driftInterval() }),
    certificate,
    waits: waitsOf(domain),
    createdAt: domain.metadata.creationTimestamp ?? null,
  };
  return { view, refusal: refusalOf(domain), plan };
}

/** A domain as REST and the dashboard show it. */
export const domainView = (context: CallerContext, domain: ProjectDomain): DomainView =>
  describeDomain(context, domain).view;

function refusalOf({ status }: ProjectDomain): string | null {
  const accepted = findCondition(status?.conditions, 'Accepted');
  return accepted && !isTrue(accepted) ? accepted.reason : null;
}

function recordViews(context: CallerContext, domain: ProjectDomain, relation: ClaimRelation): readonly RecordView[] {
  const known = domain.status?.records ?? [];
  return recordsOf(context, domain, relation).map((record) => ({ ...record, ...earlierFinding(record, known) }));
}

/** What the next certificate waits for. */
function waitsOf({ status }: ProjectDomain): DomainView['waits'] {
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

type Summary = Pick<DomainView, 'state' | 'reason' | 'message'>;

/** The operator's summary; null before the first reconcile. */
function reportedSummary({ status }: ProjectDomain): Summary | null {
  const ready = findCondition(status?.conditions, 'Ready');
  return status?.state && ready ? { state: status.state, reason: ready.reason, message: ready.message } : null;
}

/** The operator has said something about it: until then its view is a prediction, which depends on all domains of its project. */
export const isReconciled = (domain: ProjectDomain): boolean => reportedSummary(domain) !== null;

/** The summary the operator will report, predicted by the same rules. */
function predictedSummary(
  context: CallerContext,
  domain: ProjectDomain,
  relation: ClaimRelation,
  siblings?: readonly Competitor[],
): Summary {
  const accepted = acceptanceFinding(acceptanceCandidate(context, domain, siblings));
  if (!isTrue(accepted)) return { state: 'Pending', reason: accepted.reason, message: accepted.message };
  return relation.kind === 'Foreign'
    ? { state: 'Unverified', reason: 'HeldElsewhere', message: verifiedReasons.HeldElsewhere.sentence() }
    : { state: 'Unverified', reason: 'Waiting', message: 'create the records shown; we check DNS automatically' };
}
