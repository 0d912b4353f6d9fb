import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../dev/lib/eventually.ts';
import { exchange } from '../../src/dns/lookup/dns-exchange.ts';
import { createDnsChecker } from '../../src/dns/lookup/dns-checker.ts';
import { evaluateDns } from '../../src/dns/verdict/evaluate-dns.ts';
import { checkStatusFields, readCheckStatus, withVerdict } from '../../src/controllers/project-domain/check-status.ts';
import type { ProjectDomain } from '../../src/generated/project-domain.ts';
import { lingersUntil } from '../../src/use-cases/domain-fields.ts';
import type { ZoneFile } from '../support/dns-servers/zone-file.ts';
import type { ChangingZones } from './changing-zones.ts';
import { startChangingZones } from './changing-zones.ts';
import { cnameDomain, platformAddresses, target } from './platform.ts';

/**
 * The time until which caches may give a former answer, held to caching resolvers: the moment at which one that asked
 * just before the change gives the new answer. Fails when the status counts another TTL, or from another moment.
 */

const withinMs = 2_000;
const [address] = platformAddresses;
const right = (ttl: number) => `www ${ttl} CNAME ${target}.`;

interface Change {
  readonly name: string;
  readonly apex: string;
  /** of the zone, in seconds: how long caches keep an absence */
  readonly absence: number;
  /** what the zone has first, then, and at last: only the last leads here */
  readonly before: readonly string[];
  readonly between?: readonly string[];
  readonly after: readonly string[];
}

const changes: readonly Change[] = [
  { name: 'an address', apex: 'address.net', absence: 60, before: ['www 20 A 192.0.2.1'], after: [right(300)] },
  { name: 'the absence of any record', apex: 'absent.net', absence: 15, before: [], after: [right(300)] },
  {
    name: 'an alias that goes, before an address that is kept for longer',
    apex: 'alias.net',
    absence: 60,
    before: ['www 12 CNAME shop', 'shop 50 A 192.0.2.1'],
    after: [right(300), 'shop 50 A 192.0.2.1'],
  },
  {
    name: 'an address behind an alias that stays',
    apex: 'behind.net',
    absence: 60,
    before: ['www 6 CNAME shop', 'shop 22 A 192.0.2.1'],
    after: ['www 6 CNAME shop', `shop 5 CNAME ${target}.`],
  },
  {
    name: 'an address whose TTL was lowered a while before',
    apex: 'lowered.net',
    absence: 60,
    before: ['www 24 A 192.0.2.1'],
    between: ['www 4 A 192.0.2.1'],
    after: [right(300)],
  },
];

/** between the questions of the two resolvers: the first one has less than half of its time left at the change */
const apartMs = 9_000;
/** after which the authority serves a zone that was changed */
const servedMs = 500;
/** One resolver asks for a zone long before its last change, the other one just before; of a lowered TTL the first has the old one. */
type Resolver = 'early' | 'late';

const zoneOf = ({ apex, absence }: Change, serial: number, lines: readonly string[]): ZoneFile => ({
  apex,
  isWhole: true,
  lines: [
    `$ORIGIN ${apex}.`,
    '$TTL 300',
    `@ SOA primary.invalid. hostmaster.invalid. ${serial} 3600 600 86400 ${absence}`,
    ...['@ NS ns1.dns-host.net.', '@ NS ns2.dns-host.net.', ...lines],
  ],
});

const platform: ZoneFile = {
  apex: 'platform.net',
  lines: ['@ NS ns1.dns-host.net.', '@ NS ns2.dns-host.net.', `*.${cnameDomain}. A ${address}`],
};

interface Seen {
  /** as the API tells it, milliseconds since the Unix epoch */
  readonly until: number;
  /** when each resolver gave the new answer */
  readonly early: number;
  readonly late: number;
}

let zones: ChangingZones;
const seen = new Map<string, Seen>();

