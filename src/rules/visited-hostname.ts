import { childName } from './dns-target.ts';
import { baseOf, isWildcard } from './wildcard.ts';

/** A hostname that visitors can ask for: of a wildcard one that it includes, by a label of our own that nobody uses. */
export const visitedHostname = (hostname: string): string =>
  isWildcard(hostname) ? `${childName(hostname)}.${baseOf(hostname)}` : hostname;
