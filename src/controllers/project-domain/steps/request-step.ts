import type { HostnameClaim } from '../../../generated/hostname-claim.ts';
import { approveOrder, hasTurn, recordOrders, settleOrders } from '../../approve-order.ts';
import type { CertificateRequest } from '../../../resources/cert-manager-types.ts';
import { CertificateRequestKind, ProjectDomainKind } from '../../../resources/kinds.ts';
import type { Finding } from '../../../rules/conditions.ts';
import { findCondition, findingsOf } from '../../../rules/conditions.ts';
import { certificateReasons } from '../../../rules/codes/certificate-reasons.ts';
import { registrableDomain } from '../../../rules/hostname.ts';
import type { CertificateReason, EventReason } from '../../../rules/reasons.ts';
import type { OrderWait } from '../../../rules/order-ledger/order-limits.ts';
import { weightOf } from '../../../rules/order-ledger/order-limits.ts';
import type { OrderEntry } from '../../../rules/order-ledger/hostname-orders.ts';
import type { Payer } from '../../../rules/order-ledger/fair-share.ts';
import { withholdApproval, isUnderWay } from '../../../issuing/request-status.ts';
import { requestId, orderClass, withCheck, withOutcomes } from '../../../issuing/order-history.ts';
import { isOrderedHere } from '../../../issuing/issuer-ref.ts';
import { requestMismatch } from '../../../issuing/request-mismatch.ts';
import type { WriteAction } from '../../../controller-runtime/actions.ts';
import type { EventRecord } from '../../../kubernetes/kubernetes-port.ts';
import { removeAction } from '../../../controller-runtime/actions.ts';
import { keepAnnouncedTime, orderWait, waitsForTurn } from '../../../issuing/order-wait.ts';
import type { EvaluatedProjectDomain } from '../project-domain-snapshot.ts';
import type { OrderPermission } from './order-permission.ts';
import { repeatedRequests } from './repeated-request.ts';
import { isFresh } from './order-permission.ts';

const { no } = findingsOf(certificateReasons);

export interface RequestStep {
  readonly writes: readonly WriteAction[];
  readonly events: readonly EventRecord[];
  /** uid of the request that waits for an order of the ledger; null when none does */
  readonly waitingRequest: string | null;
  readonly wait: OrderWait | null;
  /** why it waits, or why the operator does not approve the only open one; null when it may, or there is none */
  readonly finding: Finding<CertificateReason> | null;
  /** when more is known of a request that is held back, milliseconds since the Unix epoch; null for none */
  readonly knownAt: number | null;
}

/** Decides on the undecided requests: each is approved, or gets a condition that says why not. */
export function decideRequests(snapshot: EvaluatedProjectDomain, against: OrderPermission): RequestStep {
  const { claim, openRequests, now } = snapshot;
  const checked = openRequests.map((request) => ({ request, why: objectionTo(snapshot, request) }));
  const {
    writes: ended,
    knownAt,
    others,
  } = repeatedRequests(
    snapshot,
    checked.flatMap(({ request, why }) => (why === null ? [request] : [])),
  );
  const mismatches = [
    ...checked.flatMap(({ request, why }) => (why === null ? [] : withholdApproval(request, why, now))),
    ...removeUnrecorded(snapshot),
    ...ended,
  ];
  const request = others[0];
  const quiet = { events: [], waitingRequest: null, wait: null, finding: null, knownAt };
  if (!claim || !request) {
    const writes = [...recordOrders(claim, ordersNow(snapshot, against)), ...mismatches];
    const [first] = checked;
    return { ...quiet, writes, finding: first?.why ? no('RequestMismatch', first.why) : null };
  }
  if (against.obstacle) {
    const held = withholdApproval(request, against.obstacle.message, now);
    return { ...quiet, writes: [...settleOrders(snapshot), ...mismatches, ...held] };
  }
  const step = isOrderable(snapshot, request)
    ? placeOrder({ ...snapshot, claim }, request, against)
    : waitForTurn(snapshot, request, against);
  return { ...quiet, ...step, writes: [...mismatches, ...step.writes] };
}

const objectionTo = (
  { domain, certificate, settings }: EvaluatedProjectDomain,
  request: CertificateRequest,
): string | null =>
  requestMismatch(request, {
    hostname: domain.spec.hostname,
    certificate,
    owner: { kind: ProjectDomainKind.kind, metadata: domain.metadata },
    issuer: settings.issuer,
  });

