import { nameBelow } from './hostname.ts';
import { baseOf } from './wildcard.ts';

/**
 * Where an authority looks for the answer to a challenge of DNS-01 (RFC 8555, section 8.4). Null for a hostname so long that no name
 * fits below it. A wildcard's is that of its base (RFC 8555, section 7.1.3).
 */
export const dnsChallengeName = (hostname: string): string | null => nameBelow(baseOf(hostname), '_acme-challenge');
