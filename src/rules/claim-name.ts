import { baseOf, isWildcard, wildcardOf } from './wildcard.ts';

/**
 * How the claim of a wildcard is named: by its base, below a label that no hostname can have, as its third and fourth characters are
 * hyphens and it is no A-label (RFC 5890, section 2.3.1). An asterisk is none of Kubernetes' characters.
 */
export const wildcardLabel = 'wc--wildcard';
const prefix = `${wildcardLabel}.`;

/** Name of a hostname's claim, and of the ProjectDomain that REST makes of it: the hostname, but for a wildcard. */
export const claimName = (hostname: string): string =>
  isWildcard(hostname) ? `${prefix}${baseOf(hostname)}` : hostname;

/** The hostname whose claim has this name. */
export const claimedHostname = (name: string): string =>
  name.startsWith(prefix) ? wildcardOf(name.slice(prefix.length)) : name;

/** Key of a hostname's claim in caches and cluster. */
export const claimKey = (hostname: string) => ({ namespace: '', name: claimName(hostname) }) as const;