const isOrderable = (snapshot: EvaluatedProjectDomain, request: CertificateRequest): boolean =>
  hasTurn(snapshot, request) && isFresh(snapshot);

function placeOrder(
  snapshot: EvaluatedProjectDomain & { readonly claim: HostnameClaim },
  request: CertificateRequest,
  evidence: OrderPermission,
) {
  const { certificate, domain, now } = snapshot;
  const { unconfirmed, delegation, permittedAccounts } = evidence;
  const kind = orderClass(certificate, now);
  const placed = { kind, unconfirmed, checkedAt: checkOf(snapshot, evidence), delegation, permittedAccounts };
  const { writes, isNew } = approveOrder(snapshot, request, placed);
  const warning: EventRecord = {
    about: domain,
    type: 'Warning',
    reason: 'RenewedOnLastKnownAnswer' satisfies EventReason,
    message: 'it is unknown whether the hostname still points here; the certificate is renewed because it expires soon',
  };
  return { writes, events: unconfirmed && isNew ? [warning] : [] };
}

/** Leaves the request waiting and reports it in the status, from which the ledger's reconcile finds it. */
function waitForTurn(
  snapshot: EvaluatedProjectDomain,
  request: CertificateRequest,
  { accounts, permittedAccounts }: OrderPermission,
) {
  const { now, domain, orderLedger, domainOrders, placeInQueue } = snapshot;
  const since = Date.parse(request.metadata.creationTimestamp ?? '') || now;
  const earlier = { ledger: orderLedger, domain: domainOrders, place: placeInQueue, accounts };
  const turn = hasTurn(snapshot, request);
  const wait = turn
    ? null
    : keepAnnouncedTime(orderWait(earlier, payerOf(snapshot), since, now), domain.status?.certificate, now);
  const finding = wait && no(wait.reason, { permitted: permittedAccounts });
  const why = turn ? 'waiting for a new check of DNS and CAA' : (finding?.message ?? waitsForTurn);
  return {
    writes: [...settleOrders(snapshot), ...withholdApproval(request, why, now)],
    waitingRequest: requestId(request),
    wait,
    finding,
  };
}

/** The payer of this domain's next order. */
const payerOf = ({
  domain,
  account,
  certificate,
  settings,
  recentFirstOrders,
  domainOrders,
  now,
}: EvaluatedProjectDomain): Payer => ({
  account: account?.spec.id ?? '',
  domain: registrableDomain(domain.spec.hostname),
  weight: weightOf(settings.orderLimits, account?.spec.plan ?? ''),
  kind: orderClass(certificate, now),
  served: Math.max(recentFirstOrders, domainOrders.orders.size),
});

/** For so long the claim that records an approved order may not be seen yet. */
const unrecordedForMs = 120_000;

/**
 * A request that is approved and that the claim has no open order for is never ordered, and cert-manager waits for it for ever, as when
 * somebody else approved it: it is removed, so that cert-manager makes another.
 */
function removeUnrecorded({ claim, requests, settings, now }: EvaluatedProjectDomain): readonly WriteAction[] {
  if (!claim || !isOrderedHere(settings.issuer)) return [];
  const open = new Set(
    (claim.spec.orders ?? []).flatMap((order) => (order.outcome === 'Pending' ? [order.request] : [])),
  );
  const isOld = ({ status }: CertificateRequest): boolean =>
    now - Date.parse(findCondition(status?.conditions, 'Approved')?.lastTransitionTime ?? '') > unrecordedForMs;
  const unrecorded = requests.filter(
    (request) => isUnderWay(request) && isOld(request) && !open.has(requestId(request)),
  );
  return unrecorded.map((request) => removeAction(CertificateRequestKind, request));
}

/** The check that an order rests on, where the operator places it itself and looks at that once more. */
const checkOf = ({ settings }: EvaluatedProjectDomain, { checkedAt }: OrderPermission): number | null =>
  isOrderedHere(settings.issuer) ? checkedAt : null;

/** With the outcomes that requests have by now, and with the last check for an order that is not placed yet. */
function ordersNow(snapshot: EvaluatedProjectDomain, against: OrderPermission): readonly OrderEntry[] {
  const { claim, requests } = snapshot;
  const settled = withOutcomes(claim?.spec.orders ?? [], requests);
  const checkedAt = checkOf(snapshot, against);
  if (against.obstacle || checkedAt === null) return settled;
  const { delegation, permittedAccounts } = against;
  return withCheck(settled, requests, { checkedAt, delegation, permittedAccounts });
}
