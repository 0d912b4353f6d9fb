import { isDeepStrictEqual } from 'node:util';
import type { ProjectDomain } from '../../generated/project-domain.ts';
import type { Finding } from '../../rules/conditions.ts';
import type { DomainFindings, DomainReason, DomainState } from '../../rules/domain-state.ts';
import { domainState, readyFinding } from '../../rules/domain-state.ts';
import { isWarning } from '../../rules/issue-acts.ts';
import { isVerdictCode } from '../../rules/verdict-codes.ts';
import type { WaitingOrder } from './steps/certificate-step.ts';
import { statusAction } from '../../controller-runtime/actions.ts';
import { ordersOfHolder } from '../../issuing/order-history.ts';
import { isTrue, observedConditions, timestamp } from '../../rules/conditions.ts';
import { childName } from '../../rules/dns-target.ts';
import type { EventReason, WithdrawnReason } from '../../rules/reasons.ts';
import { canOwn, ownerReference } from '../../resources/object-metadata.ts';
import { ProjectDomainKind } from '../../resources/kinds.ts';
import type { WriteAction } from '../../controller-runtime/actions.ts';
import type { EventRecord } from '../../kubernetes/kubernetes-port.ts';
import { checkStatusFields } from './check-status.ts';
import { issuesStatus } from './issues-status.ts';
import type { EvaluatedProjectDomain } from './project-domain-snapshot.ts';
import { elsewhereEvents } from './issues-without-record.ts';
import { recordsStatus } from './records-status.ts';
import { ownCertificateStatus } from './own-certificate/own-secrets.ts';
import { timelineStatus } from './timeline-status.ts';

/** What one reconcile concluded, before it is written as status. */
export interface Conclusion {
  readonly findings: DomainFindings;
  /** the summary of the findings */
  readonly ready: Finding<DomainReason>;
  readonly state: DomainState;
  readonly issues: ReturnType<typeof issuesStatus>;
  readonly waiting: WaitingOrder;
}

/** What the steps found, beside the conditions. */
interface Found {
  readonly waiting: WaitingOrder;
  /** why the domain is Suspended; null while it is not */
  readonly withdrawn: WithdrawnReason | null;
}

export function conclude(
  snapshot: EvaluatedProjectDomain,
  findings: DomainFindings,
  { waiting, withdrawn }: Found,
): Conclusion {
  const state = domainState(findings);
  const issues = issuesStatus(snapshot, state);
  // What the edge says, or the cluster's refusal, has a condition of its own, whose reason programs know.
  const errors = issues
    .filter((one) => !isWarning(one))
    .flatMap(({ code, message, fix }) => (isVerdictCode(code) ? [{ code, message, fix }] : []));
  return { findings, ready: readyFinding(findings, { errors, withdrawn }), state, issues, waiting };
}

/** Applies the whole status, which only the operator writes: state, records, issues, conditions. */
export const domainStatusAction = ({ domain }: EvaluatedProjectDomain, status: DomainStatus): WriteAction =>
  statusAction(ProjectDomainKind, domain, status);

export type DomainStatus = ReturnType<typeof statusOf>;

/** The new status: the one before, to the second, where nothing but the time of the last check would be another. */
export function domainStatus(snapshot: EvaluatedProjectDomain, conclusion: Conclusion): DomainStatus {
  const { checkedAt } = snapshot.domain.status?.check ?? {};
  const status = statusOf(snapshot, conclusion);
  if (checkedAt === undefined) return status;
  const unmoved = { ...status, check: { ...status.check, checkedAt } };
  return isDeepStrictEqual(unmoved, snapshot.domain.status) ? unmoved : status;
}

function statusOf(snapshot: EvaluatedProjectDomain, conclusion: Conclusion) {
  const { domain, now } = snapshot;
  const { findings, ready, state, issues } = conclusion;
  const all = { ...findings, Ready: ready };
  const stamp = { generation: domain.metadata.generation ?? 0, now };
  const servedAs = servedAsStatus(snapshot);
  const certificate = certificateStatus(snapshot, conclusion);
  return {
    state,
    ...servedAs,
    records: recordsStatus(snapshot),
    issues,
    certificate,
    check: checkStatusFields(snapshot.checks),
    timeline: timelineStatus(snapshot, conclusion, { issues, certificate }),
    ...observedConditions(all, domain.status?.conditions, stamp),
  };
}

