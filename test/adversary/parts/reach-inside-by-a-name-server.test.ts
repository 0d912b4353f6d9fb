import { describe, expect, it } from '@jest/globals';
import { createDnsChecker } from '../../../src/dns/lookup/dns-checker.ts';
import type { Behaviour } from '../../support/scripted-exchange.ts';
import { always, scriptedWorld } from '../../support/scripted-exchange.ts';

/**
 * A zone's glue names an address that is not the Internet's: of this machine, of the cluster, of a cloud's metadata, or
 * one that a tunnel or translator turns into such a one. Only global unicast that no registry sets apart gets a packet.
 */

const root = '8.0.0.1';
const refused = [
  '0.0.0.1',
  '10.0.0.53',
  '100.100.100.200',
  '127.0.0.1',
  '168.63.129.16',
  '169.254.169.254',
  '172.31.255.255',
  '192.0.0.170',
  '192.31.196.1',
  '192.52.193.1',
  '192.88.99.1',
  '192.168.1.1',
  '192.175.48.6',
  '198.18.0.1',
  '224.0.0.251',
  '255.255.255.255',
  '::',
  '::1',
  '::10.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:0:10.0.0.1',
  '64:ff9b::a00:1',
  '64:ff9b:1::a00:1',
  '100::1',
  '100:0:0:1::1',
  '2001::1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '2001:2::1',
  '2001:4:112::1',
  '2001:10::1',
  '2001:20::1',
  '2001:db8::1',
  '2002:a00:1::1',
  '2620:4f:8000::1',
  '3fff::1',
  '4000::1',
  '5f00::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fec0::1',
  'ff02::1',
];

describe('a name server with an address that is nobody else on the Internet', () => {
  it.each(refused)('%s gets no packet', async (address) => {
    const type = address.includes(':') ? 'AAAA' : 'A';
    const delegating: Behaviour = ({ name }) => ({
      rcode: 'NOERROR',
      authoritative: !name.endsWith('example.com'),
      truncated: false,
      answers: [],
      authorities: name.endsWith('example.com')
        ? [{ name: 'example.com', type: 'NS', ttl: 60, value: 'ns.example.com' }]
        : [],
      additionals: [{ name: 'ns.example.com', type, ttl: 60, value: address }],
    });
    const { exchange, sent } = scriptedWorld({ [root]: delegating, [address]: always({}) });
    const dns = createDnsChecker({ roots: [{ address: root, port: 53 }], resolvers: [], permitted: [] }, exchange);
    const request = {
      hostname: 'www.example.com',
      target: 'p-x.cname.apps.example.net',
      txtName: null,
      txtRequired: false,
      caa: true,
    };
    const facts = await dns.check(request, new AbortController().signal);
    expect(sent.filter((to) => to !== root)).toEqual([]);
    const outcomes = facts.names['www.example.com']?.authorities.map(({ outcomes: seen }) => seen.A);
    expect(outcomes).toEqual([{ kind: 'unknown', cause: 'address-not-allowed' }]);
  });
});