beforeAll(async () => {
  zones = await startChangingZones([platform, ...changes.map((one) => zoneOf(one, 1, one.before))], 2);
  const clocks = changes.map((change) => clockOf(change));
  await Promise.all(clocks.map((clock) => clock.check()));
  await askAll(
    'early',
    changes.filter(({ between }) => !between),
  );
  await sleep(apartMs / 2);
  const lowered = changes.filter(({ between }) => between);
  await askAll('early', lowered);
  zones.change(lowered.map((one) => zoneOf(one, 2, one.between ?? [])));
  await sleep(servedMs);
  await Promise.all(clocks.map((clock) => clock.check()));
  await sleep(apartMs / 2);
  await askAll('late', changes);
  zones.change(changes.map((one) => zoneOf(one, 3, one.after)));
  await Promise.all(changes.map(async (one, index) => seen.set(one.name, await watch(one, clocks[index]))));
}, 120_000);

afterAll(() => zones.stop());

interface Clock {
  /** Looks at DNS as the operator does. Resolves to the time that the API tells then. */
  check(): Promise<string | null>;
}

/** Checks at the zone's own name servers, with the status kept as the operator keeps it. */
function clockOf({ apex }: Change): Clock {
  const hostname = `www.${apex}`;
  const dns = createDnsChecker({
    roots: [{ address: zones.root, port: 53 }],
    resolvers: [],
    permitted: ['127.0.0.0/8'],
  });
  const request = { hostname, target, txtName: null, txtRequired: false, caa: false };
  const wanted = {
    ...request,
    cnameDomain,
    platformDomains: ['apps.platform.net'],
    platformAddresses,
    txt: null,
    ca: null,
  };
  let domain = { metadata: {}, spec: { project: 'shop', hostname }, status: {} } as ProjectDomain;
  return {
    async check() {
      const facts = await dns.check(request, new AbortController().signal);
      const status = withVerdict(readCheckStatus(domain), evaluateDns(facts, wanted), Date.now());
      domain = { ...domain, status: { check: checkStatusFields(status) } };
      return lingersUntil(domain, Date.now());
    },
  };
}

async function watch(change: Change, clock: Clock | undefined): Promise<Seen> {
  const [until, early, late] = await Promise.all([
    eventually(`${change.apex} leads here`, 10_000, async () => {
      const told = await clock?.check();
      expectThat(typeof told === 'string', 'no time is told');
      return Date.parse(told);
    }),
    flipOf('early', change),
    flipOf('late', change),
  ]);
  return { until, early, late };
}

/** When the resolver gives the platform's address, milliseconds since the Unix epoch. */
async function flipOf(resolver: Resolver, change: Change): Promise<number> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(100))
    if ((await ask(resolver, change)).includes(address)) return Date.now();
  throw new Error(`${resolver} never gave the new answer for ${change.apex}`);
}

const askAll = (resolver: Resolver, some: readonly Change[]) => Promise.all(some.map((one) => ask(resolver, one)));

/** The values that a resolver gives for the hostname. */
async function ask(resolver: Resolver, { apex }: Change): Promise<readonly string[]> {
  const server = { address: zones.resolvers[resolver === 'early' ? 0 : 1] ?? '', port: 53 };
  const allowance = { packet: () => true, bytes: () => true, answered: () => undefined };
  const options = { signal: new AbortController().signal, allowance, edns: true, timeoutMs: 3_000 };
  const response = await exchange(server, { name: `www.${apex}`, type: 'A', recursive: true }, options);
  if (typeof response === 'string') throw new Error(`${resolver}: ${response}`);
  return response.answers.map(({ value }) => value);
}

describe('the time until which caches give what was there before', () => {
  it.each(changes)('$name: is when the last resolver forgets it, and none has it longer', ({ name, between }) => {
    const { until, early, late } = seen.get(name) ?? { until: 0, early: 0, late: 0 };
    const last = between ? early : late;
    expect(Math.abs(last - until)).toBeLessThanOrEqual(withinMs);
    expect(between ? late : early).toBeLessThan(last - withinMs);
  });
});
