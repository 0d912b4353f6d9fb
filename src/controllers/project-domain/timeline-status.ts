import type { ProjectDomain } from '../../generated/project-domain.ts';
import { ordersOfHolder, requestId, withOutcomes } from '../../issuing/order-history.ts';
import type { Certificate } from '../../resources/cert-manager-types.ts';
import { clip, schemaBounds } from '../../resources/object-limits.ts';
import type { Finding } from '../../rules/conditions.ts';
import { timestamp, findCondition } from '../../rules/conditions.ts';
import type { DomainState } from '../../rules/domain-state.ts';
import { timeOf } from '../../rules/next-dns-check.ts';
import type { OrderEntry } from '../../rules/order-ledger/hostname-orders.ts';
import type { TimelineEntry, timelineReasons } from '../../rules/timeline.ts';
import { bounded, isRevoked, kindOf, lastOf, lastServed, places } from '../../rules/timeline.ts';
import type { ProjectDomainSnapshot } from './project-domain-snapshot.ts';
import { findingEntries } from './timeline-findings.ts';
import { ownCertificateEntries, servesOwn, isOwnEntry } from './own-certificate/own-timeline.ts';

type Status = NonNullable<ProjectDomain['status']>;

interface Concluded {
  readonly state: DomainState;
  /** the summary of the findings */
  readonly ready: Finding;
}

/** The parts of the new status that the timeline compares with the status before. */
interface Written {
  readonly issues: NonNullable<Status['issues']>;
  readonly certificate: NonNullable<Status['certificate']>;
}

/**
 * The timeline with what happened since the status before: causes first, then the state that follows. Told of the same
 * snapshot again, it stays the same array.
 */
export function timelineStatus(
  snapshot: ProjectDomainSnapshot,
  { state, ready }: Concluded,
  { issues, certificate }: Written,
): readonly TimelineEntry[] {
  const { domain, now } = snapshot;
  const before = domain.status?.timeline ?? [];
  const { reason, message } = ready;
  const entered =
    lastOf(before, 'State')?.state === state
      ? []
      : [{ at: timestamp(now), state, reason, message: clip(message, schemaBounds.message) }];
  const news = [
    ...orderEntries(snapshot, state),
    ...findingEntries(snapshot, { state, issues }),
    ...(servesOwn(certificate)
      ? ownCertificateEntries(snapshot, certificate, state)
      : certificateEntries(snapshot, certificate.notAfter, state)),
    ...revocationEntries(snapshot, state),
    ...entered,
  ];
  return news.length === 0 ? before : bounded([...before, ...news]);
}

type State = TimelineEntry['state'];
type OrderChange = keyof (typeof timelineReasons)['Order'];
type CertificateChange = keyof (typeof timelineReasons)['Certificate'];

interface OrderEvent {
  readonly reason: OrderChange;
  readonly order: OrderEntry;
}

/**
 * The orders of this holder, and their failures, that the timeline does not tell yet. Orders are told in turn, so the last
 * one that was told marks how far it has come; before the first one, the last order that the status knows does.
 */
function orderEntries(snapshot: ProjectDomainSnapshot, state: State): readonly TimelineEntry[] {
  const { domain, claim, claimRelation, requests } = snapshot;
  if (!claim || claimRelation.kind !== 'Held') return [];
  const { timeline = [], certificate } = domain.status ?? {};
  const last = lastOf(timeline, 'Order');
  const mark = timeOf(last?.params?.orderedAt ?? certificate?.requestedAt) ?? 0;
  const isTold = ({ reason, order }: OrderEvent): boolean =>
    Date.parse(order.at) < mark ||
    (Date.parse(order.at) === mark && (reason === 'Ordered' || last?.reason !== 'Ordered'));
  return withOutcomes(ordersOfHolder(claim), requests)
    .flatMap(eventsOfOrder)
    .filter((event) => !isTold(event))
    .map((event) => orderEntry(event, snapshot, state));
}

const eventsOfOrder = (order: OrderEntry): readonly OrderEvent[] => [
  { reason: 'Ordered', order },
  ...(order.outcome === 'Failed' || order.outcome === 'Abandoned' ? [{ reason: order.outcome, order }] : []),
];

