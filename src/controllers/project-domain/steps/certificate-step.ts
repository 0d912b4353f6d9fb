import { findCondition, findingIn, isTrue, unknown, no, yes } from '../../../rules/conditions.ts';
import { certificateReasons } from '../../../rules/reasons.ts';
import { minutes } from '../check-schedule.ts';
import type { ProjectDomainSnapshot } from '../project-domain-snapshot.ts';
import type { Finding } from '../../../rules/conditions.ts';
import type { CertificateReason } from '../../../rules/reasons.ts';
import type { OrderWait } from '../../../rules/order-ledger/order-limits.ts';
import { hostnameWait } from '../../../rules/order-ledger/hostname-orders.ts';
import { certificateManifest as build } from '../../../issuing/cert-manager/certificate-manifest.ts';
import { undecided } from '../../../issuing/request-approval.ts';
import { CertificateKind, HostnameClaimKind } from '../../../resources/kinds.ts';
import type { WriteAction, EventRecord } from '../../../controller-runtime/actions.ts';
import { waitMessage } from '../../../issuing/order-wait.ts';
import type { CheckStatus } from '../check-status.ts';
import type { OrderEvidence } from './order-evidence.ts';
import { orderEvidence } from './order-evidence.ts';
import { freshAttempt, overdueAt } from './overdue-certificate.ts';
import type { RequestStep } from './request-step.ts';
import { decideRequests } from './request-step.ts';

const again = 1 * minutes;

/**
 * While cert-manager is away nothing is known of certificates and nothing can be asked of it: what was issued counts as
 * issued, and what is not yet waits. DNS, claims and routes go on.
 */
export function whileCertManagerUnavailable({ domain, now }: ProjectDomainSnapshot): CertificateStep {
  const before = findingIn(findCondition(domain.status?.conditions, 'CertificateIssued'), certificateReasons);
  if (before && isTrue(before)) return findingOnly(before);
  const finding = unknown('Waiting', 'cert-manager does not answer; the certificate is ordered when it does');
  return { ...findingOnly(finding), overdueAt: now + again };
}

type CertificateFinding = Finding<CertificateReason>;

/** What the next order of a hostname waits for. */
export interface WaitingOrder {
  /** uid of the request that is ready and waits for its turn; null when none is */
  readonly request: string | null;
  /** null when nothing waits */
  readonly reason: CertificateReason | null;
  /** milliseconds since the Unix epoch; null when nobody can tell, or nothing waits */
  readonly until: number | null;
}

export interface CertificateStep {
  readonly finding: CertificateFinding;
  readonly writes: readonly WriteAction[];
  readonly events: readonly EventRecord[];
  readonly waiting: WaitingOrder;
  /** when patience with the certificate ends; null when nothing is awaited */
  readonly overdueAt: number | null;
}

/** May new things be made for this domain: accepted, claimed and led here by DNS. */
export interface Permission {
  readonly mayCreate: boolean;
}

const noOrderWaiting: WaitingOrder = Object.freeze({ request: null, reason: null, until: null });

/** A step that only says something. */
export const findingOnly = (finding: CertificateFinding): CertificateStep => ({
  finding,
  writes: [],
  events: [],
  waiting: noOrderWaiting,
  overdueAt: null,
});

/** One Certificate per hostname, and the approval of each of its requests: first issues and renewals alike. */
export function decideCertificate(
  snapshot: ProjectDomainSnapshot,
  checkStatus: CheckStatus,
  { mayCreate }: Permission,
): CertificateStep {
  const { certificate, claimRelation } = snapshot;
  if (claimRelation.kind !== 'Held')
    return findingOnly(unknown('Waiting', 'the hostname is claimed first, as soon as it is verified'));
  const against = obstaclesOf(snapshot, checkStatus, mayCreate);
  const step = decideRequests(snapshot, against);
  const writes = [
    ...(mayCreate && (certificate || !against.obstacle) ? [applyCertificate(snapshot)] : []),
    ...step.writes,
  ];
  const finding = findingOf(snapshot, against, step);
  const waiting = waitingOf(snapshot, against, step);
  const base = { writes, events: step.events, waiting, overdueAt: null };
  return finding ? { ...base, finding } : { ...base, ...awaited(snapshot, writes) };
}

