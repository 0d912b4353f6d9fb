const label = '_acme-challenge';
/** characters of a name without the trailing dot */
const maxNameLength = 253;

/**
 * Where an authority looks for the answer to a challenge of DNS-01 (RFC 8555, section 8.4). Null for a hostname so long that no name
 * fits below it.
 */
export function dnsChallengeName(hostname: string): string | null {
  const name = `${label}.${hostname}`;
  return name.length <= maxNameLength ? name : null;
}
