import { describe, expect, it } from '@jest/globals';
import { createDnsChecker } from '../../../src/dns/lookup/dns-checker.ts';
import { checkLimits } from '../../../src/dns/lookup/check-budget.ts';
import { evaluateDns } from '../../../src/dns/verdict/evaluate-dns.ts';
import type { Behaviour } from '../../support/scripted-exchange.ts';
import { always, delegate, scriptedWorld, together, zone } from '../../support/scripted-exchange.ts';

const root = '8.0.0.1';
const resolvers = ['8.8.8.1', '8.8.8.2', '8.8.8.3'];
const hostname = 'www.example.com';
const target = 'p-x.cname.apps.example.net';
const targetZone = { [`${target} A`]: ['203.0.113.10'] };

/** example.com at 8.0.0.2 and 8.0.0.3 unless the case says otherwise; the target's zone at 8.0.0.9. */
const delegations = together(
  delegate('example.com', 'ns1.dns.test=8.0.0.2', 'ns2.dns.test=8.0.0.3'),
  delegate('apps.example.net', 'ns.dns.test=8.0.0.9'),
);

const right = zone({ [`${hostname} CNAME`]: [target], 'example.com A': ['198.51.100.1'] });

async function look(servers: Readonly<Record<string, Behaviour>>, asked: readonly string[] = []) {
  const dnsServers = scriptedWorld({ [root]: delegations, '8.0.0.9': zone(targetZone), ...servers });
  const endpoint = (address: string) => ({ address, port: 53 });
  const dns = createDnsChecker(
    { roots: [endpoint(root)], resolvers: asked.map(endpoint), permitted: [] },
    dnsServers.exchange,
  );
  const request = { hostname, target, txtName: `_projectdomain-challenge.${hostname}`, txtRequired: false, caa: true };
  const facts = await dns.check(request, new AbortController().signal);
  const verdict = evaluateDns(facts, {
    hostname,
    target,
    cnameDomain: 'cname.apps.example.net',
    platformDomains: ['apps.example.net'],
    platformAddresses: [],
    txt: { name: `_projectdomain-challenge.${hostname}`, value: 'projectdomain-verify=x' },
    txtRequired: false,
    ca: { domains: ['ca.test'], accountUri: null, method: null, caaProfile: 'strict' },
  });
  return { dnsServers, facts, verdict };
}

describe('what servers do wrong is never a no', () => {
  it.each<[string, Readonly<Record<string, Behaviour>>, string]>([
    ['both servers right', { '8.0.0.2': right, '8.0.0.3': right }, 'yes'],
    ['one silent', { '8.0.0.2': right }, 'yes'],
    ['one SERVFAIL', { '8.0.0.2': always({ rcode: 'SERVFAIL' }), '8.0.0.3': right }, 'yes'],
    ['one REFUSED', { '8.0.0.2': right, '8.0.0.3': always({ rcode: 'REFUSED' }) }, 'yes'],
    ['one lame', { '8.0.0.2': right, '8.0.0.3': always({ authoritative: false }) }, 'yes'],
    ['both silent', {}, 'unknown'],
    [
      'both SERVFAIL',
      { '8.0.0.2': always({ rcode: 'SERVFAIL' }), '8.0.0.3': always({ rcode: 'SERVFAIL' }) },
      'unknown',
    ],
    [
      'both lame',
      { '8.0.0.2': always({ authoritative: false }), '8.0.0.3': always({ authoritative: false }) },
      'unknown',
    ],
    ['one right, one empty', { '8.0.0.2': right, '8.0.0.3': zone({ 'example.com A': ['198.51.100.1'] }) }, 'unknown'],
    ['both empty: now it is a no', { '8.0.0.2': zone({}), '8.0.0.3': zone({}) }, 'no'],
    ['the root silent', { [root]: always('timeout') }, 'unknown'],
  ])('%s', async (_, servers, verdict) => {
    expect((await look(servers)).verdict.routing.verdict).toBe(verdict);
  });
});

describe('recursive resolvers', () => {
  const fresh = always({ authoritative: false, answers: [{ name: hostname, type: 'CNAME', value: target, ttl: 60 }] });

  it('are never asked while the authority says no: a negative answer would be kept by them', async () => {
    const { dnsServers, verdict } = await look(
      { '8.0.0.2': zone({}), '8.0.0.3': zone({}), [resolvers[0] ?? '']: fresh },
      resolvers,
    );
    expect(verdict.routing.verdict).toBe('no');
    expect(dnsServers.sent.filter((address) => resolvers.includes(address))).toEqual([]);
  });

  it('decide by majority when no server of the zone can be reached', async () => {
    const answers = Object.fromEntries(resolvers.slice(0, 2).map((address) => [address, fresh]));
    expect((await look(answers, resolvers)).verdict.routing.verdict).toBe('yes');
    expect((await look({ [resolvers[0] ?? '']: fresh }, resolvers)).verdict.routing.verdict).toBe('unknown');
  });
});

