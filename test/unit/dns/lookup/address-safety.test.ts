import { describe, expect, it } from '@jest/globals';
import { createDnsChecker } from '../../../../src/dns/lookup/dns-checker.ts';
import { addressRule } from '../../../../src/dns/lookup/address-safety.ts';
import { parseEndpoint } from '../../../../src/dns/wire/dns-endpoint.ts';
import { delegate, scriptedWorld } from '../../../support/scripted-exchange.ts';

describe('which addresses may be sent a packet', () => {
  const rule = addressRule(['127.77.0.0/16', '10.1.2.3', 'fd00::53']);
  it.each([
    ['a public IPv4 address', '8.8.8.8', true],
    ['a public IPv6 address', '2606:4700::1111', true],
    ['loopback', '127.0.0.1', false],
    ['loopback that was permitted', '127.77.1.1', true],
    ['private', '10.0.0.1', false],
    ['a private address that was permitted', '10.1.2.3', true],
    ['link-local', '169.254.169.254', false],
    ['CGNAT', '100.127.255.255', false],
    ['just above CGNAT', '100.128.0.0', true],
    ['multicast', '239.1.1.1', false],
    ['IPv6 loopback', '::1', false],
    ['IPv4 mapped into IPv6', '::ffff:8.8.8.8', false],
    ['IPv4 behind NAT64', '64:ff9b::8.8.8.8', false],
    ['unique local', 'fd00::1', false],
    ['a unique local address that was permitted', 'fd00::53', true],
    ['link-local IPv6', 'fe80::1', false],
    ['no address at all', 'dns.example.com', false],
  ])('%s', (_, address, allowed) => {
    expect(rule(address)).toBe(allowed);
  });

  it('a permitted range that is none is an error at start', () => {
    expect(() => addressRule(['everything'])).toThrow('everything');
  });
});

describe('servers that the installation itself names', () => {
  it('are asked wherever they are, and give nobody else leave', async () => {
    const [root, resolver, stranger] = ['10.0.0.1', '10.0.0.2', '10.0.0.3'];
    const { exchange, sent } = scriptedWorld({ [root]: delegate('example.com', `ns.example.com=${stranger}`) });
    const endpoint = (address: string) => ({ address, port: 53 });
    const dns = createDnsChecker({ roots: [endpoint(root)], resolvers: [endpoint(resolver)], permitted: [] }, exchange);
    const request = {
      hostname: 'www.example.com',
      target: 'p-x.apps.example.net',
      txtName: null,
      txtRequired: false,
      caa: false,
    };
    await dns.check(request, new AbortController().signal);
    expect([...new Set(sent)].toSorted()).toEqual([root, resolver]);
  });
});

describe('endpoints', () => {
  it.each([
    ['192.0.2.1', { address: '192.0.2.1', port: 53 }],
    ['192.0.2.1:5353', { address: '192.0.2.1', port: 5353 }],
    ['2001:db8::1', { address: '2001:db8::1', port: 53 }],
    ['[2001:db8::1]:5353', { address: '2001:db8::1', port: 5353 }],
  ])('%s', (text, endpoint) => {
    expect(parseEndpoint(text)).toEqual(endpoint);
  });

  it.each(['dns.test', '192.0.2.1:0', '192.0.2.1:99999', '192.0.2.1:', ''])("'%s' is none", (text) => {
    expect(() => parseEndpoint(text)).toThrow('ADDR');
  });
});
