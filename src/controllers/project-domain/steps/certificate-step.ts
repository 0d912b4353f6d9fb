import { findCondition, findingIn, findingsOf, isTrue } from '../../../rules/conditions.ts';
import { certificateReasons } from '../../../rules/codes/certificate-reasons.ts';
import { minutes, seconds } from '../../../rules/check-schedule.ts';
import type { ProjectDomainSnapshot } from '../project-domain-snapshot.ts';
import type { Finding } from '../../../rules/conditions.ts';
import type { CertificateReason } from '../../../rules/reasons.ts';
import type { OrderWait } from '../../../rules/order-ledger/order-limits.ts';
import { certificateManifest as build } from '../../../issuing/cert-manager/certificate-manifest.ts';
import { issuerForCertificate } from '../../../issuing/issuer-for-certificate.ts';
import { isOrderedHere } from '../../../issuing/issuer-ref.ts';
import { undecided } from '../../../issuing/request-approval.ts';
import { pendingMessage } from '../../../issuing/request-outcome.ts';
import { CertificateKind, HostnameClaimKind } from '../../../resources/kinds.ts';
import type { WriteAction, EventRecord } from '../../../controller-runtime/actions.ts';
import { earliest } from '../../../controller-runtime/actions.ts';
import type { CheckStatus } from '../check-status.ts';
import type { OrderEvidence } from './order-evidence.ts';
import { orderEvidence } from './order-evidence.ts';
import { freshAttempt, overdueAt, reissue } from './overdue-certificate.ts';
import type { RequestStep } from './request-step.ts';
import { accountsLeft, decideRequests } from './request-step.ts';

const { no, unknown, yes } = findingsOf(certificateReasons);

const retryWhileUnavailable = 1 * minutes;

/**
 * While cert-manager is unavailable, the state of certificates is unknown and none can be requested: an issued one still
 * counts as issued, and everything else waits. DNS, claims and routes are handled as usual.
 */
