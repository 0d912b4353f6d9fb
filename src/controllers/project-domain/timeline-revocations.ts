import { ordersOfHolder } from '../../issuing/order-history.ts';
import { timeOf } from '../../rules/next-dns-check.ts';
import type { OrderEntry } from '../../rules/order-ledger/hostname-orders.ts';
import type { TimelineEntry, timelineReasons } from '../../rules/timeline.ts';
import { kindOf, places } from '../../rules/timeline.ts';
import type { ProjectDomainSnapshot } from './project-domain-snapshot.ts';

const revoked: keyof (typeof timelineReasons)['Certificate'] = 'Revoked';
const isRevoked = ({ reason }: TimelineEntry): boolean => reason === revoked;

/**
 * The certificates of this holder that were revoked, and that the timeline does not tell yet. They are told by their time, so the latest one
 * that was told marks how far it has come; where none is left of those, its oldest entry about a certificate does.
 */
export function revocationEntries(
  { domain, claim, claimRelation }: Pick<ProjectDomainSnapshot, 'domain' | 'claim' | 'claimRelation'>,
  state: TimelineEntry['state'],
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

function revocationEntry(
  { at: orderedAt, acme, revocation }: OrderEntry,
  state: TimelineEntry['state'],
): readonly TimelineEntry[] {
  if (revocation?.result !== 'Revoked' || revocation.endedAt === undefined) return [];
  const { endedAt: at, reason } = revocation;
  const notAfter = acme?.notAfter ?? '';
  const message = `the certificate that is valid until ${notAfter} was revoked (${reason})`;
  return [{ at, kind: 'Certificate', state, reason: revoked, params: { reason, notAfter, orderedAt }, message }];
}

/** The last entry about a certificate that was served; undefined without one. */
export const lastServed = (timeline: readonly TimelineEntry[]): TimelineEntry | undefined =>
  timeline.findLast((entry) => kindOf(entry) === 'Certificate' && !isRevoked(entry));
