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
 * One of several servers of the zone above delegates a victim's domain elsewhere: to another server, or to the right
 * name with another address. All of them are asked for the cut, names and glue compared.
 */

const mine = serves([cname(hostname, target)]);
const honest = serves([a('example.com', '198.51.100.1')]);

let dnsServers: HostileDns | undefined;
afterEach(() => dnsServers?.stop());

/** Two servers of com: 1 and 2. The victim's server is 3, the attacker's 4. */
const attack = (com: (at: (number: number) => string) => readonly [Script, Script], victim: Script = honest) =>
  hostileDns((at) => {
    const [first, second] = com(at);
    const root = delegates({
      com: { 'a.gtld.test': at(1), 'b.gtld.test': at(2) },
      'apps.example.net': { 'ns.apps.example.net': at(5) },
    });
    return [root, first, second, victim, mine, platformZone];
  });

const to = (server: string, address: string): Script => delegates({ 'example.com': { [server]: address } });

describe('one server of the parent zone that lies about the cut', () => {
  it.each<[string, (at: (number: number) => string) => readonly [Script, Script]]>([
    ['with another server, asked first', (at) => [to('x.example.com', at(4)), to('ns.example.com', at(3))]],
    ['with another server, asked last', (at) => [to('ns.example.com', at(3)), to('x.example.com', at(4))]],
    ['with another address of the right one', (at) => [to('ns.example.com', at(3)), to('ns.example.com', at(4))]],
    ['with nothing at all', (at) => [to('ns.example.com', at(4)), serves([])]],
  ])('%s: unknown', async (_, com) => {
    dnsServers = await attack(com);
    const { routing, corroborated } = await dnsServers.look();
    expect([routing.verdict, routing.code, corroborated]).toEqual(['unknown', 'DelegationsDiffer', false]);
  });

  it('alone, while the others are silent, is followed, but begins nothing', async () => {
    dnsServers = await attack((at) => [to('x.example.com', at(4)), () => null]);
    const { routing, corroborated } = await dnsServers.look();
    expect([routing.verdict, corroborated]).toEqual(['yes', false]);
  });

  it('a zone that names more servers than its parent is no lie: all are asked', async () => {
    dnsServers = await attack(
      (at) => [to('ns.example.com', at(3)), to('ns.example.com', at(3))],
      serves([cname(hostname, target), ns('example.com', 'ns.example.com'), ns('example.com', 'ns2.example.com')]),
    );
    const { routing, nameServers, corroborated } = await dnsServers.look();
    expect([routing.verdict, corroborated]).toEqual(['yes', true]);
    expect(nameServers).toEqual(['ns.example.com', 'ns2.example.com']);
  });
});
