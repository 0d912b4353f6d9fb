import type { CertificateRequest } from '../../resources/cert-manager-types.ts';
import { timestamp } from '../../rules/conditions.ts';
import { registrableDomain } from '../../rules/hostname.ts';
import { CertificateKind, ProjectKind } from '../../resources/kinds.ts';
import type { OrderWait } from '../../rules/order-ledger/order-limits.ts';
import { firstInQueue } from '../../rules/order-ledger/expected-turn.ts';
import type { Payer } from '../../rules/order-ledger/fair-share.ts';
import { accountsForName } from '../../rules/order-ledger/hostname-orders.ts';
import { certificateManifest as build, issuerForCertificate } from '../../issuing/certificate-manifest.ts';
import { undecided, withholdApproval } from '../../issuing/request-status.ts';
import { requestId, orderClass } from '../../issuing/order-history.ts';
import { requestMismatch } from '../../issuing/request-mismatch.ts';
import type { WriteAction } from '../../controller-runtime/actions.ts';
import { keepAnnouncedTime, orderWait, waitMessage, waitsForTurn } from '../../issuing/order-wait.ts';
import { approveOrder, hasTurn, settleOrders } from '../approve-order.ts';
import type { ProjectSnapshot } from './project-snapshot.ts';

export interface PlatformCertificate {
  readonly writes: readonly WriteAction[];
  /** status.certificate */
  readonly status: { readonly request?: string; readonly waitsUntil?: string; readonly waitsFor?: string };
  /** milliseconds since the Unix epoch; null when nothing waits for a known time */
  readonly waitsUntil: number | null;
}

const nothing: PlatformCertificate = Object.freeze({ writes: [], status: {}, waitsUntil: null });

/**
 * Decides the Certificate of the platform hostname by the same rules as for customers' (this very project and account
 * hold the claim, the request is exactly ours, the ledger granted an order), except that no DNS is checked.
 */
export function decidePlatformCertificate(snapshot: ProjectSnapshot): PlatformCertificate {
  const { project, hostname, settings, requests, now } = snapshot;
  const input = { namespace: project.metadata.namespace ?? '', hostname, owner: project };
  const issuer = issuerForCertificate(snapshot.certificate, settings.issuer);
  const certificate: WriteAction = { verb: 'apply', kind: CertificateKind, object: build(input, issuer) };
  const checked = undecided(requests).map((request) => ({ request, why: objectionTo(snapshot, request) }));
  const mismatches = checked.flatMap(({ request, why }) => (why === null ? [] : withholdApproval(request, why, now)));
  const request = checked.find(({ why }) => why === null)?.request;
  const step = request ? decideOn(snapshot, request) : { ...nothing, writes: settleOrders(snapshot) };
  return { ...step, writes: [certificate, ...mismatches, ...step.writes] };
}

const objectionTo = ({ hostname, certificate, project, settings }: ProjectSnapshot, request: CertificateRequest) =>
  requestMismatch(request, {
    hostname,
    certificate,
    owner: { kind: ProjectKind.kind, metadata: project.metadata },
    issuer: settings.issuer,
  });

function decideOn(snapshot: ProjectSnapshot, request: CertificateRequest): PlatformCertificate {
  const { claim, certificate, now } = snapshot;
  if (!claim) return nothing;
  if (!hasTurn(snapshot, request)) return waitForTurn(snapshot, request);
  const kind = orderClass(certificate, now);
  const placed = { kind, unconfirmed: false, checkedAt: null, delegation: null, permittedAccounts: null };
  return { ...nothing, writes: approveOrder({ ...snapshot, claim }, request, placed).writes };
}

function waitForTurn(snapshot: ProjectSnapshot, request: CertificateRequest): PlatformCertificate {
  const { now, project } = snapshot;
  const wait = keepAnnouncedTime(waitOf(snapshot, request), project.status?.certificate, now);
  const waits = wait ? { waitsUntil: timestamp(wait.until), waitsFor: wait.reason } : {};
  const why = wait ? waitMessage(wait) : waitsForTurn;
  return {
    writes: [...settleOrders(snapshot), ...withholdApproval(request, why, now)],
    status: { request: requestId(request), ...waits },
    waitsUntil: wait?.until ?? null,
  };
}

function waitOf(snapshot: ProjectSnapshot, request: CertificateRequest): OrderWait | null {
  const { claim, account, hostname, orderLedger, domainOrders, recentFirstOrders, issuerAccounts, now } = snapshot;
  const own = accountsForName(claim?.spec.orders ?? [], issuerAccounts, now);
  if (own.wait) return own.wait;
  const payer: Payer = {
    account: account?.spec.id ?? '',
    domain: registrableDomain(hostname),
    weight: 1,
    kind: 'Platform',
    served: recentFirstOrders,
  };
  const since = Date.parse(request.metadata.creationTimestamp ?? '') || now;
  const earlier = { ledger: orderLedger, domain: domainOrders, place: firstInQueue, accounts: own.open };
  return orderWait(earlier, payer, since, now);
}