export function whileCertManagerUnavailable({ domain, now }: ProjectDomainSnapshot): CertificateStep {
  const before = findingIn(findCondition(domain.status?.conditions, 'CertificateIssued'), certificateReasons);
  if (before && isTrue(before)) return findingOnly(before);
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

/** Decides the one Certificate of the hostname and the approval of its requests, for first orders and renewals alike. */
export function decideCertificate(
  snapshot: ProjectDomainSnapshot,
  checkStatus: CheckStatus,
  { mayCreate }: Permission,
): CertificateStep {
  const { certificate, claimRelation } = snapshot;
  if (claimRelation.kind !== 'Held')
    return findingOnly(unknown('Waiting', 'the hostname is claimed first, as soon as it is verified'));
  const obstacles = obstaclesOf(snapshot, checkStatus, mayCreate);
  const step = decideRequests(snapshot, obstacles);
  const writes = [
    ...(mayCreate && (certificate || !obstacles.obstacle) ? [applyCertificate(snapshot)] : []),
    ...step.writes,
  ];
  const finding = findingOf(snapshot, obstacles, step);
  const waiting = waitingOf(snapshot, obstacles, step);
  const base = { writes, events: step.events, waiting, overdueAt: step.knownAt };
  if (finding) return { ...base, finding };
  const next = awaited(snapshot, [...writes, ...nextAttempt(snapshot, obstacles)]);
  return { ...base, ...next, overdueAt: earliest(next.overdueAt, step.knownAt) };
}

interface Obstacles extends OrderEvidence {
  /** set where the obstacle is a limit that ends with time */
  readonly wait: OrderWait | null;
}

/** What prevents an order now. The obstacles are checked in the order in which users should fix them. */
function obstaclesOf(snapshot: ProjectDomainSnapshot, checkStatus: CheckStatus, mayCreate: boolean): Obstacles {
  const base = { unconfirmed: false, checkedAt: null, delegation: null, permittedAccounts: null, wait: null };
  if (!mayCreate)
    return {
      ...base,
      obstacle: unknown('Waiting', 'waiting until the domain is accepted and its DNS is set up correctly'),
    };
  const found = orderEvidence(snapshot, checkStatus);
  const { permittedAccounts } = found;
  const wait = found.obstacle ? null : accountsLeft(snapshot, permittedAccounts).wait;
  const obstacle = wait ? no(wait.reason, { permitted: permittedAccounts }) : found.obstacle;
  return { ...found, wait, obstacle };
}

/** The finding about the certificate; null while it is only awaited. */
function findingOf(
  snapshot: ProjectDomainSnapshot,
  { obstacle, wait, permittedAccounts }: Obstacles,
  step: RequestStep,
): CertificateFinding | null {
  const ready = isTrue(findCondition(snapshot.certificate?.status?.conditions, 'Ready'));
  if (ready) return yes('Issued');
  if (obstacle && (wait === null || !restsAfterFailure(snapshot))) return obstacle;
  if (step.mismatch !== null) return no('RequestMismatch', step.mismatch);
  return step.wait ? no(step.wait.reason, { permitted: permittedAccounts }) : null;
}

/** True without an open request after a failure: why the last order failed says more than that the next one must wait. */
const restsAfterFailure = (snapshot: ProjectDomainSnapshot): boolean =>
  undecided(snapshot.requests).length === 0 && progress(snapshot).reason === 'IssuanceFailed';

function waitingOf(
  { requests, certificate }: ProjectDomainSnapshot,
  obstacles: Obstacles,
  step: RequestStep,
): WaitingOrder {
  const wait = obstacles.wait ?? step.wait;
  const open = undecided(requests).length > 0;
  const mismatch = step.mismatch === null ? null : 'RequestMismatch';
  const obstacle = open || !certificate ? (obstacles.obstacle?.reason ?? null) : null;
  return { request: step.waitingRequest, reason: wait?.reason ?? obstacle ?? mismatch, until: wait?.until ?? null };
}

/**
 * A grant of the ledger comes within moments and wakes the hostname. Where none has come by then, others were granted what there was, and
 * this is looked at again to say until when it waits.
 */
const turnWithin = 10 * seconds;

/** For a missing certificate without obstacles: it is being issued, failed, or is overdue. */
function awaited(
  snapshot: ProjectDomainSnapshot,
  writes: readonly WriteAction[],
): Pick<CertificateStep, 'finding' | 'writes' | 'overdueAt'> {
  const isOpen = undecided(snapshot.requests).length > 0;
  if (isOpen) return { finding: progress(snapshot), writes, overdueAt: snapshot.now + turnWithin };
  const due = overdueAt(snapshot);
  if (due === null || snapshot.now < due) return { finding: progress(snapshot), writes, overdueAt: due };
  const attempt = freshAttempt(snapshot);
  const others = attempt.length === 0 ? writes : writes.filter(({ kind }) => kind !== HostnameClaimKind);
  return { finding: overdue(snapshot), writes: [...others, ...attempt], overdueAt: null };
}

/**
 * After a failure cert-manager waits for an hour and longer. Where the operator orders itself it is its own waits that count: once
 * they have ended, and nothing prevents it, the next attempt begins. Elsewhere it does for Verify, where nobody had refused the last order.
 */
function nextAttempt(snapshot: ProjectDomainSnapshot, { obstacle }: Obstacles): readonly WriteAction[] {
  const { certificate, requests, settings } = snapshot;
  if (!certificate || obstacle || undecided(requests).length > 0) return [];
  if (!isOrderedHere(settings.issuer) && !isAskedAfterAbandoned(snapshot)) return [];
  return isOrderOpen(snapshot) || progress(snapshot).reason !== 'IssuanceFailed' ? [] : reissue(certificate, snapshot);
}

const isAskedAfterAbandoned = ({ claim, verify }: ProjectDomainSnapshot): boolean =>
  verify.kind === 'asked' && verify.fresh && claim?.spec.orders?.at(-1)?.outcome === 'Abandoned';

const isOrderOpen = ({ claim }: ProjectDomainSnapshot): boolean =>
  claim?.spec.orders?.some(({ outcome }) => outcome === 'Pending') ?? false;

function overdue(snapshot: ProjectDomainSnapshot): CertificateFinding {
  const { message } = progress(snapshot);
  return no('IssuanceOverdue', { progress: message });
}

function applyCertificate({ domain, certificate, settings }: ProjectDomainSnapshot): WriteAction {
  const { namespace = '' } = domain.metadata;
  const input = { namespace, hostname: domain.spec.hostname, owner: domain };
  return {
    verb: 'apply',
    kind: CertificateKind,
    object: build(input, issuerForCertificate(certificate, settings.issuer)),
  };
}

function progress(snapshot: ProjectDomainSnapshot): CertificateFinding {
  const issuing = findCondition(snapshot.certificate?.status?.conditions, 'Issuing');
  if (issuing?.status === 'False' && issuing.reason === 'Failed') {
    return no('IssuanceFailed', { said: issuing.message });
  }
  // Only in the operator's own words: cert-manager's are not for customers.
  const { requests, settings } = snapshot;
  const [pending] = isOrderedHere(settings.issuer) ? requests.flatMap((one) => pendingMessage(one) ?? []) : [];
  return unknown('Issuing', `the certificate is being issued${pending === undefined ? '' : `: ${pending}`}`);
}
