import { acceptanceFinding } from '../../../model/acceptance.ts';
import type { Finding } from '../../../model/condition.ts';
import type { ProjectDomainSnapshot } from '../snapshot.ts';

/** The Accepted finding, by the rules that the REST API answers with too. */
export function acceptedFinding({ settings, ...snapshot }: ProjectDomainSnapshot): Finding {
  return acceptanceFinding({ ...snapshot, platformDomains: [settings.platformDomain, settings.cnameDomain] });
}
