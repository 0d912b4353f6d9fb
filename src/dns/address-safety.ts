import { BlockList, isIP } from 'node:net';

/**
 * Ranges that a customer's records must never make us talk to (design section 4, rule 5; IANA special-purpose
 * registries, RFC 6890). Pod, Service and node ranges lie inside the private ones or are configured as refused.
 */
const refusedV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
const refusedV6 = [
  '::/128',
  '::1/128',
  '::ffff:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001:db8::/32',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'ff00::/8',
];

/** May a packet be sent to this address? */
export type AddressRule = (address: string) => boolean;

/** `permitted` are exceptions an operator configured: addresses or CIDR ranges such as `127.0.0.0/8`. */
export function addressRule(permitted: readonly string[]): AddressRule {
  const refused = { 4: listOf(refusedV4), 6: listOf(refusedV6) };
  const allowed = { 4: listOf(permitted.filter(isV4)), 6: listOf(permitted.filter((range) => !isV4(range))) };
  return (address) => {
    const family = isIP(address);
    if (family !== 4 && family !== 6) return false;
    return allowed[family](address) || !refused[family](address);
  };
}

const isV4 = (range: string): boolean => isIP(range.split('/')[0] ?? '') === 4;

/** One list a family: a BlockList takes an IPv4-mapped range for all of IPv4. */
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
