import { nameBelow } from './name-below.ts';

/**
 * Where an authority looks for the answer to a challenge of DNS-01 (RFC 8555, section 8.4). Null for a hostname so long that no name
 * fits below it.
 */
export const dnsChallengeName = (hostname: string): string | null => nameBelow(hostname, '_acme-challenge');
