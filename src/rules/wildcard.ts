const prefix = '*.';

/** True for a wildcard, `*.example.com`: every hostname one label below its base (RFC 4592, RFC 9525 section 6.3). */
export const isWildcard = (hostname: string): boolean => hostname.startsWith(prefix);

/** The base of a wildcard: example.com for `*.example.com`. Any other hostname is its own. */
export const baseOf = (hostname: string): string => (isWildcard(hostname) ? hostname.slice(prefix.length) : hostname);

/** The wildcard of a base. That of a wildcard is none that anybody can have. */
export const wildcardOf = (base: string): string => `${prefix}${base}`;

/** The one wildcard that includes a hostname: `*.example.com` for www.example.com. Null for a wildcard, which none includes. */
export function wildcardAbove(hostname: string): string | null {
  const parent = hostname.slice(hostname.indexOf('.') + 1);
  return isWildcard(hostname) || !parent.includes('.') ? null : wildcardOf(parent);
}
