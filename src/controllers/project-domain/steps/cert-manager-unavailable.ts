import { findCondition, isTrue, unknown, yes } from '../../../rules/conditions.ts';
import { certificateReasons as reasons } from '../../../rules/reasons.ts';
import { minutes } from '../check-schedule.ts';
import type { ProjectDomainSnapshot } from '../project-domain-snapshot.ts';
import type { CertificateStep } from './certificate-step.ts';
import { findingOnly } from './certificate-step.ts';

const again = 1 * minutes;

/**
 * While cert-manager is away nothing is known of certificates and nothing can be asked of it: what was issued counts as
 * issued, and what is not yet waits. DNS, claims and routes go on.
 */
export function whileCertManagerUnavailable({ domain, now }: ProjectDomainSnapshot): CertificateStep {
  const before = findCondition(domain.status?.conditions, 'CertificateIssued');
  if (before && isTrue(before)) return findingOnly(yes(before.reason, before.message));
  const finding = unknown(reasons.Waiting, 'cert-manager does not answer; the certificate is ordered when it does');
  return { ...findingOnly(finding), overdueAt: now + again };
}