/** What is not accepted is served on as what it was. */
function servedAsStatus({
  accepted,
  domain,
}: EvaluatedProjectDomain): Pick<NonNullable<ProjectDomain['status']>, 'servedAs'> {
  const { role = 'Primary', redirect } = domain.spec;
  const servedAs = isTrue(accepted)
    ? { role, ...(redirect && { redirect: { ...redirect } }) }
    : domain.status?.servedAs;
  return servedAs === undefined ? {} : { servedAs };
}

function certificateStatus(snapshot: EvaluatedProjectDomain, { waiting }: Conclusion) {
  const { certificate, claim, claimRelation, domain, checks, certManagerUnavailable } = snapshot;
  const name = childName(domain.spec.hostname);
  const orders = claim && claimRelation.kind === 'Held' ? ordersOfHolder(claim) : [];
  const notAfter = certManagerUnavailable ? domain.status?.certificate?.notAfter : certificate?.status?.notAfter;
  const last = orders.at(-1);
  return {
    name,
    attempts: orders.length,
    ...(notAfter ? { notAfter } : {}),
    ...(last ? { requestedAt: last.at } : {}),
    ...waitingStatus(waiting, checks.permittedAccounts),
    ...ownCertificateStatus(snapshot),
  };
}

const waitingStatus = ({ request, reason, until }: WaitingOrder, permittedAccounts: readonly string[] | null) => ({
  ...(until === null ? {} : { waitsUntil: timestamp(until) }),
  ...(reason === null ? {} : { waitsFor: reason }),
  ...(request === null ? {} : { request, ...(permittedAccounts === null ? {} : { permittedAccounts }) }),
});

/** An Event for a change of state, and a Warning for a Verify request that was ignored. */
export function eventsOf(
  snapshot: EvaluatedProjectDomain,
  { state, ready, findings }: Conclusion,
): readonly EventRecord[] {
  const { domain, verify } = snapshot;
  const bad: DomainState[] = ['Degraded', 'Suspended'];
  const ofState: EventRecord[] =
    domain.status?.state === state
      ? certificateEvents(snapshot, findings)
      : [
          ...certificateEvents(snapshot, findings),
          { about: domain, type: bad.includes(state) ? 'Warning' : 'Normal', reason: state, message: ready.message },
        ];
  const changed = [...ofState, ...elsewhereEvents(snapshot)];
  if (verify.kind !== 'ignored') return changed;
  const reason: EventReason = 'VerifyIgnored';
  return [...changed, { about: domain, type: 'Warning', reason, message: verify.message }];
}

const alarming: ReadonlySet<string> = new Set(['ForeignCertificate', 'OwnCertificateRefused'] satisfies EventReason[]);

/** A Warning when visitors begin to see another's certificate, or when one of the customer's own is no longer taken. */
function certificateEvents(
  { domain, before }: EvaluatedProjectDomain,
  { CertificateIssued: { reason, message } }: DomainFindings,
): EventRecord[] {
  return reason !== before.CertificateIssued?.reason && alarming.has(reason)
    ? [{ about: domain, type: 'Warning', reason, message }]
    : [];
}

/**
 * Makes the project an owner of the domain, so that the domain is garbage-collected with it (docs/concepts/claims.md), and keeps the nonce of
 * one that is prepared in its spec, where a backup has it.
 */
export function writesOfOwner({ domain, project }: EvaluatedProjectDomain): readonly WriteAction[] {
  if (!project || !canOwn(project)) return [];
  const { name, namespace = '', ownerReferences = [] } = domain.metadata;
  const nonce = nonceOf(domain);
  const isOwned = ownerReferences.some((owner) => owner.uid === project.metadata.uid);
  if (isOwned && (nonce === undefined || nonce === domain.spec.nonce)) return [];
  const metadata = { name, namespace, ownerReferences: [ownerReference(project, false)] };
  const { apiVersion, kind } = ProjectDomainKind;
  const spec = nonce === undefined ? {} : { spec: { nonce } };
  return [{ verb: 'apply', kind: ProjectDomainKind, object: { apiVersion, kind, metadata, ...spec } }];
}

/** What a project declares it applies itself, whole. */
function nonceOf({ spec, metadata: { uid, ownerReferences = [] } }: ProjectDomain): string | undefined {
  const isDeclared = ownerReferences.some(({ controller }) => controller);
  return spec.prepare === true && !isDeclared ? (spec.nonce ?? uid) : undefined;
}
