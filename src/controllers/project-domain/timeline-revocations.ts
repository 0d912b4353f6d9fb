import { ordersOfHolder } from '../../issuing/order-history.ts';
import { timeOf } from '../../rules/next-dns-check.ts';
import type { OrderEntry } from '../../rules/order-ledger/hostname-orders.ts';
import type { TimelineEntry, timelineReasons } from '../../rules/timeline.ts';
import { kindOf } from '../../rules/timeline.ts';
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
  const [oldest, ...others] = (domain.status?.timeline ?? []).filter((entry) => kindOf(entry) === 'Certificate');
  const mark = Math.max(0, ...[oldest, ...others.filter(isRevoked)].map((entry) => timeOf(entry?.at) ?? 0));
  return ordersOfHolder(claim)
    .flatMap((order) => revocationEntry(order, state))
    .filter(({ at }) => Date.parse(at) > mark)
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

function revocationEntry({ acme, revocation }: OrderEntry, state: TimelineEntry['state']): readonly TimelineEntry[] {
  if (revocation?.result !== 'Revoked' || revocation.endedAt === undefined) return [];
  const { endedAt: at, reason } = revocation;
  const notAfter = acme?.notAfter ?? '';
  const message = `the certificate that is valid until ${notAfter} was revoked (${reason})`;
  return [{ at, kind: 'Certificate', state, reason: revoked, params: { reason, notAfter }, message }];
}

/** The last entry about a certificate that was served; undefined without one. */
export const lastServed = (timeline: readonly TimelineEntry[]): TimelineEntry | undefined =>
  timeline.findLast((entry) => kindOf(entry) === 'Certificate' && !isRevoked(entry));
