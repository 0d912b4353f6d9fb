import type { Account } from '../generated/account.ts';
import type { ApiKey } from '../generated/api-key.ts';
import type { Project } from '../generated/project.ts';
import type { ProjectDomain } from '../generated/project-domain.ts';
import { acceptanceFinding } from '../rules/acceptance.ts';
import { findCondition, isTrue } from '../rules/conditions.ts';
import type { Limits } from '../rules/plan-limits.ts';
import { fixedMaximum } from '../rules/plan-limits.ts';
import type { Competitor } from '../rules/precedence.ts';
import { projectTarget } from '../rules/dns-target.ts';
import type { RecordContext } from './acceptance-candidate.ts';
import { acceptanceCandidate, recordContextOf, recordsOf, competitorsIn } from './acceptance-candidate.ts';
import { createRequestSlices } from './request-slices.ts';
import type { ApiDependencies, Caller } from './api-dependencies.ts';

/** Resources as REST shows them: what schemas.ts describes, and nothing of the cluster besides. */

export const accountView = ({ metadata, spec }: Account, limits: Limits) => ({
  name: metadata.name,
  plan: spec.plan,
  limits: { ...limits, maximum: { ...limits.maximum, ...fixedMaximum } },
});

export function projectView({ settings }: ApiDependencies, { account }: Caller, { metadata, spec, status }: Project) {
  const { name } = metadata;
  const accountId = account.spec.id;
  const subdomain = spec.subdomain ?? name;
  return {
    name,
    service: { name: spec.service.name, port: spec.service.port },
    subdomain,
    platformHostname: status?.platformHostname ?? null,
    target: accountId ? projectTarget(settings.secret, { accountId, name }, settings.cnameDomain) : null,
    deployedAt: status?.deployedAt ?? null,
  };
}

export function domainConfigView({ spec }: Project) {
  const { primary = null, redirects = [] } = spec.domains ?? {};
  return { primary, redirects: redirects.map(({ from, to = primary, status = 301 }) => ({ from, to, status })) };
}

/** Many domains of one project, in slices that leave the event loop to others. */
export async function domainViews(dependencies: ApiDependencies, caller: Caller, domains: readonly ProjectDomain[]) {
  const giveWay = createRequestSlices();
  const views: DomainView[] = [];
  let siblings: readonly Competitor[] | undefined;
  for (const domain of domains) {
    siblings ??= isVisited(domain) ? undefined : competitorsIn(dependencies, caller.account.spec.id, domain);
    views.push(domainView(dependencies, caller, domain, siblings));
    await giveWay();
  }
  return views;
}

type DomainView = ReturnType<typeof domainView>;

/** `siblings` are the domains of the project, where the caller has them already. */
export function domainView(
  dependencies: ApiDependencies,
  caller: Caller,
  domain: ProjectDomain,
  siblings?: readonly Competitor[],
) {
  const drawn = recordContextOf(dependencies, caller, domain);
  const { hostname, project, role, redirect } = domain.spec;
  const { issues = [], certificate } = domain.status ?? {};
  return {
    hostname,
    project,
    role: role === 'Redirect' ? 'redirect' : 'primary',
    redirect: redirect ? { to: redirect.to, status: redirect.status ?? 301 } : null,
    ...(told(domain) ?? foretold(dependencies, caller, drawn, siblings)),
    records: recordsOf(dependencies, drawn),
    issues: issues.map(({ code, message, record, fix }) => ({ code, message, record, fix })),
    ...certificateView(certificate),
    createdAt: domain.metadata.creationTimestamp ?? null,
  };
}

/** What there is of a certificate, and what the next one waits for. */
function certificateView(certificate: NonNullable<ProjectDomain['status']>['certificate']) {
  const { notAfter, waitsFor, waitsUntil = null } = certificate ?? {};
  return {
    certificate: notAfter ? { notAfter } : null,
    waits: waitsFor ? { reason: waitsFor, until: waitsUntil } : null,
  };
}

/** The operator's word; null before its first visit. */
function told({ status }: ProjectDomain) {
  const ready = findCondition(status?.conditions, 'Ready');
  return status?.state && ready ? { state: status.state, reason: ready.reason, message: ready.message } : null;
}

const isVisited = (domain: ProjectDomain): boolean => told(domain) !== null;

/** What the operator is going to say. */
function foretold(
  dependencies: ApiDependencies,
  caller: Caller,
  { domain, claimRelation }: RecordContext,
  siblings?: readonly Competitor[],
) {
  const accepted = acceptanceFinding(acceptanceCandidate(dependencies, caller, domain, siblings));
  if (!isTrue(accepted)) return { state: 'Pending', reason: accepted.reason, message: accepted.message };
  const contested = claimRelation.kind === 'Foreign';
  return {
    state: 'Unverified',
    reason: contested ? 'HeldElsewhere' : 'Waiting',
    message: contested
      ? 'another account proved this hostname; create the TXT record shown to claim it'
      : 'create the records shown; DNS is checked by itself',
  };
}

export const keyView = ({ metadata, spec, status }: ApiKey) => ({
  id: spec.keyId ?? '',
  scopes: [...spec.scopes],
  expiresAt: spec.expiresAt ?? null,
  createdAt: metadata.creationTimestamp ?? '',
  lastUsedAt: status?.lastUsedAt ?? null,
  bannedUntil: status?.bannedUntil ?? null,
});
