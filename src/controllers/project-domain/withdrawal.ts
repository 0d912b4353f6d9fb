import { EndpointSliceKind, ServiceKind } from '../../resources/kinds.ts';
import { isMassFailure } from '../../rules/domain-state.ts';
import type { Finding } from '../../rules/conditions.ts';
import { days } from '../../rules/check-schedule.ts';
import { redirectBackend } from '../../routing/redirect-service.ts';
import { suspensionParts } from '../../routing/route-port.ts';
import { suspendedBecause } from '../../rules/claim-suspension.ts';
import { withdrawnReasons } from '../../rules/codes/routed-reasons.ts';
import type { WithdrawnReason } from '../../rules/reasons.ts';
import type { RefusedWrite } from '../refused-write.ts';
import type { ProjectDomainSnapshot } from './project-domain-snapshot.ts';

const grace = 7 * days;

/** Why a domain is not served any more. */
interface Withdrawal {
  readonly reason: WithdrawnReason;
  /** the same as a sentence, with what is known of this one */
  readonly message: string;
}

/**
 * Why a held domain must no longer be served, or null. After losing DNS or its plan it has seven days of grace, counted
 * from the condition's transition; an administrator's annotation takes effect at once, and so does the
 * deletion of what it stands on. A wildcard is suspended as well while the cluster refuses what leads suspended hostnames around it. Unknown never
 * suspends, and during a mass failure no domain is suspended for its DNS or its plan.
 */
export function suspension(snapshot: ProjectDomainSnapshot, dns: Finding): Withdrawal | null {
  const { domain, claim, claimAbove, suspendedBelow, claimRelation, accepted, leaving } = snapshot;
  if (claimRelation.kind !== 'Held') return null;
  if (leaving !== null) return { reason: 'ParentDeleted', message: leaving };
  const claims = { claim, claimAbove, suspendedBelow: suspendedBelow.length };
  const why = suspendedBecause(domain.spec.hostname, claims);
  if (why !== null) return { reason: 'SuspendedByAdministrator', message: why };
  if (isDetourRefused(snapshot)) return { reason: 'SuspendedByAdministrator', message: whyRefused };
  if (isSpared(snapshot)) return null;
  if (isOverGrace(snapshot, 'DNSVerified', dns))
    return { reason: 'LedElsewhere', message: withdrawnReasons.LedElsewhere.sentence({ dns: dns.message }) };
  if (isOverGrace(snapshot, 'Accepted', accepted))
    return { reason: 'NotAllowed', message: withdrawnReasons.NotAllowed.sentence({ accepted: accepted.message }) };
  return null;
}

const whyRefused =
  'an administrator suspended a hostname below it, and the cluster refuses what leads that one to the redirector instead';

/** How long until it is looked at again, in milliseconds: the redirector's objects of the namespace are written by others. */
const refusedAgainMs = 60_000;

/** Milliseconds since the Unix epoch; null unless a wildcard is suspended for what the cluster refuses. */
export const refusedUntil = (snapshot: ProjectDomainSnapshot): number | null =>
  snapshot.claimRelation.kind === 'Held' && isDetourRefused(snapshot) ? snapshot.now + refusedAgainMs : null;

/** Without one of these objects the wildcard's own route would catch the suspended hostname: the redirector's, or those that lead there. */
function isDetourRefused({ domain, settings, suspendedBelow, refused = [] }: ProjectDomainSnapshot): boolean {
  if (suspendedBelow.length === 0) return false;
  const { namespace = '' } = domain.metadata;
  const parts = suspensionParts(settings.routes, namespace, domain.spec.hostname);
  const isOfRedirector = ({ kind, name }: RefusedWrite) =>
    (kind === ServiceKind.kind || kind === EndpointSliceKind.kind) && name.startsWith(redirectBackend.name);
  return refused.some(
    (one) => isOfRedirector(one) || parts.some(({ kind, key }) => kind.kind === one.kind && key.name === one.name),
  );
}

/** When the grace period ends, for the requeue, milliseconds since the Unix epoch; null when none is running. */
export function graceEnds(snapshot: ProjectDomainSnapshot): number | null {
  if (isSpared(snapshot)) return null;
  const { Accepted, DNSVerified } = snapshot.before;
  const falseSince = [Accepted, DNSVerified].flatMap((condition) => {
    return condition?.status === 'False' ? [Date.parse(condition.lastTransitionTime) + grace] : [];
  });
  const ahead = falseSince.filter((time) => time > snapshot.now);
  return ahead.length === 0 ? null : Math.min(...ahead);
}

/** A mass failure spares domains that are still served; one that is already suspended does not come back because of it. */
const isSpared = ({ domain, failureCounts }: ProjectDomainSnapshot): boolean =>
  domain.status?.state !== 'Suspended' && isMassFailure(failureCounts);

function isOverGrace(
  { before, now }: ProjectDomainSnapshot,
  type: 'Accepted' | 'DNSVerified',
  finding: Finding,
): boolean {
  const since = before[type];
  if (finding.status !== 'False' || since?.status !== 'False') return false;
  return now - Date.parse(since.lastTransitionTime) >= grace;
}
