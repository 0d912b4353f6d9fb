import { describe, expect, it } from '@jest/globals';
import { clientAddress, forwardedHttps, noticeForwarding } from '../../../src/server/client-address.ts';
import type { ForwardedHeader } from '../../../src/server/forwarded-hops.ts';

const trusted = ['10.0.0.0/8', 'fd00::/8'];
const byHeader = {
  'X-Forwarded-For': clientAddress(trusted, 'X-Forwarded-For'),
  Forwarded: clientAddress(trusted, 'Forwarded'),
} as const;
const headersOf = (header: ForwardedHeader, value: string | undefined) =>
  value === undefined ? {} : { [header.toLowerCase()]: value };
const told = (header: ForwardedHeader, value: string | undefined, peer: string | undefined = '10.1.2.3') =>
  byHeader[header](peer, headersOf(header, value));

describe('whose budget a request without a key spends', () => {
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
    ['a proxy on the same link is the same by any of its interfaces', 'fd00::1%eth0', '198.51.100.7', '198.51.100.7'],
    ['nobody is believed about a peer that is gone', undefined, '198.51.100.7', 'unknown'],
    ['nothing known at all', undefined, undefined, 'unknown'],
  ])('%s', (_, peer, forwarded, expected) => {
    expect(byHeader['X-Forwarded-For'](peer, headersOf('X-Forwarded-For', forwarded))).toBe(expected);
  });
});

const own = '203.0.113.77';
const network = '2001:db8:0:0::/56';

describe('a hop as some proxy writes it', () => {
  it.each<[reason: string, hop: string, address: string]>([
    ['plain', own, own],
    ['Azure and IIS append the port', `${own}:5011`, own],
    ['the port may have a hidden name', `${own}:_p.0-1`, own],
    ['white space stands around it', ` \t${own}\t `, own],
    ['quoted', `"${own}"`, own],
    ['quoted, with a port', `"${own}:5011"`, own],
    ['quoted, with escapes that nothing needs', `"20\\3.0.113\\.77"`, own],
    ['IPv6', '2001:db8::1', network],
    ['IPv6 in capitals', '2001:DB8::1', network],
    ['IPv6 in full', '2001:0db8:0000:0000:0000:0000:0000:0001', network],
    ['IPv6 whose end is written as IPv4', '2001:db8::192.0.2.1', network],
    ['IPv6 in brackets', '[2001:db8::1]', network],
    ['IPv6 in brackets, with a port', '[2001:db8::1]:5011', network],
    ['IPv6 in brackets and quotes', '"[2001:db8::1]:5011"', network],
    ['IPv6 with a zone', '2001:db8::1%eth0', network],
    ['IPv6 with a zone, in brackets', '[2001:db8::1%25eth0]:80', network],
    ['IPv4 in IPv6', `::ffff:${own}`, own],
    ['IPv4 in IPv6, in hexadecimal', '::ffff:cb00:714d', own],
    ['IPv4 in IPv6, in full', `0:0:0:0:0:FFFF:${own}`, own],
    ['IPv4 in IPv6, with a port', `[::ffff:${own}]:5011`, own],
  ])('%s: %j', (_, hop, address) => {
    expect(told('X-Forwarded-For', `198.51.100.7, ${hop}`)).toBe(address);
    expect(told('Forwarded', `for=198.51.100.7, for=${hop.trim()}`)).toBe(address);
  });

  it.each<[reason: string, element: string, address: string]>([
    ['the name in any case', `FOR=${own}`, own],
    ['beside others', `by=10.1.2.3;for=${own};proto=https;host=example.com`, own],
    ['after a separator within quotes', `host="a,b;for=198.51.100.8";for=${own}`, own],
    ['before an escaped quote', `for=${own};ext="a\\",\\"b"`, own],
    ['with white space around the separators', `proto=https ; for = ${own} ; by=_x`, own],
  ])('%s in an element of Forwarded: %j', (_, element, address) => {
    expect(told('Forwarded', `for=198.51.100.7, ${element}`)).toBe(address);
  });
});

