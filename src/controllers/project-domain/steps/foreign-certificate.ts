import { seconds } from '../../../rules/check-schedule.ts';
import type { Finding } from '../../../rules/conditions.ts';
import { isTrue, no } from '../../../rules/conditions.ts';
import type { CertificateReason } from '../../../rules/reasons.ts';
import type { ProbeResult } from '../../../routing/https-probe.ts';
import { showsOwn } from '../../../routing/https-probe.ts';
import type { AssessedProjectDomain, ProjectDomainSnapshot } from '../project-domain-snapshot.ts';

/** For so long an edge may be behind with a certificate that changed. */
const foreignAfter = 10 * seconds;

const reason = 'ForeignCertificate' satisfies CertificateReason;

/** Whether the edge answered, with a certificate that is none of the hostname's. */
export const isForeign = (probe: ProbeResult | null): boolean => probe?.ok === false && probe.isForeign === true;

/** Whether the domain says already that its hostname answers with another's certificate. */
export const isToldForeign = ({ before }: Pick<AssessedProjectDomain, 'before'>): boolean =>
  before.CertificateIssued?.reason === reason;

/** What is said of the certificate: what was decided, unless visitors see another one. A look that shows none changes nothing. */
export function withForeign(
  snapshot: ProjectDomainSnapshot,
  finding: Finding<CertificateReason>,
): Finding<CertificateReason> {
  return isTrue(finding) && isForeignNow(snapshot)
    ? no(
        reason,
        `the hostname answers with a certificate that is not its own${detailOf(snapshot.probe)}; it is asked again every minute`,
      )
    : finding;
}

function isForeignNow(snapshot: ProjectDomainSnapshot): boolean {
  const { probe, unansweredSince, now } = snapshot;
  if (!isForeign(probe)) return isToldForeign(snapshot) && !showsOwn(probe);
  return isToldForeign(snapshot) || (unansweredSince !== null && now - unansweredSince >= foreignAfter);
}

const detailOf = (probe: ProbeResult | null): string => (probe && !probe.ok ? ` (${probe.detail})` : '');
