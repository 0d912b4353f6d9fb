import { BlockList, isIP } from 'node:net';

/**
 * IPv4 addresses that a customer's records must never make us contact: IANA's IPv4 special-purpose registry (RFC 6890),
 * multicast, and Azure's virtual public IP. The whole registry is refused, even its few globally reachable blocks: no
 * customer's name server is there.
 */
const refusedV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/** All space assigned as global unicast (RFC 4291 section 2.4; IANA's IPv6 address space registry). */
const globalV6 = ['2000::/3'];

/** What IANA's IPv6 special-purpose registry excludes of it: Teredo, ORCHID, documentation, 6to4, AS112 and others. */
const refusedV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];

/** May a packet be sent to this address? */
export type AddressRule = (address: string) => boolean;

/** `permitted` are exceptions that an administrator configured: addresses or CIDR ranges such as `127.0.0.0/8`. */
export function addressRule(permitted: readonly string[]): AddressRule {
  const isPermitted = permittedRule(permitted);
  return (address) => {
    const family = isIP(address);
    if (family === 0 || address.includes('%')) return false;
    if (isPermitted(address)) return true;
    return family === 4 ? !isRefusedV4(address) : isGlobalV6(address) && !isRefusedV6(address);
  };
}

/** True for the configured addresses and ranges only. */
export function permittedRule(permitted: readonly string[]): AddressRule {
  const v4 = listOf(permitted.filter(isV4));
  const v6 = listOf(permitted.filter((range) => !isV4(range)));
  return (address) => (isIP(address) === 4 ? v4(address) : v6(address));
}

const isV4 = (range: string): boolean => isIP(range.split('/')[0] ?? '') === 4;

/** A list for ranges of one family: in a mixed BlockList, an IPv4-mapped IPv6 range would match all of IPv4. */
function listOf(ranges: readonly string[]): AddressRule {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', prefix] = range.split('/');
    const family = isIP(network) === 6 ? 'ipv6' : 'ipv4';
    if (isIP(network) === 0) throw new Error(`'${range}' is neither an address nor a CIDR range`);
    list.addSubnet(network, prefix === undefined ? (family === 'ipv6' ? 128 : 32) : Number(prefix), family);
  }
  return (address) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

const [isRefusedV4, isGlobalV6, isRefusedV6] = [listOf(refusedV4), listOf(globalV6), listOf(refusedV6)];
