import { describe, expect, it } from '@jest/globals';
import { clientAddress } from '../../../src/server/client-address.ts';

describe('whose budget a request without a key spends', () => {
  const address = clientAddress(['10.0.0.0/8', 'fd00::/8']);
  it.each<[string, string | undefined, string | undefined, string]>([
    ['the address that connected', '192.0.2.1', undefined, '192.0.2.1'],
    ['a stranger cannot forward for others', '192.0.2.1', '198.51.100.7', '192.0.2.1'],
    ['a trusted proxy can', '10.1.2.3', '198.51.100.7', '198.51.100.7'],
    [
      'what the client itself wrote before its proxy is not believed',
      '10.1.2.3',
      '203.0.113.9, 198.51.100.7',
      '198.51.100.7',
    ],
    ['a chain of trusted proxies is followed to its beginning', '10.1.2.3', '198.51.100.7, 10.9.9.9', '198.51.100.7'],
    ['where all are proxies, the first', '10.1.2.3', '10.9.9.9', '10.9.9.9'],
    ['garbage is not an address', '10.1.2.3', 'unknown, nonsense', '10.1.2.3'],
    ['IPv4 in IPv6 is IPv4', '::ffff:192.0.2.1', undefined, '192.0.2.1'],
    ['a mapped proxy is trusted as IPv4', '::ffff:10.1.2.3', '198.51.100.7', '198.51.100.7'],
    ['an IPv6 customer is its network', '2001:db8:1:2ff::1', undefined, '2001:db8:1:200::/56'],
    ['a trusted IPv6 proxy forwards', 'fd00::1', '2001:db8::1', '2001:db8:0:0::/56'],
    ['nobody is believed about a peer that is gone', undefined, '198.51.100.7', 'unknown'],
    ['nothing known at all', undefined, undefined, 'unknown'],
  ])('%s', (_, peer, forwarded, expected) => {
    expect(address(peer, forwarded)).toBe(expected);
  });
});
