import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../dev/lib/eventually.ts';
import { exchange } from '../../src/dns/wire/dns-exchange.ts';
import { createDnsChecker } from '../../src/dns/lookup/dns-checker.ts';
import { evaluateDns } from '../../src/dns/verdict/evaluate-dns.ts';
import { checkStatusFields, readCheckStatus, withVerdict } from '../../src/controllers/project-domain/check-status.ts';
import type { ProjectDomain } from '../../src/generated/project-domain.ts';
import { lingersUntil } from '../../src/use-cases/domain-view.ts';
import type { ZoneFile } from '../support/dns-servers/zone-file.ts';
import type { ChangingZones } from './changing-zones.ts';
import { startChangingZones } from './changing-zones.ts';
import { cnameDomain, platformAddresses, target } from './platform.ts';

/**
 * The time until which caches may give a former answer, held to caching resolvers: the moment at which one that asked
 * just before the change gives the new answer. Fails when the status counts another TTL, or from another moment. What the machine takes beside
 * is known: each moment is one between a question and its answer.
 */

/** A resolver counts in whole seconds, and so does the status. */
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
  /** how long before the operator saw the change the resolver that forgets last asked */
  readonly askedBeforeMs: number;
  readonly early: Flip;
  readonly late: Flip;
}

/** When a resolver has gone over to the new answer: between the last question that was given the old one, and the answer to the next. */
interface Flip {
  readonly after: number;
  readonly before: number;
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
  const loweredAskedAt = Date.now();
  await askAll('early', lowered);
  zones.change(lowered.map((one) => zoneOf(one, 2, one.between ?? [])));
  await Promise.all(lowered.map(untilLowered));
  await Promise.all(clocks.map((clock) => clock.check()));
  const loweredBeforeMs = Date.now() - loweredAskedAt;
  await sleep(apartMs / 2);
  const askedAt = Date.now();
  await askAll('late', changes);
  zones.change(changes.map((one) => zoneOf(one, 3, one.after)));
  await Promise.all(
    changes.map(async (one, index) => {
      const { seenAt, ...times } = await watch(one, clocks[index]);
      seen.set(one.name, { ...times, askedBeforeMs: one.between ? loweredBeforeMs : seenAt - askedAt });
    }),
  );
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

async function watch(change: Change, clock: Clock | undefined) {
  const [told, early, late] = await Promise.all([
    eventually(`${change.apex} leads here`, 10_000, async () => {
      const until = await clock?.check();
      expectThat(typeof until === 'string', 'no time is told');
      return { until: Date.parse(until), seenAt: Date.now() };
    }),
    flipOf('early', change),
    flipOf('late', change),
  ]);
  return { ...told, early, late };
}

async function flipOf(resolver: Resolver, change: Change): Promise<Flip> {
  let after = 0;
  return eventually(`${resolver} gives the new answer for ${change.apex}`, 60_000, async () => {
    const askedAt = Date.now();
    const isNew = (await ask(resolver, change)).includes(address);
    if (!isNew) after = askedAt;
    expectThat(isNew, 'the old one');
    return { after, before: Date.now() };
  });
}

const askAll = (resolver: Resolver, some: readonly Change[]) => Promise.all(some.map((one) => ask(resolver, one)));

/** The values that a resolver gives for the hostname. */
const ask = async (resolver: Resolver, change: Change): Promise<readonly string[]> =>
  (await answersOf(zones.resolvers[resolver === 'early' ? 0 : 1] ?? '', change, true)).map(({ value }) => value);

async function answersOf(address: string, { apex }: Change, recursive: boolean) {
  const allowance = { packet: () => true, bytes: () => true, answered: () => undefined };
  const options = { signal: new AbortController().signal, allowance, edns: true, timeoutMs: 10_000 };
  const response = await exchange({ address, port: 53 }, { name: `www.${apex}`, type: 'A', recursive }, options);
  if (typeof response === 'string') throw new Error(`${address}: ${response}`);
  return response.answers;
}

const untilLowered = (change: Change): Promise<void> =>
  eventually(`the lowered TTL of ${change.apex} is served`, 10_000, async () => {
    const [line] = change.between ?? [];
    const [answer] = await answersOf(zones.authority, change, false);
    expectThat(answer?.ttl === Number(line?.split(' ')[1]), `it is ${answer?.ttl}`);
  });

describe('the time until which caches give what was there before', () => {
  it.each(changes)('$name: is when the last resolver forgets it, and none has it longer', ({ name, between }) => {
    const found = seen.get(name);
    if (!found) throw new Error(`nothing was seen of ${name}`);
    const { until, askedBeforeMs, early, late } = found;
    const [first, last] = between ? [late, early] : [early, late];
    expect(until).toBeGreaterThanOrEqual(last.after - withinMs);
    expect(until).toBeLessThanOrEqual(last.before + askedBeforeMs + withinMs);
    expect(first.before).toBeLessThan(last.after);
  });
});