interface Against extends OrderEvidence {
  /** of the obstacle, where it is one of time */
  readonly wait: OrderWait | null;
}

/** What stands against an order right now. The order of the checks is the order people should mend things in. */
function obstaclesOf(snapshot: ProjectDomainSnapshot, checkStatus: CheckStatus, mayCreate: boolean): Against {
  const bare = { unconfirmed: false, wait: null };
  if (!mayCreate)
    return { ...bare, obstacle: unknown('Waiting', 'waits until the domain is accepted and its DNS is right') };
  const found = orderEvidence(snapshot, checkStatus);
  const wait = found.obstacle ? null : ownWait(snapshot);
  return { ...found, wait, obstacle: wait ? no(wait.reason, waitMessage[wait.reason]) : found.obstacle };
}

/** An order that is about to be approved does not stand in its own way. */
function ownWait({ claim, requests, settings, now }: ProjectDomainSnapshot): OrderWait | null {
  const open = undecided(requests).map(({ metadata }) => metadata.uid);
  const others = (claim?.spec.orders ?? []).filter(({ request }) => !open.includes(request));
  return hostnameWait(others, settings.orderLimits, now);
}

/** What to say of the certificate; null while it is only awaited. */
function findingOf(
  snapshot: ProjectDomainSnapshot,
  { obstacle, wait }: Against,
  step: RequestStep,
): CertificateFinding | null {
  const ready = isTrue(findCondition(snapshot.certificate?.status?.conditions, 'Ready'));
  if (ready) return yes('Issued', 'the certificate is issued');
  if (obstacle && (wait === null || !restsAfterFailure(snapshot))) return obstacle;
  if (step.mismatch !== null) return no('RequestMismatch', step.mismatch);
  return step.wait ? no(step.wait.reason, waitMessage[step.wait.reason]) : null;
}

/** Nothing asks for an order, and why the last one failed says more than that the next one has to wait. */
const restsAfterFailure = (snapshot: ProjectDomainSnapshot): boolean =>
  undecided(snapshot.requests).length === 0 && progress(snapshot).reason === 'IssuanceFailed';

function waitingOf(
  { requests, certificate }: ProjectDomainSnapshot,
  against: Against,
  step: RequestStep,
): WaitingOrder {
  const wait = against.wait ?? step.wait;
  const open = undecided(requests).length > 0;
  const mismatch = step.mismatch === null ? null : 'RequestMismatch';
  const obstacle = open || !certificate ? (against.obstacle?.reason ?? null) : null;
  return { request: step.waitingRequest, reason: wait?.reason ?? obstacle ?? mismatch, until: wait?.until ?? null };
}

/** Nothing stands in the way and the certificate is not there: being issued, failed, or overdue. */
function awaited(
  snapshot: ProjectDomainSnapshot,
  writes: readonly WriteAction[],
): Pick<CertificateStep, 'finding' | 'writes' | 'overdueAt'> {
  const due = undecided(snapshot.requests).length > 0 ? null : overdueAt(snapshot);
  if (due === null || snapshot.now < due) return { finding: progress(snapshot), writes, overdueAt: due };
  const attempt = freshAttempt(snapshot);
  const others = attempt.length === 0 ? writes : writes.filter(({ kind }) => kind !== HostnameClaimKind);
  return { finding: overdue(snapshot), writes: [...others, ...attempt], overdueAt: null };
}

function overdue(snapshot: ProjectDomainSnapshot): CertificateFinding {
  const said = progress(snapshot).message;
  return no('IssuanceOverdue', `no certificate after 30 minutes: ${said}; Verify makes a fresh attempt`);
}

function applyCertificate({ domain, settings }: ProjectDomainSnapshot): WriteAction {
  const { namespace = '' } = domain.metadata;
  const input = { namespace, hostname: domain.spec.hostname, owner: domain };
  return { verb: 'apply', kind: CertificateKind, object: build(input, settings.issuer) };
}

function progress({ certificate }: ProjectDomainSnapshot): CertificateFinding {
  const issuing = findCondition(certificate?.status?.conditions, 'Issuing');
  if (issuing?.status === 'False' && issuing.reason === 'Failed') {
    return no('IssuanceFailed', `the certificate authority refused: ${issuing.message}`);
  }
  return unknown('Issuing', 'the certificate is being issued');
}
