import type { ProjectDomain } from '../generated/project-domain.ts';
import type { Finding } from './conditions.ts';
import { isTrue } from './conditions.ts';
import type { AcceptedReason, CertificateReason, RoutedReason, VerifiedReason } from './reasons.ts';

type StateOfResource = NonNullable<NonNullable<ProjectDomain['status']>['state']>;

/** A ProjectDomain's states with their meaning in one line, in the order of its life (docs/concepts/states.md). */
export const domainStates = {
  Pending: 'It may not be served; the reason says what to do.',
  Unverified: 'DNS is not right yet. It is checked automatically for seven days; Verify starts again.',
  Verified: 'DNS is right; the certificate and the route come next, or the reason says what forbids them.',
  Live: 'Served over HTTPS with its certificate. DNS is checked every 15 minutes.',
  Degraded: '**Still served**, but a condition is no longer true. Seven days of grace.',
  Suspended: 'Withdrawn; Secret and claim are kept. Verification brings it back without a new order.',
} as const satisfies Readonly<Record<StateOfResource, string>>;

/** A ProjectDomain's state: a summary of its conditions and nothing else. */
export type DomainState = keyof typeof domainStates;

/** Every state, in the order of a domain's life. */
export const domainStateNames = Object.freeze(Object.keys(domainStates) as DomainState[]);

/** What the conditions of a ProjectDomain can carry. */
export type DomainReason = AcceptedReason | VerifiedReason | CertificateReason | RoutedReason;

/** Findings by condition type, without the summary Ready. */
export interface DomainFindings {
  readonly Accepted: Finding<AcceptedReason>;
  readonly OwnershipVerified: Finding<VerifiedReason>;
  readonly DNSVerified: Finding<VerifiedReason>;
  readonly CertificateIssued: Finding<CertificateReason>;
  readonly Routed: Finding<RoutedReason>;
}

/** The first state that matches. */
export function domainState(findings: DomainFindings): DomainState {
  const { Accepted, OwnershipVerified, DNSVerified, Routed } = findings;
  if (Object.values(findings).every(isTrue)) return 'Live';
  if (isTrue(Routed)) return 'Degraded';
  if (Routed.status === 'False' && Routed.reason === 'Withdrawn') return 'Suspended';
  if (!isTrue(Accepted)) return 'Pending';
  if (!isTrue(DNSVerified) || !isTrue(OwnershipVerified)) return 'Unverified';
  return 'Verified';
}

/** The finding that people should read first: why the domain is not Live. Null when it is. */
function blockingFinding(findings: DomainFindings): Finding<DomainReason> | null {
  const { Accepted, DNSVerified, OwnershipVerified, CertificateIssued, Routed } = findings;
  const contested = OwnershipVerified.reason === 'HeldElsewhere' ? [OwnershipVerified] : [];
  const order =
    domainState(findings) === 'Suspended'
      ? [Routed]
      : [Accepted, ...contested, DNSVerified, OwnershipVerified, CertificateIssued, Routed];
  return order.find((finding) => !isTrue(finding)) ?? null;
}

/** The summary condition: equals Routed, with the reason that matters most to a person. */
export function readyFinding(findings: DomainFindings): Finding<DomainReason> {
  const blocking = blockingFinding(findings);
  if (blocking === null) return findings.Routed;
  return {
    status: findings.Routed.status === 'True' ? 'True' : 'False',
    reason: blocking.reason,
    message: blocking.message,
  };
}

/** How many of the domains that are served fail at this moment, and over how many namespaces both are spread. */
export interface FailureCounts {
  readonly served: number;
  readonly failing: number;
  readonly namespaces: number;
  readonly failingNamespaces: number;
}

const failingAtLeast = 10;
const failingShare = 1 / 10;
/** What one or two accounts do is their own matter, however many domains they have. */
const namespacesAtLeast = 3;

/**
 * More than a tenth of all served domains fail at once, in more than a tenth of the namespaces: that is hardly their
 * owners' doing. Nobody is degraded or suspended for it until it is over.
 */
export function isMassFailure({ served, failing, namespaces, failingNamespaces }: FailureCounts): boolean {
  if (failing < failingAtLeast || failing <= served * failingShare) return false;
  return failingNamespaces >= Math.min(namespacesAtLeast, namespaces) && failingNamespaces > namespaces * failingShare;
}
