import { acceptanceFinding } from '../../rules/acceptance.ts';
import type { AssessedProjectDomain, GatheredProjectDomain } from './project-domain-snapshot.ts';

/**
 * Says what the rules make of what was gathered, once: whether DNS is asked at all rests on it, and so does everything
 * that is decided afterwards. The same rules answer REST.
 */
export function assessProjectDomain(gathered: GatheredProjectDomain): AssessedProjectDomain {
  const { platformDomain, cnameDomain } = gathered.settings;
  const accepted = acceptanceFinding({ ...gathered, platformDomains: [platformDomain, cnameDomain] });
  return Object.freeze({ ...gathered, accepted });
}
