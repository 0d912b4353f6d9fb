import { challengeName } from './desired-records.ts';
import { nameBelow } from './hostname.ts';

/** Where records end up that a form made something else of, or whose owner misread the name. All are names of the hostname's zone. */

/** A form that appends the zone to a full name makes `www.example.com.example.com`. Null where there is no room for it. */
export const doubledName = (name: string, zone: string): string | null => nameBelow(zone, name);

/**
 * A name that nobody has: what it shows is a wildcard's, and so is the same beside it. Null where there is no room for it. A name that exists ends
 * the wildcard for all that is below its own parents (RFC 4592 section 3.3.1), so a doubled name has a witness of its own, which is this one doubled.
 */
export const nobodyBelow = (zone: string): string | null => nameBelow(zone, '_projectdomain-nobody');

/** Names at which the routing record may be instead: under the first label alone, as for `shop` instead of `shop.eu`. */
export function mistakenNames(hostname: string, zone: string): readonly string[] {
  const [label = ''] = hostname.split('.');
  const short = hostname === zone ? null : nameBelow(zone, label);
  return [...new Set([short ?? hostname])].filter((name) => name !== hostname);
}

/**
 * Names at which the ownership record may be instead: the hostname and the zone themselves, the first label alone below the zone, and, as some forms
 * refuse it, without the underscore.
 */
export function mistakenTxtNames(hostname: string, zone: string): readonly string[] {
  const own = challengeName(hostname);
  const bare = own === null ? zone : own.slice(1);
  return [...new Set([hostname, zone, challengeName(zone) ?? zone, bare])].filter((name) => name !== own);
}
