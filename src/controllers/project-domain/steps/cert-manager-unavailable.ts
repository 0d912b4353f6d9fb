import { findCondition, findingIn, isTrue, unknown } from '../../../rules/conditions.ts';
import { certificateReasons } from '../../../rules/reasons.ts';
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
  const before = findingIn(findCondition(domain.status?.conditions, 'CertificateIssued'), certificateReasons);
  if (before && isTrue(before)) return findingOnly(before);
  const finding = unknown('Waiting', 'cert-manager does not answer; the certificate is ordered when it does');
  return { ...findingOnly(finding), overdueAt: now + again };
}
