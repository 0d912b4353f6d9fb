import type { IpRange } from './ip-range.ts';
import { isInRanges, parseIpRange } from './ip-range.ts';

/** The addresses that visitors of a CDN's customers see, as the CDN publishes them. */
interface Cdn {
  readonly name: string;
  /** where the list is published */
  readonly source: string;
  /** the day for which the list was compared, YYYY-MM-DD */
  readonly asOf: string;
  readonly ranges: readonly IpRange[];
}

/**
 * CDNs that publish the ranges which they answer from, and use them for nothing else. One that is missing here costs its
 * customers no certificate and no route: its addresses count as those of any other server until a token comes through.
 */
export const knownCdns: readonly Cdn[] = Object.freeze([
  {
    name: 'Cloudflare',
    source: 'https://www.cloudflare.com/ips/',
    asOf: '2026-09-29',
    ranges: [
      '103.21.244.0/22',
      '103.22.200.0/22',
      '103.31.4.0/22',
      '104.16.0.0/13',
      '104.24.0.0/14',
      '108.162.192.0/18',
      '131.0.72.0/22',
      '141.101.64.0/18',
      '162.158.0.0/15',
      '172.64.0.0/13',
      '173.245.48.0/20',
      '188.114.96.0/20',
      '190.93.240.0/20',
      '197.234.240.0/22',
      '198.41.128.0/17',
      '2400:cb00::/32',
      '2405:8100::/32',
      '2405:b500::/32',
      '2606:4700::/32',
      '2803:f800::/32',
      '2a06:98c0::/29',
      '2c0f:f248::/32',
    ].map(parseIpRange),
  },
  {
    name: 'Fastly',
    source: 'https://api.fastly.com/public-ip-list',
    asOf: '2026-11-22',
    ranges: [
      '23.235.32.0/20',
      '43.249.72.0/22',
      '103.244.50.0/24',
      '103.245.222.0/23',
      '103.245.224.0/24',
      '104.156.80.0/20',
      '140.248.64.0/18',
      '140.248.128.0/17',
      '146.75.0.0/17',
      '151.101.0.0/16',
      '157.52.64.0/18',
      '167.82.0.0/17',
      '167.82.128.0/20',
      '167.82.160.0/20',
      '167.82.224.0/20',
      '172.111.64.0/18',
      '185.31.16.0/22',
      '199.27.72.0/21',
      '199.232.0.0/16',
      '2a04:4e40::/32',
      '2a04:4e42::/32',
    ].map(parseIpRange),
  },
]);

/** What a proxy is called whose range the installation names itself. */
const configuredName = 'the CDN';

/** The name of the CDN that an address belongs to; null for one that belongs to none. */
export function cdnOf(address: string, configured: readonly IpRange[] = []): string | null {
  const known = knownCdns.find(({ ranges }) => isInRanges(address, ranges));
  if (known) return known.name;
  return isInRanges(address, configured) ? configuredName : null;
}
