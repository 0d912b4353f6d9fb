import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Authority } from '../../../dev/dns/authority.ts';
import { startAuthority } from '../../../dev/dns/authority.ts';
import { parseZone } from '../../../dev/dns/master-file.ts';
import type { RecordType } from '../../../src/dns/dns-facts.ts';
import { exchange } from '../../../src/dns/wire/dns-exchange.ts';

/** Master files of the development DNS, as our own lookups read what it sends. Fails where somebody who tries a mistake there is shown another one. */

const [address, zoneAddress] = ['127.88.22.1', '127.88.22.2'] as const;
const port = 5_353;
let authority: Authority;

beforeAll(async () => {
  authority = await startAuthority({ address, zoneAddress, controlAddress: address, port });
});

afterAll(() => authority.stop());

const allowance = { packet: () => true, bytes: () => true, answered: () => undefined };

async function valuesOf(name: string, type: RecordType): Promise<readonly string[] | string> {
  const signal = AbortSignal.timeout(5_000);
  const options = { signal, allowance, edns: true, timeoutMs: 5_000 };
  const response = await exchange({ address: zoneAddress, port }, { name, type, recursive: false }, options);
  return typeof response === 'string' ? response : response.answers.map(({ value }) => value);
}

describe('the development DNS serves', () => {
  it.each<[string, string, RecordType, string]>([
    ['a space of a name as its byte', 'w CNAME my\\032host.example.net.', 'CNAME', 'my\\032host.example.net'],
    ['a pasted URL', 'w CNAME https\\058\\047\\047p.example.net.', 'CNAME', 'https\\058\\047\\047p.example.net'],
    ['any character of a name', 'w CNAME my\\:host.example.net.', 'CNAME', 'my\\058host.example.net'],
    ['a dot inside of a label', 'w CNAME my\\.host.example.net.', 'CNAME', 'my\\046host.example.net'],
    ['the same dot as a byte', 'w CNAME my\\046host', 'CNAME', 'my\\046host.zone.test'],
    ['a final dot that is none', 'w CNAME host\\.', 'CNAME', 'host\\046.zone.test'],
    ['bytes above 127', 'w CNAME m\\195\\188nchen.example.net.', 'CNAME', 'm\\195\\188nchen.example.net'],
    ['an at sign that is no origin', 'w CNAME \\@', 'CNAME', '\\064.zone.test'],
    ['a name server with a space', 'w NS ns\\0321.example.net.', 'NS', 'ns\\0321.example.net'],
    ['quotes in a text', 'w TXT "a \\"b\\" \\\\ c"', 'TXT', 'a \\"b\\" \\\\ c'],
    ['quotes in a text by their bytes', 'w TXT \\034a\\034', 'TXT', '\\"a\\"'],
    ['a semicolon that begins no comment', 'w TXT a\\;b ; this does', 'TXT', 'a;b'],
    ['spaces in a text without quotes', 'w TXT a\\ b', 'TXT', 'a b'],
    ['texts that end in =', 'w TXT "a=" "b"', 'TXT', 'a=b'],
    ['the mailbox of an SOA', '@ SOA ns first\\.last.zone.test. 1 1 1 1 1', 'SOA', 'ns.zone.test'],
    ['an HTTPS record for the name itself', 'w HTTPS 1 .', 'HTTPS', '1 .'],
    ['an alias of an HTTPS record', 'w HTTPS 0 svc.example.net.', 'HTTPS', '0 svc.example.net.'],
    [
      'hints',
      'w HTTPS 1 . alpn="h2,h3" ipv4hint=192.0.2.1,192.0.2.2 ipv6hint=2001:db8::1',
      'HTTPS',
      '1 . ipv4hint=192.0.2.1,192.0.2.2 ipv6hint=2001:db8::1',
    ],
    [
      'parameters in the order of their numbers',
      'w HTTPS 16 svc ipv6hint=::1 ech=AAAA port=8443 no-default-alpn alpn=h2 mandatory=alpn,port key65000=\\001x',
      'HTTPS',
      '16 svc.zone.test. ipv6hint=::1',
    ],
  ])('%s', async (_, line, type, value) => {
    authority.putZone('zone.test', line);
    expect(await valuesOf(line.startsWith('@') ? 'zone.test' : 'w.zone.test', type)).toEqual([value]);
  });

  it('an owner with an escape', async () => {
    authority.putZone('zone.test', 'a\\032b A 192.0.2.1');
    expect(await valuesOf('a\\032b.zone.test', 'A')).toEqual(['192.0.2.1']);
  });
});

describe('it refuses', () => {
  it.each([
    ['an escape that is no byte', 'w TXT \\256', 'line 1: \\256 is no byte'],
    ['an escape without its digits', 'w TXT "a\\03"', 'ends inside of an escape'],
    ['an owner that it could not serve', 'a\\.b A 192.0.2.1', 'a dot inside of a label'],
    ['bytes of a name that it could not serve', 'w CNAME \\255', 'no UTF-8'],
    ['an empty label', 'w CNAME a..b.', 'an empty label'],
    ['a label of 64 bytes', `w CNAME ${'a'.repeat(64)}`, 'longer than 63 bytes'],
    ['a name of 300 bytes', `w CNAME ${'a.'.repeat(150)}`, 'too long'],
    ['an HTTPS record without a name', 'w HTTPS 1', 'a priority and a name'],
    ['an unknown parameter', 'w HTTPS 1 . hint=1', "'hint' is no parameter"],
    ['a parameter twice', 'w HTTPS 1 . port=1 port=2', 'twice'],
    ['a hint that is no address', 'w HTTPS 1 . ipv4hint=a', "'a' is no IPv4 address"],
    ['a hint of the other family', 'w HTTPS 1 . ipv6hint=192.0.2.1', 'is no IPv6 address'],
  ])('%s', (_, line, complaint) => {
    expect(() => parseZone('zone.test', line)).toThrow(complaint);
  });
});
