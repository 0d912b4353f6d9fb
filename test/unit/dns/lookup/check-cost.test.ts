import { describe, expect, it } from '@jest/globals';
import { checkLimits } from '../../../../src/dns/lookup/check-budget.ts';
import type { CheckCost } from '../../../../src/dns/lookup/dns-checker.ts';
import { createDnsChecker } from '../../../../src/dns/lookup/dns-checker.ts';
import { evaluateDns } from '../../../../src/dns/verdict/evaluate-dns.ts';
import { customerAt, dnsHosts, dnsOfHosts, platformDomains, roots, target } from '../../../support/dns-hosts.ts';
import { inRounds } from '../../../support/exchange-in-rounds.ts';

/**
 * What a check of an ordinary customer's hostname costs, where every level has as many servers as in the real DNS: the
 * very first one, and one after others at the same DNS host, when only what is the customer's own is queried.
 */

async function costsAt(host: number) {
  const dns = dnsOfHosts();
  const { exchange, rounds } = inRounds(dns.exchange);
  const endpoints = roots.map((address) => ({ address, port: 53 }));
  const costs: CheckCost[] = [];
  const checker = createDnsChecker(
    { roots: endpoints, resolvers: [], permitted: [], observe: (cost) => costs.push(cost) },
    exchange,
  );
  const check = async (customer: number, isConfirmation = false) => {
    const before = { packets: dns.sent.length, rounds: rounds() };
    const hostname = customerAt(host, customer);
    const request = {
      hostname,
      target,
      txtName: `_projectdomain-challenge.${hostname}`,
      txtRequired: false,
      caa: true,
      isConfirmation,
    };
    const facts = await checker.check(request, new AbortController().signal);
    const verdict = evaluateDns(facts, {
      hostname,
      target,
      cnameDomain: 'cname.apps.platform.net',
      platformDomains,
      platformAddresses: [],
      txt: null,
      txtRequired: false,
      ca: { domains: ['ca.test'], accountUri: null, method: null, caaProfile: 'strict' },
    });
    const sent = dns.sent.slice(before.packets);
    return {
      verdicts: [verdict.routing.verdict, verdict.caa.verdict, verdict.corroborated],
      packets: sent.length,
      rounds: rounds() - before.rounds,
      toRoots: sent.filter((address) => roots.includes(address)).length,
      toRegistries: sent.filter((address) => /^8\.1\d\./.test(address)).length,
      counted: costs.at(-1)?.packetsTo,
    };
  };
  return { first: await check(0), later: await check(1), confirming: await check(1, true) };
}

describe('a check of a customer’s hostname', () => {
  it.each(dnsHosts.map(({ name, servers }, host) => [name, servers, host] as const))(
    'at %s',
    async (_, servers, host) => {
      const { first, later, confirming } = await costsAt(host);
      for (const { verdicts } of [first, later]) expect(verdicts).toEqual(['yes', 'yes', true]);
      expect(later).toMatchObject({ toRoots: 0, toRegistries: 2, rounds: 4 });
      expect(later.packets).toBe(2 + 2 + 4 * servers + 2);
      expect(confirming).toMatchObject({ toRoots: 0, toRegistries: 0, rounds: 1, packets: servers });
      expect(confirming.verdicts[0]).toBe('yes');
      expect(first.packets).toBeLessThanOrEqual(checkLimits.packets);
      for (const { counted, packets, toRoots, toRegistries } of [first, later, confirming])
        expect(counted).toEqual({
          root: toRoots,
          registry: toRegistries,
          'dns-host': packets - toRoots - toRegistries,
          resolver: 0,
        });
    },
  );
});
