import { findCondition, isTrue, unknown, yes } from '../../../model/condition.ts';
import { certificateReasons as reasons } from '../../../model/reasons.ts';
import { minutes } from '../schedule.ts';
import type { ProjectDomainSnapshot } from '../snapshot.ts';
import type { CertificateStep } from './certificate.ts';
import { findingOnly } from './certificate.ts';

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
