import { describe, expect, it } from '@jest/globals';
import { createDnsChecker } from '../../../src/dns/lookup/dns-checker.ts';
import { checkLimits } from '../../../src/dns/lookup/check-budget.ts';
import { evaluateDns } from '../../../src/dns/verdict/evaluate-dns.ts';
import type { Behaviour } from '../../support/scripted-exchange.ts';
import { delegate, scriptedWorld, together, zone } from '../../support/scripted-exchange.ts';

/** What a look at an ordinary customer's domain costs, where every level has as many servers as in the real world. */

const hostname = 'www.example.com';
const target = 'p-x.cname.apps.example.net';
const roots = Array.from({ length: 13 }, (_, index) => `8.0.0.${index + 1}`);
const registry = Array.from({ length: 13 }, (_, index) => `8.1.0.${index + 1}`);
const ours = ['8.3.0.1', '8.3.0.2', '8.3.0.3', '8.3.0.4'];

const each = (addresses: readonly string[], behaviour: Behaviour) =>
  Object.fromEntries(addresses.map((address) => [address, behaviour]));
const named = (label: string, addresses: readonly string[]) =>
  addresses.map((address, index) => `${label}${index}.${label}.test=${address}`);

function dnsServers(servers: number) {
  const theirs = Array.from({ length: servers }, (_, index) => `8.2.0.${index + 1}`);
  const { exchange, sent } = scriptedWorld({
    ...each(roots, together(delegate('com', ...named('gtld', registry)), delegate('net', ...named('gtld', registry)))),
    ...each(
      registry,
      together(
        delegate('example.com', ...theirs.map((address, index) => `ns${index}.example.com=${address}`)),
        delegate('example.net', ...ours.map((address, index) => `ns${index}.example.net=${address}`)),
        zone({ 'com SOA': ['x'], 'net SOA': ['x'] }),
      ),
    ),
    ...each(
      theirs,
      zone({ [`${hostname} CNAME`]: [target], 'example.com NS': theirs.map((_, i) => `ns${i}.example.com`) }),
    ),
    ...each(ours, zone({ [`${target} A`]: ['203.0.113.10'] })),
  });
  const dns = createDnsChecker(
    { roots: roots.map((address) => ({ address, port: 53 })), resolvers: [], permitted: [] },
    exchange,
  );
  return async () => {
    const before = sent.length;
    const request = {
      hostname,
      target,
      txtName: `_projectdomain-challenge.${hostname}`,
      txtRequired: false,
      caa: true,
    };
    const facts = await dns.check(request, new AbortController().signal);
    const verdict = evaluateDns(facts, {
      hostname,
      target,
      cnameDomain: 'cname.apps.example.net',
      platformDomains: ['apps.example.net'],
      platformAddresses: [],
      txt: null,
      txtRequired: false,
      ca: { domains: ['ca.test'], accountUri: null, method: null, caaProfile: 'strict' },
    });
    const { routing, caa, corroborated } = verdict;
    return { packets: sent.length - before, verdicts: [routing.verdict, caa.verdict], corroborated };
  };
}

describe('a look at a domain under com, with thirteen servers of the registry, all of them asked', () => {
  it.each([4, 5, 6])('and %i servers of the customer stays within the bound, first and later', async (servers) => {
    const look = dnsServers(servers);
    const first = await look();
    const later = await look();
    for (const { verdicts, corroborated } of [first, later]) {
      expect(verdicts).toEqual(['yes', 'yes']);
      expect(corroborated).toBe(true);
    }
    expect(first.packets).toBeLessThanOrEqual(checkLimits.packets);
    expect(later.packets).toBeLessThan(first.packets);
  });
});
