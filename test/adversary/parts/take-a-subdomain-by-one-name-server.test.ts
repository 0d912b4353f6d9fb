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
  txt,
  txtName,
  txtValue,
} from '../../support/hostile-dns.ts';

/**
 * Who holds one dangling name server of a victim's zone delegates www.victim to himself there, with glue, and answers
 * all that is asked below. Every server of the parent is asked for a cut; where they differ nobody is believed.
 */

const honest = serves([a('example.com', '198.51.100.1'), a(hostname, '198.51.100.1')]);
const mine = serves([cname(hostname, target), txt(txtName, txtValue)]);
const atOrBelow = (name: string) => name === hostname || name.endsWith(`.${hostname}`);

const referral =
  (address: string): Script =>
  (asked) =>
    atOrBelow(asked.name)
      ? {
          authoritative: false,
          authorities: [ns(hostname, `x.${hostname}`)],
          additionals: [a(`x.${hostname}`, address)],
        }
      : honest(asked);

const asItsOwn =
  (address: string): Script =>
  (asked) =>
    asked.name === hostname && asked.type === 'NS'
      ? { answers: [ns(hostname, `x.${hostname}`)], additionals: [a(`x.${hostname}`, address)] }
      : atOrBelow(asked.name)
        ? mine(asked)
        : honest(asked);

let dnsServers: HostileDns | undefined;
afterEach(() => dnsServers?.stop());

describe('one hijacked name server of a zone', () => {
  it.each<[string, 'first' | 'last', (address: string) => Script]>([
    ['refers to itself, listed first', 'first', referral],
    ['refers to itself, listed last', 'last', referral],
    ['claims to be the zone below, listed first', 'first', asItsOwn],
    ['claims to be the zone below, listed last', 'last', asItsOwn],
  ])('%s: no verdict, and the issue names the servers', async (_, place, lie) => {
    dnsServers = await hostileDns((at) => {
      const [liar, other] = place === 'first' ? [1, 2] : [2, 1];
      const scripts: Script[] = [];
      scripts[liar] = lie(at(4));
      scripts[other] = honest;
      const servers = { 'ns1.dns.test': at(1), 'ns2.dns.test': at(2) };
      const root = delegates({ 'example.com': servers, 'apps.example.net': { 'ns.apps.example.net': at(3) } });
      return [root, ...scripts.slice(1), platformZone, mine];
    });
    const { routing, ownership, caa, corroborated, issues } = await dnsServers.look({ txtRequired: true });
    expect([routing.verdict, ownership.verdict, caa.verdict]).toEqual(['unknown', 'unknown', 'unknown']);
    expect(routing.code).toBe('DelegationsDiffer');
    expect(corroborated).toBe(false);
    expect(issues[0]?.message).toContain('ns1.dns.test');
    expect(issues[0]?.message).toContain('ns2.dns.test');
  });
});
