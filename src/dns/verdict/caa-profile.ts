/** How an authority interprets a CAA record set: as Boulder does, or by the strictest reading of the RFCs. */
export type CaaProfile = 'boulder' | 'strict';

/** What is known about the software of authorities, by CAA issuer domain. */
const knownProfiles: ReadonlyMap<string, CaaProfile> = new Map([['letsencrypt.org', 'boulder']]);

/** The profile of the authority with these CAA issuer domains: strict unless all of them are known to run Boulder. */
export function caaProfileOf(domains: readonly string[]): CaaProfile {
  const profiles = domains.map((domain) => knownProfiles.get(domain.toLowerCase()) ?? 'strict');
  return profiles.length > 0 && profiles.every((profile) => profile === 'boulder') ? 'boulder' : 'strict';
}
