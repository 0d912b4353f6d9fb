import { describe, expect, it } from '@jest/globals';
import { createDnsChecker } from '../../../../src/dns/lookup/dns-checker.ts';
import { evaluateDns } from '../../../../src/dns/verdict/evaluate-dns.ts';
import type { DnsVerdict } from '../../../../src/dns/verdict/dns-verdict.ts';
import type { Behaviour } from '../../../support/scripted-exchange.ts';
import { always, delegate, scriptedWorld, together, zone } from '../../../support/scripted-exchange.ts';
import { drawn, fc } from '../../../support/property.ts';

/** What no failure of servers may do to a verdict, for every subset of servers and every kind of failure. */

const root = '8.0.0.1';
const hostname = 'www.example.com';
const target = 'p-x.cname.apps.example.net';
const servers = ['8.0.0.2', '8.0.0.3', '8.0.0.4', '8.0.0.5'];

type Verdicts = readonly [string, string, string];

const verdictsOf = ({ routing, ownership, caa }: DnsVerdict): Verdicts => [
  routing.verdict,
  ownership.verdict,
  caa.verdict,
];

async function verdicts(
  behaviours: Readonly<Record<string, Behaviour>>,
  {
    order = servers,
    isLost = () => false,
  }: { readonly order?: readonly string[]; readonly isLost?: () => boolean } = {},
): Promise<Verdicts> {
  const { exchange } = scriptedWorld({
    [root]: together(
      delegate('example.com', ...order.map((address, index) => `ns${index}.dns.test=${address}`)),
      delegate('apps.example.net', 'ns1.dns.test=8.0.0.8', 'ns2.dns.test=8.0.0.9'),
    ),
    '8.0.0.8': zone({ [`${target} A`]: ['203.0.113.10'] }),
    '8.0.0.9': zone({ [`${target} A`]: ['203.0.113.10'] }),
    ...behaviours,
  });
  const dns = createDnsChecker(
    { roots: [{ address: root, port: 53 }], resolvers: [], permitted: [] },
    (server, question, options) =>
      server.address !== root && isLost() ? Promise.resolve('timeout') : exchange(server, question, options),
  );
  const txtName = `_projectdomain-challenge.${hostname}`;
  const request = { hostname, target, txtName, txtRequired: false, caa: true };
  const facts = await dns.check(request, new AbortController().signal);
  const verdict = evaluateDns(facts, {
    hostname,
    target,
    cnameDomain: 'cname.apps.example.net',
    platformDomains: ['apps.example.net'],
    platformAddresses: [],
    txt: { name: txtName, value: 'projectdomain-verify=x' },
    txtRequired: false,
    ca: { domains: ['ca.test'], accountUri: null, method: null, caaProfile: 'strict' },
  });
  return verdictsOf(verdict);
}

const zones: Readonly<Record<string, Behaviour>> = {
  right: zone({ [`${hostname} CNAME`]: [target] }),
  'right by addresses': zone({
    [`${hostname} A`]: ['203.0.113.10'],
    [`_projectdomain-challenge.${hostname} TXT`]: ['projectdomain-verify=x'],
  }),
  empty: zone({ 'example.com A': ['198.51.100.1'] }),
  'somewhere else': zone({ [`${hostname} A`]: ['198.51.100.1'] }),
  'to a neighbour': zone({ [`${hostname} CNAME`]: ['p-other.cname.apps.example.net'] }),
};
const failures: Readonly<Record<string, Behaviour>> = {
  silence: always('timeout'),
  unreachable: always('unreachable'),
  SERVFAIL: always({ rcode: 'SERVFAIL' }),
  REFUSED: always({ rcode: 'REFUSED' }),
  FORMERR: always({ rcode: 'RCODE1' }),
  lame: always({ authoritative: false }),
  malformed: always('malformed'),
};

const subset = fc.array(fc.constantFrom('answers', ...Object.keys(failures)), { minLength: 4, maxLength: 4 });
const content = fc.constantFrom(...Object.keys(zones));

const behavioursOf = (zoneName: string, states: readonly string[]): Readonly<Record<string, Behaviour>> =>
  Object.fromEntries(
    servers.map((address, index) => [address, failures[states[index] ?? ''] ?? zones[zoneName] ?? always('timeout')]),
  );

/** What all servers together lead to, asked for once per zone. */
const healthy = new Map<string, Promise<Verdicts>>();

function healthyVerdicts(zoneName: string): Promise<Verdicts> {
  const found = healthy.get(zoneName) ?? verdicts(behavioursOf(zoneName, ['answers', 'answers', 'answers', 'answers']));
  healthy.set(zoneName, found);
  return found;
}

const runs = { numRuns: drawn(300) } as const;

describe('whatever servers fail, in whatever way', () => {
  it('a yes or a no stays what it is, or becomes unknown', async () => {
    await fc.assert(
      fc.asyncProperty(content, subset, async (zoneName, states) => {
        const expected = await healthyVerdicts(zoneName);
        expect(expected).not.toContain('unknown');
        const failing = await verdicts(behavioursOf(zoneName, states));
        for (const [index, verdict] of failing.entries()) expect(['unknown', expected[index]]).toContain(verdict);
      }),
      runs,
    );
  });

  it('one server that answers is enough for the verdict that all would give', async () => {
    await fc.assert(
      fc.asyncProperty(content, subset, fc.nat(3), async (zoneName, states, good) => {
        const withOne = states.map((state, index) => (index === good ? 'answers' : state));
        expect(await verdicts(behavioursOf(zoneName, withOne))).toEqual(await healthyVerdicts(zoneName));
      }),
      runs,
    );
  });

  it('the order in which they are listed changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(content, { minLength: 4, maxLength: 4 }),
        subset,
        fc.shuffledSubarray(servers, { minLength: 4 }),
        async (zoneNames, states, order) => {
          const mixed = Object.fromEntries(
            servers.map((address, index) => [
              address,
              failures[states[index] ?? ''] ?? zones[zoneNames[index] ?? ''] ?? always('timeout'),
            ]),
          );
          expect(await verdicts(mixed, { order })).toEqual(await verdicts(mixed));
        },
      ),
      runs,
    );
  });
});

/** A linear congruential generator (Numerical Recipes), so that every run loses the same packets. */
function lossOf(share: number, seed: number): () => boolean {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32 < share;
  };
}

describe('lost packets', () => {
  it.each([
    ['four servers', ['answers', 'answers', 'answers', 'answers']],
    ['two servers that answer and two that do not', ['answers', 'silence', 'answers', 'REFUSED']],
  ])('2 %% of them leave fewer than one check in a thousand unknown: %s', async (_, states) => {
    const isLost = lossOf(1 - 0.98 ** 2, 20_261_122);
    const checks = 3_000;
    let unknown = 0;
    for (let index = 0; index < checks; index += 1) {
      const found = await verdicts(behavioursOf('right', states), { isLost });
      if (found.includes('unknown')) unknown += 1;
    }
    expect(unknown).toBeLessThan(checks / 1_000);
  });
});
