import { describe, expect, it } from '@jest/globals';
import { createDnsChecker } from '../../../../src/dns/lookup/dns-checker.ts';
import { createSharedAnswers, sharedLimits } from '../../../../src/dns/lookup/infrastructure-cache.ts';
import type { Behaviour } from '../../../support/scripted-exchange.ts';
import { delegate, scriptedWorld, together, zone } from '../../../support/scripted-exchange.ts';

/** What is kept from one look to the next: the way to registries and to the platform, never what a customer controls. */

const answersFor = (ttl: number) => [
  {
    endpoint: { address: '8.1.0.1', port: 53 },
    server: { name: 'a.gtld.test', endpoints: [], delegated: true, certain: true },
    response: {
      rcode: 'NOERROR',
      authoritative: true,
      truncated: false,
      answers: [{ name: 'com', type: 'NS', ttl, value: 'a.gtld.test' }],
      authorities: [],
      additionals: [],
    },
  } as const,
];

describe('answers that are kept', () => {
  it.each<[string, number, number]>([
    ['as long as their time to live', 60, 60_000],
    ['an hour at most', 172_800, 3_600_000],
    ['not at all where they say so', 0, 0],
  ])('are kept %s', (_, ttl, ms) => {
    const shared = createSharedAnswers();
    shared.keep('com', answersFor(ttl), 0);
    expect([ms > 0 && shared.recall('com', ms - 1) !== undefined, shared.recall('com', ms)]).toEqual([
      ms > 0,
      undefined,
    ]);
  });

  it('are 2,000 at most, and the oldest goes', () => {
    expect(sharedLimits.entries).toBe(2_000);
    const shared = createSharedAnswers();
    for (let index = 0; index <= sharedLimits.entries; index += 1) shared.keep(`${index}`, answersFor(60), 0);
    expect([shared.recall('0', 1), shared.recall('1', 1) !== undefined]).toEqual([undefined, true]);
  });
});

const [root, registry, other, former, present] = ['8.0.0.1', '8.1.0.1', '8.1.0.2', '8.2.0.1', '8.2.0.2'];
const hostname = 'www.example.com';
const target = 'p-x.cname.apps.example.net';

/** Two looks at a domain that its registry leads to another server in between; `second` is the registry's other server. */
async function twoLooks(second: Behaviour) {
  let server = former;
  const registrys: Behaviour = (question) =>
    together(delegate('example.com', `ns.example.com=${server}`), zone({ 'com SOA': ['x'] }))(question);
  const { exchange, sent } = scriptedWorld({
    [root]: together(
      delegate('com', `a.gtld.test=${registry}`, `b.gtld.test=${other}`),
      delegate('apps.example.net', 'ns.dns.test=8.0.0.9'),
    ),
    [registry]: registrys,
    [other]: (question) => (question.name === 'com' ? second(question) : registrys(question)),
    [former]: zone({ [`${hostname} CNAME`]: [target] }),
    [present]: zone({ [`${hostname} CNAME`]: ['moved.example.com'] }),
    '8.0.0.9': zone({ [`${target} A`]: ['203.0.113.10'] }),
  });
  const dns = createDnsChecker({ roots: [{ address: root, port: 53 }], resolvers: [], permitted: [] }, exchange);
  const look = async () => {
    const before = sent.length;
    const facts = await dns.check(
      { hostname, target, txtName: null, txtRequired: false, caa: true },
      new AbortController().signal,
    );
    return { asked: sent.slice(before), names: facts.names };
  };
  const first = await look();
  server = present;
  return { first, later: await look() };
}

const toRegistry = ({ asked }: { readonly asked: readonly string[] }) => asked.filter((to) => to === registry).length;

describe('two looks, one after the other', () => {
  it('ask anew where a registry delegates a domain, and not again where the root delegates the registry', async () => {
    const { first, later } = await twoLooks(zone({ 'com SOA': ['x'] }));
    expect(first.asked).toContain(root);
    expect(later.asked).not.toContain(root);
    expect([first.asked.includes(former), later.asked.includes(former)]).toEqual([true, false]);
    expect(later.asked).toContain(present);
    expect(JSON.stringify(later.names[hostname])).toContain('moved.example.com');
    expect(toRegistry(later)).toBeLessThan(toRegistry(first));
  });

  it('ask again what only one of two servers had an answer to', async () => {
    const { first, later } = await twoLooks(() => 'timeout');
    expect(toRegistry(later)).toBe(toRegistry(first));
  });
});