describe('a hop that cannot be read', () => {
  const forged = '198.51.100.7';
  it.each<[reason: string, hop: string]>([
    ['the client is not known', 'unknown'],
    ['the client is hidden', '_hidden'],
    ['nothing was written', ''],
    ['only white space was', '  \t '],
    ['it is no address', '<b>'],
    ['a host is not looked up', 'proxy.example.com'],
    ['octal could be two addresses', '0203.0.113.77'],
    ['a part is missing', '203.0.113'],
    ['a part is too large', '203.0.113.256'],
    ['there are two ports', '203.0.113.77:1:2'],
    ['the port is none', '203.0.113.77:x'],
    ['the port is too long', '203.0.113.77:123456'],
    ['eight groups and a port could be nine groups', '2001:db8:0:0:0:0:0:1:5011'],
    ['the bracket is not closed', '[2001:db8::1'],
    ['the bracket is not opened', '2001:db8::1]'],
    ['something stands before the bracket', 'x[2001:db8::1]'],
    ['IPv4 has no brackets', '[203.0.113.77]'],
    ['the quote is not closed', '"203.0.113.77'],
    ['the quote is not opened', '203.0.113.77"'],
    ['there are two addresses', '203.0.113.77 203.0.113.78'],
    ['there is another separator', '203.0.113.77;203.0.113.78'],
    ['it is an address as a URL has it', 'http://203.0.113.77/'],
    ['it is a range', '203.0.113.0/24'],
    ['the zone is all there is', '%eth0'],
  ])('ends the walk at the proxy that wrote it, as %s: %j', (_, hop) => {
    expect(told('X-Forwarded-For', `${forged}, ${hop}`)).toBe('10.1.2.3');
    expect(told('X-Forwarded-For', `${forged}, ${hop}, 10.9.9.9`)).toBe('10.9.9.9');
    expect(told('X-Forwarded-For', `${forged}, ${hop}, ${own}`)).toBe(own);
    expect(told('Forwarded', `for=${forged}, for=${hop}`)).toBe('10.1.2.3');
  });

  it.each<[reason: string, element: string]>([
    ['it tells of nobody', 'proto=https'],
    ['it tells of two', 'for=203.0.113.77;for=203.0.113.78'],
    ['it has only an address', '203.0.113.77'],
    ['it tells of nothing', 'for'],
    ['another word ends in this one', 'xfor=203.0.113.77'],
  ])('ends the walk in Forwarded, as %s: %j', (_, element) => {
    expect(told('Forwarded', `for=${forged}, ${element}`)).toBe('10.1.2.3');
  });

  it('is reported once, with the proxy that wrote it', () => {
    const reported: string[] = [];
    const notice = noticeForwarding(trusted, 'X-Forwarded-For', (fault, peer) => reported.push(`${fault} ${peer}`));
    const ask = (remoteAddress: string, value?: string) =>
      notice({ socket: { remoteAddress }, headers: headersOf('X-Forwarded-For', value) } as never);
    ask('10.1.2.3');
    ask('10.1.2.3', 'unknown, 203.0.113.77');
    expect(reported).toEqual([]);
    for (let count = 0; count < 3; count += 1) ask('192.0.2.1', 'unknown');
    expect(reported).toEqual(['untrusted 192.0.2.1']);
    for (let count = 0; count < 3; count += 1) ask('10.1.2.3', '203.0.113.77, unknown');
    expect(reported).toEqual(['untrusted 192.0.2.1', 'unreadable 10.1.2.3']);
  });
});

