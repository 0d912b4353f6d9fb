import type { CaaCode } from '../../rules/verdict-codes.ts';

/** How an authority interprets a CAA record set: as Boulder does, or by the strictest reading of the RFCs. */
export type CaaProfile = 'boulder' | 'strict';

/** What is known about the software of authorities, by CAA issuer domain. */
const knownProfiles: ReadonlyMap<string, CaaProfile> = new Map([['letsencrypt.org', 'boulder']]);

/** The profile of the authority with these CAA issuer domains: strict unless all of them are known to run Boulder. */
export function caaProfileOf(domains: readonly string[]): CaaProfile {
  const profiles = domains.map((domain) => knownProfiles.get(domain.toLowerCase()) ?? 'strict');
  return profiles.length > 0 && profiles.every((profile) => profile === 'boulder') ? 'boulder' : 'strict';
}

const closestFirst: readonly CaaCode[] = [
  'CaaForbidsMethod',
  'CaaForbidsAccount',
  'CaaForbidsAuthority',
  'CaaMalformed',
];

/**
 * The result for a record set, of the results for its `issue` properties: null (permitted) when there are none or one of
 * them permits (RFC 8659 section 4.2); otherwise the refusal that is closest to permission, as the easiest to fix.
 */
export function closestRefusal(results: readonly (CaaCode | null)[]): CaaCode | null {
  if (results.length === 0 || results.includes(null)) return null;
  return closestFirst.find((code) => results.includes(code)) ?? 'CaaForbidsAuthority';
}
