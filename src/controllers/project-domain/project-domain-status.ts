import type { Finding } from '../../rules/conditions.ts';
import type { DomainFindings, DomainReason, DomainState } from '../../rules/domain-state.ts';
import { domainState, readyFinding } from '../../rules/domain-state.ts';
import type { WaitingOrder } from './steps/certificate-step.ts';
import type { CheckStatus } from './check-status.ts';
import { statusAction } from '../../controller-runtime/actions.ts';
import { schemaBounds, clip } from '../../resources/object-limits.ts';
import { conditionsFrom, findCondition, timestamp } from '../../rules/conditions.ts';
import { parseHostname } from '../../rules/hostname.ts';
import { needsTxt, desiredRecords, sharesProof } from '../../rules/desired-records.ts';
import { childName } from '../../rules/dns-target.ts';
import type { EventReason } from '../../rules/reasons.ts';
import { canOwn, ownerReference } from '../../resources/object-metadata.ts';
import { ProjectDomainKind } from '../../resources/kinds.ts';
import type { WriteAction, EventRecord } from '../../controller-runtime/actions.ts';
import { checkStatusFields } from './check-status.ts';
import type { ProjectDomainSnapshot } from './project-domain-snapshot.ts';

/** What one reconcile concluded, before it is written as status. */
export interface Conclusion {
  readonly findings: DomainFindings;
  /** the summary of the findings */
  readonly ready: Finding<DomainReason>;
  readonly state: DomainState;
  readonly checkStatus: CheckStatus;
  readonly waiting: WaitingOrder;
}

export const conclude = (findings: DomainFindings, checkStatus: CheckStatus, waiting: WaitingOrder): Conclusion => ({
  findings,
  ready: readyFinding(findings),
  state: domainState(findings),
  checkStatus,
  waiting,
});

const timelineLength = 50;

/** Applies the whole status, which only the operator writes: state, records, issues, conditions. */
export const domainStatusAction = (snapshot: ProjectDomainSnapshot, conclusion: Conclusion): WriteAction =>
  statusAction(ProjectDomainKind, snapshot.domain, status(snapshot, conclusion));

function status(snapshot: ProjectDomainSnapshot, conclusion: Conclusion) {
  const { domain, now } = snapshot;
  const { findings, ready, state, checkStatus, waiting } = conclusion;
  const all = { ...findings, Ready: ready };
  const stamp = { generation: domain.metadata.generation ?? 0, now };
  return {
    state,
    records: records(snapshot, checkStatus),
    issues: issues(snapshot, state),
    certificate: certificateStatus(snapshot, waiting),
    check: checkStatusFields(checkStatus),
    timeline: timeline(snapshot, conclusion),
    conditions: conditionsFrom(all, domain.status?.conditions, stamp),
  };
}

function records(
  { target, ownership, domain, settings, claimRelation, verdict }: ProjectDomainSnapshot,
  checkStatus: CheckStatus,
) {
  const { hostname } = domain.spec;
  if (target === null || !parseHostname(hostname).ok) return [];
  const { zone, routedBy } = checkStatus;
  const contested = claimRelation.kind === 'Foreign';
  const code = verdict?.routing.code ?? findCondition(domain.status?.conditions, 'DNSVerified')?.reason;
  const byShared = sharesProof(routedBy, code);
  const needed = needsTxt({ hostname, zone, required: settings.requireTxt, contested, byShared });
  return desiredRecords({ hostname, zone, target, txt: needed ? ownership : null });
}

/** The issues of this reconcile's check, or the previous ones where DNS was not checked; none while the domain is Pending. */
function issues({ verdict, domain }: ProjectDomainSnapshot, state: DomainState) {
  if (state === 'Pending') return [];
  const found = verdict ? verdict.issues : (domain.status?.issues ?? []);
  return found.slice(0, schemaBounds.issues).map(({ code, message, record, fix }) => ({
    code,
    message: clip(message, schemaBounds.issueText),
    record: clip(record, schemaBounds.issueText),
    fix: clip(fix, schemaBounds.issueText),
  }));
}

function certificateStatus(
  { certificate, claim, domain, certManagerUnavailable }: ProjectDomainSnapshot,
  waiting: WaitingOrder,
) {
  const name = childName(domain.spec.hostname);
  const orders = claim?.spec.orders ?? [];
  const notAfter = certManagerUnavailable ? domain.status?.certificate?.notAfter : certificate?.status?.notAfter;
  const last = orders.at(-1);
  return {
    name,
    attempts: orders.length,
    ...(notAfter ? { notAfter } : {}),
    ...(last ? { requestedAt: last.at } : {}),
    ...waitingStatus(waiting),
  };
}

const waitingStatus = ({ request, reason, until }: WaitingOrder) => ({
  ...(until === null ? {} : { waitsUntil: timestamp(until) }),
  ...(reason === null ? {} : { waitsFor: reason }),
  ...(request === null ? {} : { request }),
});

function timeline({ domain, now }: ProjectDomainSnapshot, { state, ready }: Conclusion) {
  const before = domain.status?.timeline ?? [];
  if (before.at(-1)?.state === state) return before;
  const { reason, message } = ready;
  return [...before, { at: timestamp(now), state, reason, message: clip(message, schemaBounds.message) }].slice(
    -timelineLength,
  );
}

/** An Event for a change of state, and a Warning for a Verify request that was ignored. */
export function eventsOf(
  { domain, verify }: ProjectDomainSnapshot,
  { state, ready }: Conclusion,
): readonly EventRecord[] {
  const bad: DomainState[] = ['Degraded', 'Suspended'];
  const changed: EventRecord[] =
    domain.status?.state === state
      ? []
      : [{ about: domain, type: bad.includes(state) ? 'Warning' : 'Normal', reason: state, message: ready.message }];
  if (verify.kind !== 'ignored') return changed;
  const reason: EventReason = 'VerifyIgnored';
  return [...changed, { about: domain, type: 'Warning', reason, message: verify.message }];
}

/** Makes the project an owner of the domain, so that the domain is garbage-collected with it (docs/concepts/claims.md). */
export function writesOfOwner({ domain, project }: ProjectDomainSnapshot): readonly WriteAction[] {
  if (!project || !canOwn(project)) return [];
  const { name, namespace = '', ownerReferences = [] } = domain.metadata;
  if (ownerReferences.some((owner) => owner.uid === project.metadata.uid)) return [];
  const metadata = { name, namespace, ownerReferences: [ownerReference(project, false)] };
  const { apiVersion, kind } = ProjectDomainKind;
  return [{ verb: 'apply', kind: ProjectDomainKind, object: { apiVersion, kind, metadata } }];
}