function orderEntry({ reason, order }: OrderEvent, snapshot: ProjectDomainSnapshot, state: State): TimelineEntry {
  const { at: orderedAt, kind = 'First', waitsUntil } = order;
  const params = { orderedAt, order: kind };
  if (reason === 'Ordered')
    return { at: orderedAt, kind: 'Order', state, reason, params, message: 'a certificate was ordered' };
  if (reason === 'Abandoned') {
    const at = order.endedAt ?? timestamp(snapshot.now);
    return { at, kind: 'Order', state, reason, params, message: 'the order was given up, and nobody had refused it' };
  }
  const { at, answer } = failureOf(order, snapshot);
  return {
    at,
    kind: 'Order',
    state,
    reason,
    params: { ...params, ...(waitsUntil ? { until: waitsUntil } : {}) },
    message: clip(answer, schemaBounds.timelineText),
  };
}

/** When an order failed and what the authority said, as far as its request is still there to tell. */
function failureOf(order: OrderEntry, { requests, now }: ProjectDomainSnapshot) {
  const status = requests.find((request) => requestId(request) === order.request)?.status;
  const answer = findCondition(status?.conditions, 'Ready')?.message;
  return { at: status?.failureTime ?? timestamp(now), answer: answer ?? 'the order ended without a certificate' };
}

/** A certificate that ends at another time than the last one: the first, or its renewal. */
function certificateEntries(
  { domain, now }: ProjectDomainSnapshot,
  notAfter: NonNullable<Certificate['status']>['notAfter'],
  state: State,
): readonly TimelineEntry[] {
  const { timeline = [], certificate } = domain.status ?? {};
  const last = lastServed(timeline);
  const before = isOwnEntry(last) ? undefined : (last?.params?.notAfter ?? certificate?.notAfter);
  if (notAfter === undefined || notAfter === before) return [];
  const reason: CertificateChange = before !== undefined && before < notAfter ? 'Renewed' : 'Issued';
  const message = `the certificate is valid until ${notAfter}`;
  return [{ at: timestamp(now), kind: 'Certificate', state, reason, params: { notAfter }, message }];
}

/**
 * The certificates of this holder that were revoked, and that the timeline does not tell yet. They are told by their time, so the latest one
 * that was told marks how far it has come; where none is left of those, its oldest entry about a certificate does.
 */
function revocationEntries(
  { domain, claim, claimRelation }: ProjectDomainSnapshot,
  state: State,
): readonly TimelineEntry[] {
  if (!claim || claimRelation.kind !== 'Held') return [];
  const before = (domain.status?.timeline ?? []).filter((entry) => kindOf(entry) === 'Certificate');
  const told = before.filter(isRevoked);
  const mark = Math.max(0, ...[before[0], ...told].map((entry) => timeOf(entry?.at) ?? 0));
  return ordersOfHolder(claim)
    .flatMap((order) => revocationEntry(order, state))
    .filter((entry) => Date.parse(entry.at) > mark || isOfLastSecond(entry, before))
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

/** Another one of the second that was told last. Where that has all the places, some of it may be gone from the timeline. */
function isOfLastSecond({ at, params }: TimelineEntry, before: readonly TimelineEntry[]): boolean {
  const same = before.filter((entry) => isRevoked(entry) && entry.at === at);
  const isLast = before.at(-1)?.at === at && same.length > 0 && same.length < places.Certificate;
  return isLast && !same.some((entry) => entry.params?.orderedAt === params?.orderedAt);
}

function revocationEntry({ at: orderedAt, acme, revocation }: OrderEntry, state: State): readonly TimelineEntry[] {
  if (revocation?.result !== 'Revoked' || revocation.endedAt === undefined) return [];
  const { endedAt: at, reason } = revocation;
  const notAfter = acme?.notAfter ?? '';
  const message = `the certificate that is valid until ${notAfter} was revoked (${reason})`;
  return [
    {
      at,
      kind: 'Certificate',
      state,
      reason: 'Revoked' satisfies CertificateChange,
      params: { reason, notAfter, orderedAt },
      message,
    },
  ];
}
