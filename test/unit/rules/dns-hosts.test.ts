import { describe, expect, it } from '@jest/globals';
import type { AdviceCode } from '../../../src/rules/dns-hosts/known-dns-hosts.ts';
import { knownDnsHosts } from '../../../src/rules/dns-hosts/known-dns-hosts.ts';
import { dnsHostOf, needsAddresses } from '../../../src/rules/dns-hosts/dns-hosts.ts';
import { dnsHostMessages } from '../../../src/dashboard/words/english/record-messages.ts';
import { presentation } from '../../support/view-context.ts';

/** Name servers as the hosts give them out. */
const zones: readonly (readonly [string, readonly string[]])[] = [
  ['cloudflare', ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com']],
  ['route53', ['ns-1234.awsdns-26.org', 'ns-1701.awsdns-20.co.uk', 'ns-42.awsdns-05.com', 'ns-900.awsdns-48.net']],
  ['google', ['ns-cloud-a1.googledomains.com', 'ns-cloud-a2.googledomains.com']],
  ['squarespace', ['ns01.squarespacedns.com', 'ns02.squarespacedns.com']],
  ['azure', ['ns1-05.azure-dns.com', 'ns2-05.azure-dns.net', 'ns3-05.azure-dns.org', 'ns4-05.azure-dns.info']],
  ['godaddy', ['ns51.domaincontrol.com', 'ns52.domaincontrol.com']],
  ['namecheap', ['dns1.registrar-servers.com', 'dns2.registrar-servers.com']],
  ['ionos', ['ns1023.ui-dns.biz', 'ns1047.ui-dns.de', 'ns1065.ui-dns.com', 'ns1077.ui-dns.org']],
  ['ovh', ['dns104.ovh.net', 'ns104.ovh.net']],
  ['ovh', ['dns200.anycast.me', 'ns200.anycast.me']],
  ['gandi', ['ns-10-a.gandi.net', 'ns-100-c.gandi.net', 'ns-42-b.gandi.net']],
  ['hetzner', ['helium.ns.hetzner.de', 'hydrogen.ns.hetzner.com', 'oxygen.ns.hetzner.com']],
  ['digitalocean', ['ns1.digitalocean.com', 'ns2.digitalocean.com', 'ns3.digitalocean.com']],
  ['wix', ['ns14.wixdns.net', 'ns15.wixdns.net']],
  ['porkbun', ['curitiba.ns.porkbun.com', 'fortaleza.ns.porkbun.com', 'maceio.ns.porkbun.com']],
  ['namecom', ['ns1abc.name.com', 'ns2def.name.com']],
  ['dnsimple', ['ns1.dnsimple.com', 'ns2.dnsimple-edge.net', 'ns3.dnsimple.com', 'ns4.dnsimple-edge.org']],
  ['ns1', ['dns1.p05.nsone.net', 'dns2.p05.nsone.net']],
  ['desec', ['ns1.desec.io', 'ns2.desec.org']],
  ['strato', ['docks12.rzone.de', 'shades03.rzone.de']],
  ['inwx', ['ns.inwx.de', 'ns2.inwx.de', 'ns3.inwx.eu']],
  ['bunny', ['coco.bunny.net', 'kiki.bunny.net']],
  ['vercel', ['ns1.vercel-dns.com', 'ns2.vercel-dns.com']],
  ['hover', ['ns1.hover.com', 'ns2.hover.com']],
  ['dynadot', ['ns1.dyna-ns.net', 'ns2.dyna-ns.net']],
  ['akamai', ['a1-23.akam.net', 'a12-64.akam.net', 'a9-66.akam.net']],
  ['transip', ['ns0.transip.net', 'ns1.transip.nl', 'ns2.transip.eu']],
  ['dnsmadeeasy', ['ns10.dnsmadeeasy.com', 'ns11.dnsmadeeasy.com']],
];

describe('who serves a zone', () => {
  it.each(zones)('%s is told by %j', (id, nameServers) => {
    expect(dnsHostOf(nameServers)?.id).toBe(id);
  });

  it.each([
    ['no name server is known', []],
    ['the host is not known here', ['ns1.example.com', 'ns2.example.com']],
    ['two hosts share the zone', ['ada.ns.cloudflare.com', 'ns51.domaincontrol.com']],
    ['one of the servers is somebody else’s', ['ada.ns.cloudflare.com', 'ns1.example.com']],
    ['one of the servers is somebody else’s, named first', ['ns1.example.com', 'ns51.domaincontrol.com']],
    ['a name only looks like a host', ['ns1.ovh.net.example.com', 'ns51.domaincontrol.com.example.com']],
    ['a domain only ends like a host', ['notdomaincontrol.com', 'xns.cloudflare.com', 'ns1.notname.com']],
  ])('nobody is named when %s', (_, nameServers) => {
    expect(dnsHostOf(nameServers)).toBeNull();
  });

  const adviceOf = (nameServers: readonly string[]) => {
    const host = dnsHostOf(nameServers);
    const params = { name: host?.labels?.name ?? '', value: host?.labels?.value ?? '' };
    const said = (codes: readonly AdviceCode[] = []) =>
      codes.map((code) => presentation.words.text(`host.${code}`, params)).join(' ');
    return { subdomain: said(host?.subdomain), apex: said(host?.apex), txt: said(host?.txt) };
  };

  it.each(zones)('the advice for %s is made of sentences and speaks of the right records', (_, nameServers) => {
    const { subdomain, apex, txt } = adviceOf(nameServers);
    for (const text of [subdomain, apex, txt]) {
      expect(text).toMatch(/^[A-Za-z].*[^.]\.$/);
      expect(text).not.toContain('“”');
    }
    expect(dnsHostOf(nameServers)?.name).toMatch(/^[A-Za-z]/);
    expect(subdomain).toContain('CNAME');
    expect(apex).toMatch(/ALIAS|ANAME|CNAME| A and AAAA records/);
    expect(txt).toContain('TXT');
  });

  it.each(zones)('%s has labels wherever its advice names them', (_, nameServers) => {
    const host = dnsHostOf(nameServers);
    const named = [...(host?.subdomain ?? []), ...(host?.txt ?? [])].filter((code) => ['cname', 'txt'].includes(code));
    expect(named.length > 0).toBe(host?.labels !== undefined);
  });

  it('no advice is left that no host has', () => {
    const given = new Set<string>(knownDnsHosts.flatMap((host) => [...host.subdomain, ...host.apex, ...host.txt]));
    const texts = Object.keys(dnsHostMessages).map((key) => key.replace('host.', ''));
    expect(texts.filter((code) => !given.has(code))).toEqual(['cloudflare-proxy-without-txt']);
  });

  it.each(['route53', 'azure', 'hetzner', 'digitalocean', 'desec'])(
    '%s is not said to follow a name at the apex',
    (id) => {
      const host = knownDnsHosts.find((known) => known.id === id);
      expect(host && needsAddresses(host)).toBe(true);
    },
  );

  it('who uses Cloudflare is told of its proxy', () => {
    const { subdomain, apex } = adviceOf(['ada.ns.cloudflare.com']);
    expect(subdomain).toContain('DNS only');
    expect(apex).toContain('DNS only');
  });

  it('every host is one entry, told apart by its id', () => {
    const names = zones.map(([id, nameServers]) => `${id} ${dnsHostOf(nameServers)?.name}`);
    expect(new Set(names).size).toBe(new Set(zones.map(([id]) => id)).size);
  });
});

describe('a host without ALIAS and ANAME', () => {
  const types = ['alias', 'alias-empty', 'aname-empty', 'flattened', 'flattened-empty'];
  it.each(knownDnsHosts.map((host) => [host.id, host] as const))('%s has either a record or addresses', (_, host) => {
    expect(needsAddresses(host)).toBe(!host.apex.some((code) => types.includes(code)));
  });
});
