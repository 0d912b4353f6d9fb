import { acceptanceFinding } from '../../../rules/acceptance.ts';
import type { Finding } from '../../../rules/conditions.ts';
import type { ProjectDomainSnapshot } from '../project-domain-snapshot.ts';

/** The Accepted finding, by the rules that the REST API answers with too. */
export function acceptedFinding({ settings, ...snapshot }: ProjectDomainSnapshot): Finding {
  return acceptanceFinding({ ...snapshot, platformDomains: [settings.platformDomain, settings.cnameDomain] });
}
