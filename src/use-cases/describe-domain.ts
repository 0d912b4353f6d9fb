import type { ProjectDomain } from '../generated/project-domain.ts';
import { acceptanceFinding } from '../rules/acceptance.ts';
import { findCondition, isTrue } from '../rules/conditions.ts';
import { earlierFinding } from '../rules/desired-records.ts';
import type { Competitor } from '../rules/precedence.ts';
import { dnsHostView } from '../rules/dns-hosts/dns-hosts.ts';
import { automaticChecks, checkPlanOf } from './automatic-checks.ts';
import type { RecordContext } from './acceptance-candidate.ts';
import { acceptanceCandidate, recordContextOf, recordsOf } from './acceptance-candidate.ts';
import { domainFields, lingersUntil } from './domain-view.ts';
import type { DescribedDomain, DomainView, RecordView } from './domain-view.ts';
import type { RequestContext } from './api-dependencies.ts';

type CallerContext = Pick<RequestContext, 'dependencies' | 'caller'>;

/** `siblings`: the domains of the project, if the caller already has them. */
export function describeDomain(
  context: CallerContext,
  domain: ProjectDomain,
  siblings?: readonly Competitor[],
): DescribedDomain {
  const { dependencies, caller } = context;
  const recordContext = recordContextOf(dependencies, caller, domain);
  const { issues, certificate, ...declared } = domainFields(domain);
  const plan = checkPlanOf(domain, recordContext.claimRelation);
  const now = dependencies.now();
  const view = {
    ...declared,
    ...(reportedSummary(domain) ?? predictedSummary(context, recordContext, siblings)),
    records: recordViews(dependencies, recordContext),
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

function recordViews(dependencies: CallerContext['dependencies'], context: RecordContext): readonly RecordView[] {
  const known = context.domain.status?.records ?? [];
  return recordsOf(dependencies, context).map((record) => ({ ...record, ...earlierFinding(record, known) }));
}

/** What the next certificate waits for. */
function waitsOf({ status }: ProjectDomain): DomainView['waits'] {
  const { waitsFor, waitsUntil = null } = status?.certificate ?? {};
  return waitsFor ? { reason: waitsFor, until: waitsUntil } : null;
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
  { dependencies, caller }: CallerContext,
  { domain, claimRelation }: RecordContext,
  siblings?: readonly Competitor[],
): Summary {
  const accepted = acceptanceFinding(acceptanceCandidate(dependencies, caller, domain, siblings));
  if (!isTrue(accepted)) return { state: 'Pending', reason: accepted.reason, message: accepted.message };
  const contested = claimRelation.kind === 'Foreign';
  return {
    state: 'Unverified',
    reason: contested ? 'HeldElsewhere' : 'Waiting',
    message: contested
      ? 'another account proved this hostname; create the TXT record shown to claim it'
      : 'create the records shown; we check DNS automatically',
  };
}
