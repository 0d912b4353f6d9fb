import { describe, expect, it } from '@jest/globals';
import type { UnknownCause } from '../../../src/dns/dns-facts.ts';
import { createDnsClient } from '../../../src/dns/lookup/dns-client.ts';
import { createDnsChecker } from '../../../src/dns/lookup/dns-checker.ts';
import type { Exchange } from '../../../src/dns/wire/dns-exchange.ts';
import type { Question, Response } from '../../../src/dns/wire/dns-message.ts';
import { createServerMemory } from '../../../src/dns/lookup/server-memory.ts';
import { evaluateDns } from '../../../src/dns/verdict/evaluate-dns.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { isWithin } from '../../../src/rules/hostname.ts';
import { empty, record } from '../../support/scripted-exchange.ts';
import { turnsOfLoop } from '../../support/turns-of-loop.ts';

/**
 * Whoever controls one name server of a zone, or can name one, tries to count for two, to speak for a zone below, or to
 * have our limits held against a server. Scripted, as no real server lies on demand.
 */

const root = '8.0.0.1';
const [honest1, honest2] = ['8.1.0.1', '8.1.0.2'];
const [dangling, evil1, evil2] = ['8.6.0.9', '8.6.6.1', '8.6.6.2'];
const [registrar1, registrar2] = ['8.6.0.1', '8.6.0.2'];
const hostname = 'shop.eu.victim.com';
const target = 'p-x.cname.apps.example.net';

type Answer = Response | UnknownCause;
type Server = (question: Question) => Answer | Promise<Answer>;

const soa = (zone: string): Response => ({ ...empty, authorities: [record(zone, 'SOA', 'x')] });
const refused: Response = { ...empty, authoritative: false, rcode: 'REFUSED' };
const alias = (name: string): Response => ({ ...empty, answers: [record(name, 'CNAME', target)] });

const referral = (zone: string, servers: readonly string[]): Response => ({
  ...empty,
  authoritative: false,
  authorities: servers.map((server) => record(zone, 'NS', server.split('=')[0] ?? '')),
  additionals: servers.flatMap((server) => {
    const [name = '', address] = server.split('=');
    return address ? [record(name, 'A', address)] : [];
  }),
});

const rootWith =
  (delegations: Readonly<Record<string, readonly string[]>>): Server =>
  ({ name }) => {
    const zone = Object.keys(delegations).find((apex) => isWithin(name, apex));
    return zone ? referral(zone, delegations[zone] ?? []) : soa('');
  };

async function check(servers: Readonly<Record<string, Server>>, exchangeOf = (exchange: Exchange) => exchange) {
  const exchange: Exchange = async ({ address }, question) => (await servers[address]?.(question)) ?? 'timeout';
  const roots = [{ address: root, port: 53 }];
  const dns = createDnsChecker({ roots, resolvers: [], permitted: [] }, exchangeOf(exchange));
  const request = { hostname, target, txtName: null, txtRequired: false, caa: true };
  const facts = await dns.check(request, new AbortController().signal);
  return evaluateDns(facts, {
    hostname,
    target,
    cnameDomain: 'cname.apps.example.net',
    platformDomains: ['apps.example.net'],
    platformAddresses: [],
    txt: null,
    txtRequired: false,
    ca: { domains: ['ca.test'], accountUri: null, method: null, caaProfile: 'strict' },
  });
}

const platform = { 'apps.example.net': ['ns.dns.test=8.0.0.9'] };

describe('a dangling name server whose name has two addresses', () => {
  const below: Server = ({ name, type }) => {
    if (type === 'NS' && name === 'eu.victim.com') {
      const servers = ['a.eu.victim.com', 'b.eu.victim.com'];
      return { ...empty, answers: servers.map((server) => record(name, 'NS', server)) };
    }
    if (type === 'A' && name === 'a.eu.victim.com') return { ...empty, answers: [record(name, 'A', evil1)] };
    if (type === 'A' && name === 'b.eu.victim.com') return { ...empty, answers: [record(name, 'A', evil2)] };
    return name === hostname && type !== 'CAA' && type !== 'NS' ? alias(name) : soa('eu.victim.com');
  };
  const named =
    (address: string): Server =>
    ({ name, type }) =>
      name === 'ns3.dangling.test' && type === 'A' ? { ...empty, answers: [record(name, 'A', address)] } : empty;

  it.each<[string, Server]>([
    ['are silent', () => 'timeout'],
    ['refuse NS', ({ type }) => (type === 'NS' ? refused : { ...soa('victim.com'), rcode: 'NXDOMAIN' })],
  ])('counts once while the honest servers %s', async (_, honest) => {
    for (let round = 0; round < 8; round += 1) {
      const verdict = await check({
        [root]: rootWith({
          'victim.com': [`ns1.victim.com=${honest1}`, `ns2.victim.com=${honest2}`, 'ns3.dangling.test'],
          'dangling.test': [`d1.dangling.test=${registrar1}`, `d2.dangling.test=${registrar2}`],
          ...platform,
        }),
        [honest1]: honest,
        [honest2]: honest,
        [registrar1]: named(evil1),
        [registrar2]: named(evil2),
        [evil1]: below,
        [evil2]: below,
      });
      expect(verdict.corroborated).toBe(false);
    }
  });
});

