import { afterEach, describe, expect, it } from '@jest/globals';
import type { HostileDns, Script } from '../../support/hostile-dns.ts';
import {
  a,
  cname,
  delegates,
  hostileDns,
  hostname,
  ns,
  platformZone,
  serves,
  target,
} from '../../support/hostile-dns.ts';

/**
 * Who holds one name server of a victim's zone waits until the others are silent (or makes them), and then says what he
 * likes. Such a yes may keep a route, but is not corroborated, whatever number of further servers he names himself.
 */

let dnsServers: HostileDns | undefined;
afterEach(() => dnsServers?.stop());

const silent: Script = () => null;
const mine = serves([cname(hostname, target)]);
const withMore = serves([
  cname(hostname, target),
  ns('example.com', 'ns2.dns.test'),
  ns('example.com', 'more.example.com'),
]);
const naming = (address: string): Script => {
  const more = a('more.example.com', address);
  return (asked) => (asked.name === more.name && asked.type === 'A' ? { answers: [more] } : withMore(asked));
};

const attack = (servers: (at: (number: number) => string) => readonly [Script, Script, Script]) =>
  hostileDns((at) => [
    delegates({
      'example.com': { 'ns1.dns.test': at(1), 'ns2.dns.test': at(2) },
      'apps.example.net': { 'ns.apps.example.net': at(4) },
    }),
    ...servers(at),
    platformZone,
  ]);

describe('the only server of a zone that answers', () => {
  it.each<[string, boolean, (at: (number: number) => string) => readonly [Script, Script, Script]]>([
    ['is believed for a route alone', false, () => [silent, mine, silent]],
    ['gains nothing by naming servers of its own', false, (at) => [silent, naming(at(3)), mine]],
    ['is enough with a second one', true, () => [mine, mine, silent]],
  ])('%s', async (_, corroborated, servers) => {
    dnsServers = await attack(servers);
    const verdict = await dnsServers.look({ ca: null });
    expect(verdict.routing.verdict).toBe('yes');
    expect(verdict.corroborated).toBe(corroborated);
  });
});
