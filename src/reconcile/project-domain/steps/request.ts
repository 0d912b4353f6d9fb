import type { CertificateRequest } from '../../../model/cert-manager.ts';
import { HostnameClaimKind, ProjectDomainKind } from '../../../model/kinds.ts';
import { registrableDomain } from '../../../model/hostname.ts';
import type { Wait } from '../../../model/ledger/limits.ts';
import { weightOf } from '../../../model/ledger/limits.ts';
import type { Payer } from '../../../model/ledger/share.ts';
import { approve, undecided, withhold } from '../../approval.ts';
import { claimWith, idOf, isGranted, isJustRecorded, orderClass, withOrder, withOutcomes } from '../../ledger.ts';
import { objection } from '../../objection.ts';
import type { Action, Announcement } from '../../plan.ts';
import { steady, waitFor, waitSentence, waitsForTurn } from '../../waiting.ts';
import type { DomainSnapshot } from '../snapshot.ts';
import type { Evidence } from './evidence.ts';
import { isFresh } from './evidence.ts';

export interface RequestStep {
  readonly actions: readonly Action[];
  readonly announcements: readonly Announcement[];
  /** uid of the request that is ready and waits for its turn; null when none is */
  readonly asks: string | null;
  readonly wait: Wait | null;
  /** why the only open request is not ours to approve; null when one is, or there is none */
  readonly misfit: string | null;
}

/** Decides on the requests that nobody has decided on: approved, or left with a reason on them. Never denied. */
export function decideRequests(snapshot: DomainSnapshot, against: Evidence): RequestStep {
  const { claim, requests, now } = snapshot;
  const judged = undecided(requests).map((request) => ({ request, why: objectionTo(snapshot, request) }));
  const misfits = judged.flatMap(({ request, why }) => (why === null ? [] : withhold(request, why, now)));
  const request = judged.find(({ why }) => why === null)?.request;
  const quiet = { announcements: [], asks: null, wait: null, misfit: null };
  if (!claim || !request) {
    return { ...quiet, actions: [...settleOrders(snapshot), ...misfits], misfit: judged[0]?.why ?? null };
  }
  if (against.obstacle) {
    const held = withhold(request, against.obstacle.message, now);
    return { ...quiet, actions: [...settleOrders(snapshot), ...misfits, ...held] };
  }
  const step = isOrderable(snapshot, request) ? place(snapshot, request, against) : line(snapshot, request);
  return { ...quiet, ...step, actions: [...misfits, ...step.actions] };
}

const objectionTo = ({ domain, certificate, settings }: DomainSnapshot, request: CertificateRequest): string | null =>
  objection(request, {
    hostname: domain.spec.hostname,
    certificate,
    owner: { kind: ProjectDomainKind.kind, metadata: domain.metadata },
    issuer: settings.issuer,
  });

/** The ledger has an order for it, or it was written on the claim a moment ago. */
export const hasTurn = (
  { orderLedger, claim, now }: Pick<DomainSnapshot, 'orderLedger' | 'claim' | 'now'>,
  request: CertificateRequest,
): boolean => isGranted(orderLedger, request, now) || isJustRecorded(claim?.spec.orders ?? [], request, now);

const isOrderable = (snapshot: DomainSnapshot, request: CertificateRequest): boolean =>
  hasTurn(snapshot, request) && isFresh(snapshot);

/** Records the order on the claim, then approves. */
function place(snapshot: DomainSnapshot, request: CertificateRequest, { unconfirmed }: Evidence) {
  const { claim, requests, certificate, domain, now } = snapshot;
  if (!claim) throw new Error('an order is placed for a held hostname only');
  const before = withOutcomes(claim.spec.orders ?? [], requests);
  const kind = orderClass(certificate, now);
  const recorded = isJustRecorded(before, request, now);
  const orders = recorded ? before : withOrder(before, request, { kind, unconfirmed }, now);
  const write: Action = { verb: 'replace', kind: HostnameClaimKind, object: claimWith(claim, orders) };
  const warning: Announcement = {
    about: domain,
    type: 'Warning',
    reason: 'RenewedOnLastKnownAnswer',
    message: 'nobody could say whether DNS still leads here; the certificate is renewed because little of it is left',
  };
  return {
    actions: [...(orders === claim.spec.orders ? [] : [write]), approve(request, now)],
    announcements: unconfirmed && !recorded ? [warning] : [],
  };
}

/** Waits in line: says so in the status, where whoever shares the orders out looks. */
function line(snapshot: DomainSnapshot, request: CertificateRequest) {
  const { now, domain, orderLedger, domainBook, settings } = snapshot;
  const since = Date.parse(request.metadata.creationTimestamp ?? '') || now;
  const books = { ledger: orderLedger, domain: domainBook, limits: settings.orderLimits };
  const turn = hasTurn(snapshot, request);
  const wait = turn ? null : steady(waitFor(books, payerOf(snapshot), since, now), domain.status?.certificate, now);
  const why = turn ? 'waits for a fresh look at DNS and CAA' : wait ? waitSentence[wait.reason] : waitsForTurn;
  return { actions: [...settleOrders(snapshot), ...withhold(request, why, now)], asks: idOf(request), wait };
}

/** Who pays for the next order of this domain. */
export const payerOf = ({
  domain,
  account,
  certificate,
  settings,
  served,
  domainBook,
  now,
}: DomainSnapshot): Payer => ({
  account: account?.spec.id ?? '',
  domain: registrableDomain(domain.spec.hostname),
  weight: weightOf(settings.orderLimits, account?.spec.plan ?? ''),
  kind: orderClass(certificate, now),
  served: Math.max(served, domainBook.orders.size),
});

function settleOrders({ claim, requests }: DomainSnapshot): readonly Action[] {
  const before = claim?.spec.orders ?? [];
  const after = withOutcomes(before, requests);
  if (!claim || after === before) return [];
  return [{ verb: 'replace', kind: HostnameClaimKind, object: claimWith(claim, after) }];
}
