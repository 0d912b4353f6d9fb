import { describe, expect, it, jest } from '@jest/globals';
import { hostnameMeant, parseHostname, relativeName, toAscii } from '../../../src/rules/hostname.ts';

describe('a hostname is accepted in exactly one spelling', () => {
  it.each([
    ['www.example.com'],
    ['example.com'],
    ['xn--bcher-kva.example'],
    ['a.b.c.d.example.co.uk'],
    ['shop.github.io'],
    ['1.example.com'],
    ['xn--fiqs8s.example.com'],
    ['xn--strae-oqa.example.com'],
    ['shop.example.test'],
    ['1.2.3.4.5.6.7.8.example.com'],
    ['a-b--c.example.com'],
    [`${'a'.repeat(63)}.example.com`],
  ])('%s', (input) => {
    expect(parseHostname(input)).toEqual({ ok: true, hostname: input });
  });

  it.each([
    ['Upper case says the lower case form', 'WWW.example.com', 'InvalidHostname', 'www.example.com'],
    ['Unicode says the A-label form', 'bücher.example', 'InvalidHostname', 'xn--bcher-kva.example'],
    ['a trailing dot says the form without it', 'www.example.com.', 'InvalidHostname', 'www.example.com'],
    ['an IPv4 literal is no hostname', '192.0.2.1', 'IPLiteral', 'IP address'],
    ['an IPv6 literal is no hostname', '2001:db8::1', 'IPLiteral', 'IP address'],
    ['a wildcard is told apart', '*.example.com', 'WildcardHostname', 'wildcard'],
    ['a public suffix is told apart', 'co.uk', 'PublicSuffix', 'public suffix'],
    ['a private suffix counts too', 'github.io', 'PublicSuffix', 'public suffix'],
    ['one label is not enough', 'localhost', 'InvalidHostname', 'full hostname'],
    ['a label of 64 characters is too long', `${'a'.repeat(64)}.example.com`, 'InvalidHostname', 'label'],
    ['254 characters are too many', `${'abcdefgh.'.repeat(28)}ab`, 'InvalidHostname', '253'],
    ['two dots in a row', 'www..example.com', 'InvalidHostname', ''],
    ['a label that begins with a hyphen', '-www.example.com', 'InvalidHostname', '-www'],
    ['an underscore', '_dmarc.example.com', 'InvalidHostname', '_dmarc'],
    ['a URL says the hostname in it', 'https://Example.com:8443/a', 'InvalidHostname', 'write only example.com'],
    ['an address of mail', 'me@example.com', 'InvalidHostname', "'me@example.com' is not a hostname"],
    ['nothing', '', 'InvalidHostname', ''],
    ['a name of this machine', 'shop.localhost', 'InvalidHostname', '.localhost'],
    ['a name of Tor', 'duckduckgogg42xjoc72x3sjasowoarfbgcmvfimaftt6twagswzczad.onion', 'InvalidHostname', '.onion'],
    ['a name of the local network', 'printer.local', 'InvalidHostname', '.local'],
    ['a name that never exists', 'shop.invalid', 'InvalidHostname', '.invalid'],
    ['the reverse of an address', '4.3.2.1.in-addr.arpa', 'InvalidHostname', '.arpa'],
    ['more labels than a certificate may have', '1.2.3.4.5.6.7.8.9.example.com', 'InvalidHostname', '11 labels'],
    ['a label in a reserved format', 'ab--cd.example.com', 'InvalidHostname', 'ab--cd'],
    ['a name outside of DNS', 'shop.alt', 'InvalidHostname', '.alt'],
    ['an A-label that is no Punycode', 'xn--0.example.com', 'InvalidHostname', 'xn--0'],
    ['an A-label of nothing', 'xn--.example.com', 'InvalidHostname', 'xn--'],
    ['an A-label of plain letters', 'xn--abc-.example.com', 'InvalidHostname', 'xn--abc-'],
    ['an A-label whose text is written otherwise', 'xn--www-lya.example.com', 'InvalidHostname', 'xn--'],
    ['an A-label in an upper label', 'www.xn--99999999.com', 'InvalidHostname', 'xn--99999999'],
  ])('%s', (_, input, code, part) => {
    const parsed = parseHostname(input);
    expect(parsed).toMatchObject({ ok: false, code });
    expect('message' in parsed && parsed.message).toContain(part);
  });
});

describe('names as people write them', () => {
  it.each([
    ['Bücher.Example.', 'xn--bcher-kva.example'],
    ['WWW.EXAMPLE.COM', 'www.example.com'],
    ['a b', null],
    ['user@example.com', null],
    ['', null],
  ])('%s becomes %s', (input, ascii) => {
    expect(toAscii(input)).toBe(ascii);
  });

  it.each([
    ['https://www.example.com/', 'www.example.com'],
    [' HTTP://WWW.Example.com:8080/shop?a=b#c ', 'www.example.com'],
    ['www.example.com/', 'www.example.com'],
    ['www.example.com.', 'www.example.com'],
    ['münchen.example', 'xn--mnchen-3ya.example'],
    ['*.example.com', '*.example.com'],
    ['2001:db8::1', '2001:db8::1'],
    ['me@example.com', 'me@example.com'],
    ['https://', 'https://'],
    [' two words ', 'two words'],
  ])('who writes %s means %s', (input, meant) => {
    expect(hostnameMeant(input)).toBe(meant);
  });

  it.each([
    ['254 characters of a name', 'ü'.repeat(250) + '.com', 0],
    ['16 KB of a name', 'ü'.repeat(16_000), 0],
    ['16 KB of a pasted address', `https://${'ü'.repeat(16_000)}/`, 0],
    ['16 KB of labels', 'ü.'.repeat(8_000), 0],
    ['16 KB of dots and blanks', `${' .'.repeat(8_000)}x`, 0],
    ['a pasted address with a long path', `https://www.example.com/${'a'.repeat(1_500)}`, 15],
  ])('%s: no more than a hostname is encoded, whose time grows with its square', (_, input, most) => {
    const parse = jest.spyOn(URL, 'parse');
    const meant = hostnameMeant(input);
    toAscii(input);
    parseHostname(input);
    const encoded = parse.mock.calls.map(([url]) => String(url).length - 'http:///'.length);
    parse.mockRestore();
    expect(Math.max(0, ...encoded)).toBeLessThanOrEqual(most);
    expect(meant).toBe(most === 0 ? input : 'www.example.com');
  });

  it.each([
    ['www.example.com', 'example.com', 'www'],
    ['shop.eu.example.com', 'example.com', 'shop.eu'],
    ['example.com', 'example.com', '@'],
  ])('%s in zone %s is written %s', (fqdn, zone, name) => {
    expect(relativeName(fqdn, zone)).toBe(name);
  });
});
