import { describe, expect, it } from '@jest/globals';
import { checkLimits } from '../../../src/dns/lookup/check-budget.ts';
import { createDnsChecker } from '../../../src/dns/lookup/dns-checker.ts';
import { checkOf } from '../../../src/dns/verdict/desired-dns.ts';
import type { DesiredDns } from '../../../src/dns/verdict/dns-verdict.ts';
import { evaluateDns } from '../../../src/dns/verdict/evaluate-dns.ts';
import type { Behaviour } from '../../support/scripted-exchange.ts';
import { delegate, empty, record, scriptedWorld, together, zone } from '../../support/scripted-exchange.ts';

/**
 * Whoever can forge the answers of a zone can also name as many servers as a check queries. Fails when that leaves no
 * packet for the question whether the answers are forged.
 */

const [root, registry] = ['8.0.0.1', '8.0.1.1'];
const resolvers = ['8.1.1.1', '8.1.1.2'];
const ours = '8.9.9.9';

const bogus: Behaviour = ({ name, type, dnssec }) =>
  dnssec === 'checking'
    ? { ...empty, rcode: 'SERVFAIL' }
    : { ...empty, answers: type === 'A' ? [record(name, type, ours)] : [] };

function wantedOf(hostname: string): DesiredDns {
  return {
    hostname,
    target: 'p-x.cname.apps.example.net',
    cnameDomain: 'cname.apps.example.net',
    platformDomains: [],
    platformAddresses: [ours],
    txt: { name: `_projectdomain-challenge.${hostname}`, value: 'projectdomain-verify=x' },
    txtRequired: false,
    ca: { domains: ['ca.test'], accountUri: null, method: 'http-01', caaProfile: 'strict' },
  };
}

async function look(hostname: string, count: number) {
  const wanted = wantedOf(hostname);
  const addresses = Array.from({ length: count }, (_, index) => `8.8.1.${index + 1}`);
  const names = addresses.map((address, index) => [`ns${index}.example.com`, address] as const);
  const own = zone({
    [`${hostname} A`]: [ours],
    [`${wanted.txt?.name} TXT`]: ['projectdomain-verify=x'],
    ...Object.fromEntries(names.map(([name, address]) => [`${name} A`, [address]])),
  });
  const dnsServers = scriptedWorld({
    [root]: together(delegate('com', `a.registry.test=${registry}`), () => empty),
    [registry]: (question) =>
      question.name === 'com' ? empty : delegate('example.com', ...names.map((both) => both.join('=')))(question),
    ...Object.fromEntries(addresses.map((address) => [address, own])),
    ...Object.fromEntries(resolvers.map((address) => [address, bogus])),
  });
  const endpoint = (address: string) => ({ address, port: 53 });
  const dns = createDnsChecker(
    { roots: [endpoint(root)], resolvers: resolvers.map(endpoint), permitted: [] },
    dnsServers.exchange,
  );
  const facts = await dns.check(checkOf(wanted), new AbortController().signal);
  const toResolvers = dnsServers.sent.filter((address) => resolvers.includes(address)).length;
  return { verdict: evaluateDns(facts, wanted), others: dnsServers.sent.length - toResolvers };
}

describe('a hostname that two resolvers call bogus', () => {
  it.each<[string, number, string]>([
    ['two name servers', 2, 'www.example.com'],
    ['ten name servers', 10, 'a.b.c.example.com'],
    ['as many name servers as are queried', checkLimits.serversPerZone, 'www.example.com'],
    ['these and a deep name', checkLimits.serversPerZone, 'a.b.c.d.e.f.example.com'],
  ])('is never proven, with %s', async (_, count, hostname) => {
    const { verdict, others } = await look(hostname, count);
    expect([verdict.dnssec, verdict.routing.code, verdict.corroborated]).toEqual(['Bogus', 'DnssecBogus', false]);
    expect(others).toBeLessThanOrEqual(checkLimits.packets);
  });
});
