import { expect, it } from '@jest/globals';
import { peerNetwork } from '../../../src/lib/newcomer-bound.ts';

/** Fails when one customer's addresses count apart, or two customers' together. */
it.each<[string | undefined, string]>([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2ab::1', '2001:db8:1:200::/56'],
  ['2001:db8:1:2ff:ffff:ffff:ffff:ffff', '2001:db8:1:200::/56'],
  ['2001:db8:1:3ab::1', '2001:db8:1:300::/56'],
  ['2001:db8::1', '2001:db8:0:0::/56'],
  ['fe80::1%eth0', 'fe80:0:0:0::/56'],
  ['::1', '0:0:0:0::/56'],
  ['::2:3:4:5:6', '0:0:0:0::/56'],
  [undefined, 'unknown'],
])('%s counts as %s', (address, network) => {
  expect(peerNetwork(address)).toBe(network);
});
