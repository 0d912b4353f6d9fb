import { findingsOf, isTrue } from '../../../rules/conditions.ts';
import { certificateReasons } from '../../../rules/codes/certificate-reasons.ts';
import { minutes, seconds } from '../../../rules/check-schedule.ts';
import type { EvaluatedProjectDomain } from '../project-domain-snapshot.ts';
import type { Finding } from '../../../rules/conditions.ts';
import type { CertificateReason } from '../../../rules/reasons.ts';
import { certificateManifest as build, issuerForCertificate } from '../../../issuing/certificate-manifest.ts';
import { isOrderedHere } from '../../../issuing/issuer-ref.ts';
import { pendingMessage } from '../../../issuing/request-status.ts';
import { CertificateKind, HostnameClaimKind } from '../../../resources/kinds.ts';
import type { WriteAction } from '../../../controller-runtime/actions.ts';
import type { EventRecord } from '../../../kubernetes/kubernetes-port.ts';
import { earliest } from '../../../controller-runtime/actions.ts';
import type { OrderPermission } from './order-permission.ts';
import { orderPermission } from './order-permission.ts';
import { freshAttempt, overdueAt, reissue } from './overdue-certificate.ts';
import type { RequestStep } from './request-step.ts';
import { decideRequests } from './request-step.ts';

const { no, unknown, yes } = findingsOf(certificateReasons);

const retryWhileUnavailable = 1 * minutes;

/**
 * While cert-manager is unavailable, the state of certificates is unknown and none can be requested: an issued one still
 * counts as issued, and everything else waits. DNS, claims and routes are handled as usual.
 */
export function whileCertManagerUnavailable({ issuedBefore, now }: EvaluatedProjectDomain): CertificateStep {
  if (issuedBefore) return findingOnly(issuedBefore);
  const finding = unknown('Waiting', 'cert-manager does not answer; the certificate is ordered when it does');
  return { ...findingOnly(finding), overdueAt: now + retryWhileUnavailable };
}

type CertificateFinding = Finding<CertificateReason>;

/** What the next order of a hostname waits for. */
export interface WaitingOrder {
  /** uid of the request that waits for an order of the ledger; null when none does */
  readonly request: string | null;
  /** null when nothing waits */
  readonly reason: CertificateReason | null;
  /** milliseconds since the Unix epoch; null when the time is unknown or nothing waits */
  readonly until: number | null;
}

export interface CertificateStep {
  readonly finding: CertificateFinding;
  readonly writes: readonly WriteAction[];
  readonly events: readonly EventRecord[];
  readonly waiting: WaitingOrder;
  /** when the certificate becomes overdue, or more is known of a request for one, milliseconds since the Unix epoch; null when none is awaited */
  readonly overdueAt: number | null;
}

/** Whether new children may be created for this domain: it is accepted, its claim is held and the hostname points here. */
export interface Permission {
  readonly mayCreate: boolean;
}

const noOrderWaiting: WaitingOrder = Object.freeze({ request: null, reason: null, until: null });

/** A step with a finding and nothing to do. */
export const findingOnly = (finding: CertificateFinding): CertificateStep => ({
  finding,
  writes: [],
  events: [],
  waiting: noOrderWaiting,
  overdueAt: null,
});

/**
 * Decides the one Certificate of the hostname and the approval of its requests, for first orders and renewals alike: may it be ordered,
 * what becomes of the requests, and what is said and done while the certificate is not there.
 */
export function decideCertificate(snapshot: EvaluatedProjectDomain, { mayCreate }: Permission): CertificateStep {
  const { certificate, claimRelation } = snapshot;
  if (claimRelation.kind !== 'Held')
    return findingOnly(unknown('Waiting', 'the hostname is claimed first, as soon as it is verified'));
  const permission = orderPermission(snapshot, mayCreate);
  const step = decideRequests(snapshot, permission);
  const isApplied = mayCreate && (certificate !== undefined || !permission.obstacle);
  const writes = [...(isApplied ? [applyCertificate(snapshot)] : []), ...step.writes];
  const progress = progressOf(snapshot);
  const finding = findingOf(snapshot, permission, step, progress);
  const waiting = waitingOf(snapshot, permission, step);
  const base = { writes, events: step.events, waiting, overdueAt: step.knownAt };
  if (finding) return { ...base, finding };
  const next = awaited(snapshot, progress, [...writes, ...nextAttempt(snapshot, permission, progress)]);
  return { ...base, ...next, overdueAt: earliest(next.overdueAt, step.knownAt) };
}

