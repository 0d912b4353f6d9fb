import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import type { Corner } from '../../../dev/platform/address.ts';
import { takeCorner } from '../../../dev/platform/address.ts';
import { createDnsLookup } from '../../../src/api-server/dns-lookup.ts';
import { createDnsChecker } from '../../../src/dns/lookup/dns-checker.ts';
import { issuerIdentity } from '../../../src/dns/verdict/desired-dns.ts';
import type { DnsLookup } from '../../../src/use-cases/dns-lookup-port.ts';
import { createLookups } from '../../../src/use-cases/lookup-queue.ts';
import { attackPart } from '../../support/attack-part.ts';
import { startSmallDns } from '../../support/small-dns.ts';

/**
 * An account has names looked up without end whose servers never answer, so that the API server is busy with them, or
 * sends others its packets. Lookups are shared out over accounts, bounded for each, and paid ten times over.
 */

/** The root knows nobody, and is silent about whatever begins with `silent`. */
const askedAbout = new Set<string>();
let corner: Corner;
let stopDns: () => Promise<void>;
let dns: DnsLookup;
/** The flood's first looks last until all of it has arrived, however long that takes. */
const arrived = Promise.withResolvers<void>();
const lookups = createLookups({
  dns: {
    async look(request, signal) {
      if (/^www\.silent\d/.test(request.hostname)) await arrived.promise;
      return dns.look(request, signal);
    },
  },
});
const part = attackPart({ lookups });

beforeAll(async () => {
  corner = await takeCorner();
  stopDns = await startSmallDns(corner.address, (name) => {
    const silent = /^(?:.*\.)?(silent[^.]*)$/.exec(name)?.[1];
    if (silent === undefined) return { authoritative: true, nxdomain: true };
    askedAbout.add(silent);
    return null;
  });
  const cnameDomain = 'cname.apps.example.net';
  const settings = {
    platformDomain: 'apps.example.net',
    cnameDomain,
    platformAddresses: [],
    requireTxt: false,
    challengeZone: null,
    cdnRanges: [],
  };
  const roots = [{ address: corner.address, port: 53 }];
  dns = createDnsLookup({
    dns: createDnsChecker({ roots, resolvers: [], permitted: ['127.0.0.0/8'] }),
    settings: { ...settings, ca: issuerIdentity(['ca.test']) },
    accounts: () => Promise.resolve([{ name: null, server: '', uri: null, limits: {} }]),
  });
});

afterAll(async () => {
  await stopDns();
  corner.release();
});

const look = (key: string, hostname: string) =>
  part.api.rest(key, '/v1/lookups', { method: 'POST', json: { hostname } });

function customer(requestsPerMinute: number): string {
  const account = part.fresh('account');
  part.api.account(account, { requestsPerMinute, requestsPerDay: requestsPerMinute });
  return part.api.key(account).key;
}

const isIdle = () =>
  eventually('no lookup runs', 20_000, () =>
    Promise.resolve(expectThat(lookups.counts().get('running') === 0, 'some do')),
  );

describe('a thousand lookups of names that nobody answers for', () => {
  it('leave a neighbour its own lookup, and ask about six of them at most', async () => {
    const [greedy, neighbour] = [customer(1_000_000), customer(60)];
    const flood = Array.from({ length: 1_000 }, (_, index) => look(greedy, `www.silent${index}`));
    await Promise.race(flood);
    const { status, body } = await look(neighbour, 'www.neighbour.example');
    expect([status, JSON.parse(body)]).toMatchObject([200, { hostname: 'www.neighbour.example', found: [] }]);
    expect(lookups.counts().get('running')).toBeLessThanOrEqual(2);
    const ended: number[] = [];
    for (const one of flood) void one.then((answer) => ended.push(answer.status));
    await eventually('all but six are answered', 60_000, () =>
      Promise.resolve(expectThat(ended.length >= 994, `${ended.length} are`)),
    );
    arrived.resolve();
    const answers = await Promise.all(flood);
    const refused = answers.filter((answer) => answer.status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(994);
    expect(refused.filter(({ headers }) => !(Number(headers['retry-after']) > 0))).toEqual([]);
    expect(askedAbout.size).toBeLessThanOrEqual(6);
  });

  it('end with the connections that asked for them', async () => {
    const key = customer(1_000_000);
    const clients = Array.from({ length: 4 }, () => new AbortController());
    const asked = clients.map(({ signal }, index) =>
      fetch(`${part.api.url}/v1/lookups`, {
        method: 'POST',
        signal,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ hostname: `www.silent-gone${index}` }),
      }).catch(() => null),
    );
    await eventually('two of them run', 10_000, () =>
      Promise.resolve(expectThat(lookups.counts().get('running') === 2, 'they do not')),
    );
    clients.forEach((client) => client.abort());
    await Promise.all(asked);
    await isIdle();
    expect([...askedAbout].filter((name) => name.startsWith('silent-gone')).length).toBeLessThanOrEqual(2);
  });
});

describe('the budget of an account', () => {
  it('of 60 requests a minute is six lookups, and then nothing', async () => {
    const key = customer(60);
    const statuses: number[] = [];
    for (let index = 0; index < 8; index += 1) statuses.push((await look(key, `www.name${index}.example`)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429, 429]);
    expect((await part.api.rest(key, '/v1/account')).status).toBe(429);
  });

  it('pays for the look of a dry run as well', async () => {
    const key = customer(60);
    const path = '/v1/projects/shop/domains?dryRun=lookup';
    const { headers } = await part.api.rest(key, path, { method: 'POST', json: { hostname: 'www.dry.example' } });
    expect(headers['x-ratelimit-remaining']).toBe('50');
  });
});
