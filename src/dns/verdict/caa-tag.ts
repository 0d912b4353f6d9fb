import type { CaaProperty } from '../dns-facts.ts';
import type { CaIdentity } from './dns-verdict.ts';

/**
 * The tag of the properties that decide: `issue`; for a wildcard `issuewild` where the set has any, and then those alone (RFC 8659
 * section 4.3).
 */
export const decisiveTag = (
  properties: readonly Pick<CaaProperty, 'tag'>[],
  { isForWildcard = false }: Pick<CaIdentity, 'isForWildcard'>,
): 'issue' | 'issuewild' =>
  isForWildcard && properties.some(({ tag }) => tag === 'issuewild') ? 'issuewild' : 'issue';