describe('which header', () => {
  const both = { 'x-forwarded-for': '198.51.100.1', forwarded: 'for=198.51.100.2' };
  it.each<[ForwardedHeader, string]>([
    ['X-Forwarded-For', '198.51.100.1'],
    ['Forwarded', '198.51.100.2'],
  ])('%s alone is read where the proxies write that', (header, address) => {
    expect(byHeader[header]('10.1.2.3', both)).toBe(address);
  });

  it.each<[ForwardedHeader, string, string]>([
    ['X-Forwarded-For', 'forwarded', 'for=198.51.100.2'],
    ['Forwarded', 'x-forwarded-for', '198.51.100.1'],
  ])('is not the other one where %s is missing, as a client can have a proxy drop it', (header, other, value) => {
    expect(byHeader[header]('10.1.2.3', { [other]: value })).toBe('10.1.2.3');
  });

  it.each<[ForwardedHeader, Record<string, string>, boolean]>([
    ['X-Forwarded-For', { 'x-forwarded-proto': 'http, https' }, true],
    ['X-Forwarded-For', { 'x-forwarded-proto': 'https, http' }, false],
    ['X-Forwarded-For', { forwarded: 'proto=https' }, false],
    ['Forwarded', { forwarded: 'proto=http, for=192.0.2.1;proto="HTTPS"' }, true],
    ['Forwarded', { forwarded: 'proto=https, proto=http' }, false],
    ['Forwarded', { 'x-forwarded-proto': 'https' }, false],
  ])('says whether a request came over HTTPS: %s, %j: %s', (header, headers, expected) => {
    const ask = (remoteAddress: string) =>
      forwardedHttps(trusted, header)({ socket: { remoteAddress }, headers } as never);
    expect(ask('10.1.2.3')).toBe(expected);
    expect(ask('192.0.2.1')).toBe(false);
  });
});

/** Numbers that are the same in every run (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe('whatever a client writes before what its proxies wrote', () => {
  const parts = [
    ...[',', ', ', ';', '"', '\\', '\\"', '[', ']', '=', ' ', '\t', ':', '%', '\u00a0', '\u00ff'],
    ...[
      'for=',
      'For="',
      'unknown',
      '_x',
      '10.9.9.9',
      'fd00::2',
      '198.51.100.7',
      '198.51.100.7:80',
      '[2001:db8:9::1]:1',
    ],
    ...[',,,,,,,,,,,,,,,,,,,,,,,,', '10.0.0.1,'.repeat(30), 'x'.repeat(5_000)],
  ];
  const chains: readonly (readonly string[])[] = [
    [own],
    [`${own}:5011`, '10.2.2.2'],
    ['[2001:db8::1]:1', '10.2.2.2:80', '"10.3.3.3"'],
    ['unknown'],
    ['_x', 'fd00::3'],
    [''],
    ['nonsense', '10.2.2.2'],
  ];

  it.each<ForwardedHeader>(['X-Forwarded-For', 'Forwarded'])('changes nothing of what %s tells', (header) => {
    const next = numbers(20_261_129);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
    const written = chains.map((chain) => chain.map((hop) => (header === 'Forwarded' ? `for=${hop}` : hop)).join(', '));
    for (let round = 0; round < 3_000; round += 1) {
      const forged = Array.from({ length: 1 + Math.floor(next() * 12) }, () => pick(parts)).join('');
      const chain = pick(written);
      const [alone, after] = [told(header, chain), told(header, `${forged}, ${chain}`)];
      if (after !== alone) throw new Error(`${JSON.stringify(forged)} before ${chain}: ${after}, not ${alone}`);
    }
    expect(written.map((chain) => told(header, chain))).toEqual([
      own,
      own,
      network,
      '10.1.2.3',
      'fd00:0:0:0::/56',
      '10.1.2.3',
      '10.2.2.2',
    ]);
  });

  it.each([
    ['commas', ','.repeat(16_000)],
    ['proxies', '10.9.9.9,'.repeat(1_700)],
    ['quotes', '"'.repeat(16_000)],
    ['escaped quotes', '\\"'.repeat(8_000)],
    ['backslashes', `"${'\\'.repeat(16_000)}"`],
    ['white space', `x${' '.repeat(16_000)}x`],
    ['parameters', 'a=b;'.repeat(4_000)],
  ])('is read no further than some hops of some length: %s', (_, long) => {
    for (const header of ['X-Forwarded-For', 'Forwarded'] as const)
      expect(told(header, long)).toMatch(/^10\.(?:1\.2\.3|9\.9\.9)$/);
  });
});