describe("no packet goes where a customer's records must not lead us", () => {
  it.each([
    ['loopback', '127.0.0.1'],
    ['private', '10.0.0.53'],
    ['private', '192.168.1.1'],
    ['private', '172.16.0.1'],
    ['link-local, where clouds keep credentials', '169.254.169.254'],
    ['CGNAT', '100.64.0.1'],
    ['multicast', '224.0.0.251'],
    ['unspecified', '0.0.0.0'],
  ])('%s %s', async (_, address) => {
    const { dnsServers, verdict } = await look({
      [root]: together(
        delegate('example.com', `ns1.dns.test=${address}`),
        delegate('apps.example.net', 'ns.dns.test=8.0.0.9'),
      ),
      [address]: right,
    });
    expect(dnsServers.sent).not.toContain(address);
    expect(verdict.routing.verdict).toBe('unknown');
  });
});

describe('the name servers of the zone', () => {
  const backwards = together(
    delegate('example.com', 'ns2.dns.test=8.0.0.3', 'ns1.dns.test=8.0.0.2'),
    delegate('apps.example.net', 'ns.dns.test=8.0.0.9'),
  );
  const child = together(right, zone({ 'example.com NS': ['ns1.dns.test', 'ns3.example.com'] }));
  const withThird = together(child, zone({ 'ns3.example.com A': ['8.0.0.4'] }));

  it.each<[string, Readonly<Record<string, Behaviour>>, readonly string[]]>([
    ['are those of the delegation', { '8.0.0.2': right, '8.0.0.3': right }, ['ns1.dns.test', 'ns2.dns.test']],
    ['are those of the delegation while none of them answers', {}, ['ns1.dns.test', 'ns2.dns.test']],
    ['are those of parent and child', { '8.0.0.2': withThird }, ['ns1.dns.test', 'ns2.dns.test', 'ns3.example.com']],
    ['are not known where the way there is blocked', { [root]: always('timeout') }, []],
    ['are sorted', { [root]: backwards, '8.0.0.2': right }, ['ns1.dns.test', 'ns2.dns.test']],
  ])('%s', async (_, servers, names) => {
    const { verdict } = await look(servers);
    expect(verdict.nameServers).toEqual(names);
  });
});

describe('a check is bounded, whatever the zone looks like', () => {
  const many = Array.from({ length: 40 }, (_, index) => `ns${index}.dns.test=8.1.0.${index}`);

  it('forty name servers are cut to thirteen', async () => {
    const { dnsServers } = await look({ [root]: delegate('example.com', ...many) });
    expect(new Set(dnsServers.sent.filter((address) => address.startsWith('8.1.'))).size).toBeLessThanOrEqual(
      checkLimits.serversPerZone,
    );
  });

  it('a hundred packets are the end, and the answer is unknown', async () => {
    const chain = Object.fromEntries(
      Array.from({ length: 9 }, (_, index) => [`n${index}.example.com CNAME`, [`n${index + 1}.example.com`]]),
    );
    const crowd = Object.fromEntries(
      many.map((server) => [server.split('=')[1] ?? '', zone({ [`${hostname} CNAME`]: ['n0.example.com'], ...chain })]),
    );
    const { dnsServers, verdict } = await look({ ...crowd, [root]: delegate('example.com', ...many) });
    expect(dnsServers.sent.length).toBeLessThanOrEqual(checkLimits.packets);
    expect(verdict.routing.verdict).not.toBe('yes');
  });

  it('a circle of aliases ends', async () => {
    const circle = zone({ [`${hostname} CNAME`]: ['a.example.com'], 'a.example.com CNAME': [hostname] });
    const { verdict } = await look({ '8.0.0.2': circle, '8.0.0.3': circle });
    expect(verdict.routing).toMatchObject({ verdict: 'no', code: 'AliasLoop' });
  });

  it('name servers without glue that need each other end as unknown', async () => {
    const knot = together(
      delegate('example.com', 'ns.other.com'),
      delegate('other.com', 'ns.example.com'),
      delegate('apps.example.net', 'ns.dns.test=8.0.0.9'),
    );
    const { verdict, dnsServers } = await look({ [root]: knot });
    expect(verdict.routing.verdict).toBe('unknown');
    expect(dnsServers.sent.length).toBeLessThanOrEqual(checkLimits.packets);
  });

  it("glue for a name outside the delegated zone's parent is not believed", async () => {
    const com = together(delegate('example.com', 'ns.victim.net=8.6.6.6'), always({}));
    const { dnsServers } = await look({
      [root]: together(delegate('com', 'a.gtld.test=8.0.0.7'), delegate('apps.example.net', 'ns.dns.test=8.0.0.9')),
      '8.0.0.7': com,
      '8.6.6.6': right,
    });
    expect(dnsServers.sent).not.toContain('8.6.6.6');
  });
});
