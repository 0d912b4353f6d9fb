import type { ProjectDomain } from '../generated/project-domain.ts';
import { acceptanceFinding } from '../rules/acceptance.ts';
import { verifiedReasons } from '../rules/codes/verified-reasons.ts';
import { isTrue } from '../rules/conditions.ts';
import { earlierFinding } from '../rules/desired-records.ts';
import type { ClaimRelation } from '../rules/hostname-claims.ts';
import type { Competitor } from '../rules/precedence.ts';
import { dnsHostView } from '../rules/dns-hosts/dns-hosts.ts';
import { automaticChecks, checkPlanOf } from './automatic-checks.ts';
import { acceptanceCandidate, claimRelationIn, recordsOf } from './acceptance-candidate.ts';
import { domainFields, lingersUntil } from './domain-view.ts';
import type { Summary } from './reported-domain.ts';
import { refusalOf, reportedSummary, waitsOf } from './reported-domain.ts';
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

function recordViews(context: CallerContext, domain: ProjectDomain, relation: ClaimRelation): readonly RecordView[] {
  const known = domain.status?.records ?? [];
  return recordsOf(context, domain, relation).map((record) => ({ ...record, ...earlierFinding(record, known) }));
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
