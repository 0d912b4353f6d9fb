import type { ProjectDomain } from '../../generated/project-domain.ts';
import { clip, schemaBounds } from '../../resources/object-limits.ts';
import type { Finding } from '../../rules/conditions.ts';
import { timestamp } from '../../rules/conditions.ts';
import type { DomainState } from '../../rules/domain-state.ts';
import type { TimelineEntry } from '../../rules/timeline.ts';
import { bounded, lastOf } from '../../rules/timeline.ts';
import type { ProjectDomainSnapshot } from './project-domain-snapshot.ts';
import { findingEntries } from './timeline-findings.ts';
import { certificateEntries, orderEntries } from './timeline-orders.ts';
import { ownCertificateEntries, servesOwn } from './timeline-own-certificate.ts';
import { revocationEntries } from './timeline-revocations.ts';

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
