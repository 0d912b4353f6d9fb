import type { Finding } from './conditions.ts';
import { isTrue } from './conditions.ts';
import { verifiedReasons } from './reasons.ts';

/** A ProjectDomain's state: a summary of its conditions and nothing else (docs/concepts/states.md). */
export type DomainState = 'Pending' | 'Unverified' | 'Verified' | 'Live' | 'Degraded' | 'Suspended';

/** Findings by condition type, without the summary Ready. */
export interface DomainFindings {
  readonly Accepted: Finding;
  readonly OwnershipVerified: Finding;
  readonly DNSVerified: Finding;
  readonly CertificateIssued: Finding;
  readonly Routed: Finding;
}

const withdrawnReason = 'Withdrawn';

/** The first state that matches. */
export function domainState(findings: DomainFindings): DomainState {
  const { Accepted, OwnershipVerified, DNSVerified, Routed } = findings;
  if (Object.values(findings).every(isTrue)) return 'Live';
  if (isTrue(Routed)) return 'Degraded';
  if (Routed.status === 'False' && Routed.reason === withdrawnReason) return 'Suspended';
  if (!isTrue(Accepted)) return 'Pending';
  if (!isTrue(DNSVerified) || !isTrue(OwnershipVerified)) return 'Unverified';
  return 'Verified';
}

/** The finding that people should read first: why the domain is not Live. Null when it is. */
export function blockingFinding(findings: DomainFindings): Finding | null {
  const { Accepted, DNSVerified, OwnershipVerified, CertificateIssued, Routed } = findings;
  const contested = OwnershipVerified.reason === verifiedReasons.HeldElsewhere ? [OwnershipVerified] : [];
  const order =
    domainState(findings) === 'Suspended'
      ? [Routed]
      : [Accepted, ...contested, DNSVerified, OwnershipVerified, CertificateIssued, Routed];
  return order.find((finding) => !isTrue(finding)) ?? null;
}

/** The summary condition: equals Routed, with the reason that matters most to a person. */
export function readyFinding(findings: DomainFindings): Finding {
  const blocking = blockingFinding(findings);
  if (blocking === null) return findings.Routed;
  return {
    status: findings.Routed.status === 'True' ? 'True' : 'False',
    reason: blocking.reason,
    message: blocking.message,
  };
}