/** How far the certificate is that is being issued, or why the last order failed. */
function progressOf({ certificateConditions, requests, settings }: EvaluatedProjectDomain): CertificateFinding {
  const { Issuing: issuing } = certificateConditions;
  if (issuing?.status === 'False' && issuing.reason === 'Failed')
    return no('IssuanceFailed', { said: issuing.message });
  // Only in the operator's own words: cert-manager's are not for customers.
  const [pending] = isOrderedHere(settings.issuer) ? requests.flatMap((one) => pendingMessage(one) ?? []) : [];
  return unknown('Issuing', `the certificate is being issued${pending === undefined ? '' : `: ${pending}`}`);
}

/** The finding about the certificate; null while it is only awaited. */
function findingOf(
  { certificateConditions, openRequests }: EvaluatedProjectDomain,
  { obstacle, wait }: OrderPermission,
  step: RequestStep,
  progress: CertificateFinding,
): CertificateFinding | null {
  if (isTrue(certificateConditions.Ready)) return yes('Issued');
  // Without an open request, why the last order failed says more than that the next one must wait.
  const restsAfterFailure = openRequests.length === 0 && progress.reason === 'IssuanceFailed';
  if (obstacle && (wait === null || !restsAfterFailure)) return obstacle;
  return step.finding;
}

function waitingOf(
  { openRequests, certificate }: EvaluatedProjectDomain,
  permission: OrderPermission,
  step: RequestStep,
): WaitingOrder {
  const wait = permission.wait ?? step.wait;
  const obstacle = openRequests.length > 0 || !certificate ? permission.obstacle : null;
  const reason = (wait ?? obstacle ?? step.finding)?.reason ?? null;
  return { request: step.waitingRequest, reason, until: wait?.until ?? null };
}

/**
 * A grant of the ledger comes within moments and wakes the hostname. Where none has come by then, others were granted what there was, and
 * this is looked at again to say until when it waits.
 */
const turnWithin = 10 * seconds;

/** For a missing certificate without obstacles: it is being issued, failed, or is overdue. */
function awaited(
  snapshot: EvaluatedProjectDomain,
  progress: CertificateFinding,
  writes: readonly WriteAction[],
): Pick<CertificateStep, 'finding' | 'writes' | 'overdueAt'> {
  if (snapshot.openRequests.length > 0) return { finding: progress, writes, overdueAt: snapshot.now + turnWithin };
  const due = overdueAt(snapshot);
  if (due === null || snapshot.now < due) return { finding: progress, writes, overdueAt: due };
  const attempt = freshAttempt(snapshot);
  const others = attempt.length === 0 ? writes : writes.filter(({ kind }) => kind !== HostnameClaimKind);
  return {
    finding: no('IssuanceOverdue', { progress: progress.message }),
    writes: [...others, ...attempt],
    overdueAt: null,
  };
}

/**
 * After a failure cert-manager waits for an hour and longer. Where the operator orders itself it is its own waits that count: once
 * they have ended, and nothing prevents it, the next attempt begins. Elsewhere it does for Verify, where nobody had refused the last order.
 */
function nextAttempt(
  snapshot: EvaluatedProjectDomain,
  { obstacle }: OrderPermission,
  progress: CertificateFinding,
): readonly WriteAction[] {
  const { certificate, openRequests, settings } = snapshot;
  if (!certificate || obstacle || openRequests.length > 0) return [];
  if (!isOrderedHere(settings.issuer) && !isAskedAfterAbandoned(snapshot)) return [];
  return isOrderOpen(snapshot) || progress.reason !== 'IssuanceFailed' ? [] : reissue(certificate, snapshot);
}

const isAskedAfterAbandoned = ({ claim, verify }: EvaluatedProjectDomain): boolean =>
  verify.kind === 'asked' && verify.fresh && claim?.spec.orders?.at(-1)?.outcome === 'Abandoned';

const isOrderOpen = ({ claim }: EvaluatedProjectDomain): boolean =>
  claim?.spec.orders?.some(({ outcome }) => outcome === 'Pending') ?? false;

function applyCertificate({ domain, certificate, settings }: EvaluatedProjectDomain): WriteAction {
  const { namespace = '' } = domain.metadata;
  const input = { namespace, hostname: domain.spec.hostname, owner: domain };
  return {
    verb: 'apply',
    kind: CertificateKind,
    object: build(input, issuerForCertificate(certificate, settings.issuer)),
  };
}