const victim = {
  'victim.com': [`ns1.victim.com=${honest1}`, `ns2.victim.com=${honest2}`, `ns3.dangling.test=${dangling}`],
  ...platform,
};

describe('a dangling name server that refers to a zone below while the others are down', () => {
  // All else is answered within a few turns.
  it.each([0, 50])('stays one voice, whatever it says of CAA %i turns of the event loop later', async (turns) => {
    const evil: Server = ({ name, type }) => (name === hostname && type !== 'CAA' ? alias(name) : soa('eu.victim.com'));
    const verdict = await check({
      [root]: rootWith(victim),
      [evil1]: evil,
      [evil2]: evil,
      [dangling]: async ({ name, type }) => {
        if (type === 'CAA') return turnsOfLoop(turns).then(() => soa('victim.com'));
        if (type === 'NS' && name === 'victim.com')
          return { ...empty, answers: [record(name, 'NS', 'ns1.victim.com')] };
        const zone = 'eu.victim.com';
        return isWithin(name, zone) ? referral(zone, [`a.${zone}=${evil1}`, `b.${zone}=${evil2}`]) : soa('victim.com');
      },
    });
    expect(verdict.corroborated).toBe(false);
  });
});

describe('a name server that claims a zone below while the others have the right record', () => {
  it.each<[string, Answer]>([
    ['refuse NS', refused],
    ['ignore NS', 'timeout'],
    ['answer NS', soa('victim.com')],
  ])('never makes it a no: the others %s', async (_, toNs) => {
    const honest: Server = ({ name, type }) =>
      type === 'NS' ? toNs : name === hostname && type !== 'CAA' ? alias(name) : soa('victim.com');
    const verdict = await check({
      [root]: rootWith(victim),
      [honest1]: honest,
      [honest2]: honest,
      [dangling]: ({ name, type }) =>
        type === 'NS' && name === 'eu.victim.com'
          ? { ...empty, answers: [record(name, 'NS', 'ns.eu.victim.com')] }
          : type === 'A' && name === 'ns.eu.victim.com'
            ? { ...empty, answers: [record(name, 'A', dangling)] }
            : { ...soa('eu.victim.com'), rcode: 'NXDOMAIN' },
    });
    // Which of the two depends on the two servers that are asked for the zone's name servers.
    expect(['DelegationsDiffer', 'ServersDisagree']).toContain(verdict.routing.code);
    expect(verdict.routing.verdict).toBe('unknown');
  });
});

describe('our own limits', () => {
  it('say nothing about a server that they kept a packet from', async () => {
    const told: string[] = [];
    const client = createDnsClient({
      exchange: () => Promise.resolve(empty),
      allowed: () => true,
      unbounded: () => false,
      rates: { waitFor: () => null, answered: () => told.push('it is a name server') },
      silence: { holds: () => false, note: () => told.push('it answered, or did not') },
      memory: createServerMemory(),
      signal: new AbortController().signal,
      now: systemClock.elapsed,
    });
    const question = { name: hostname, type: 'A', recursive: false } as const;
    expect(await client.query({ address: '8.66.0.1', port: 53 }, question)).toBe('bounds-exceeded');
    expect(told).toEqual([]);
  });

  it('end a check that waits for what another one is asking', async () => {
    const [asked, answers] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const exchange: Exchange = async () => {
      asked.resolve();
      await answers.promise;
      return 'timeout';
    };
    const dns = createDnsChecker({ roots: [{ address: root, port: 53 }], resolvers: [], permitted: [] }, exchange);
    const request = { hostname, target, txtName: null, txtRequired: false, caa: true };
    const order: string[] = [];
    const first = dns.check(request, new AbortController().signal).then(() => order.push('first'));
    await asked.promise;
    await dns.check(request, AbortSignal.timeout(50)).then(() => order.push('second'));
    answers.resolve();
    await first;
    expect(order).toEqual(['second', 'first']);
  });
});
