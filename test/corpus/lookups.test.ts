import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Rest, RestAnswer } from '../../dev/lib/rest.ts';
import { createDnsLookup } from '../../src/api-server/dns-lookup.ts';
import { createDnsChecker } from '../../src/dns/lookup/dns-checker.ts';
import { issuerIdentity } from '../../src/dns/verdict/desired-dns.ts';
import { createLookups } from '../../src/use-cases/lookup-queue.ts';
import type { ApiOnStores } from '../support/api-on-stores.ts';
import { startApiOnStores } from '../support/api-on-stores.ts';
import type { Contract, OpenApi } from '../support/contract.ts';
import { contractOf } from '../support/contract.ts';
import type { CorpusName } from './corpus-name.ts';
import type { CorpusServers } from './corpus-servers.ts';
import { startCorpus } from './corpus-servers.ts';
import { no, withCaa, yes } from './names/expected.ts';
import { cnameDomain, platformAddresses } from './platform.ts';

/** A look before Add over real HTTP at real name servers, with nothing in between that is not the API server's own. */

const why = 'what is there before anything was added';
const silent = { program: 'knot', isGone: true } as const;
const names = {
  free: { name: 'nothing yet', host: 'www', why, zone: ['@ A 198.51.100.1'], ...no('RecordMissing') },
  stray: { name: 'an address that must go', host: 'www', why, zone: ['www A 198.51.100.7'], ...no('StrayAddress') },
  caa: {
    name: 'CAA that forbids',
    host: 'www',
    why,
    zone: ['@ CAA 0 issue "other.test"'],
    ...withCaa('no CaaForbidsAuthority'),
  },
  account: { name: 'CAA for an account', host: 'www', why, zone: ['@ CAA 0 issue "ca.test; accounturi=x:y"'], ...yes },
  apex: { name: 'an apex', host: '@', why, zone: ['@ A 198.51.100.7'], ...no('StrayAddress') },
  silent: { name: 'silent servers', host: 'www', why, zone: [], servers: [silent], ...no('RecordMissing') },
} as const satisfies Readonly<Record<string, CorpusName>>;

let servers: CorpusServers;
let api: ApiOnStores;
let acme: Rest;
let contract: Contract;
let accountUri: string | null = null;

beforeAll(async () => {
  servers = await startCorpus(Object.values(names));
  const settings = {
    platformDomain: 'apps.platform.net',
    cnameDomain,
    platformAddresses,
    requireTxt: false,
    challengeZone: null,
    cdnRanges: [],
  };
  const dns = createDnsLookup({
    dns: createDnsChecker({ roots: [{ address: servers.root, port: 53 }], resolvers: [], permitted: ['127.0.0.0/8'] }),
    settings: { ...settings, ca: issuerIdentity(['ca.test']) },
    accounts: () => Promise.resolve([{ name: null, server: '', uri: accountUri, limits: {} }]),
  });
  api = await startApiOnStores({ lookups: createLookups({ dns }) });
  acme = api.account('acme', 'pro');
  contract = contractOf((await acme('/v1/openapi.json')).body as unknown as OpenApi);
}, 120_000);

afterAll(async () => {
  await api.stop();
  await servers.stop();
});

const hostnameOf = (name: keyof typeof names): string => servers.hostnames.get(names[name]) ?? '';

async function look(
  name: keyof typeof names,
  body: object = { project: 'shop' },
  as: Rest = acme,
): Promise<RestAnswer> {
  const answer = await as('/v1/lookups', { method: 'POST', body: { hostname: hostnameOf(name), ...body } });
  contract.check('POST', '/v1/lookups', answer);
  return answer;
}

describe('a lookup', () => {
  it('of a free name says which record is missing and that it may be added, and makes nothing', async () => {
    const { status, body } = await look('free');
    const zone = hostnameOf('free').replace('www.', '');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      zone,
      nameServers: ['ns1.dns-host.net', 'ns2.dns-host.net'],
      acceptance: { accepted: true, code: null },
      records: [{ purpose: 'routing', type: 'CNAME', name: 'www' }],
      found: [],
      routing: { verdict: 'no', code: 'record-missing' },
      caa: { verdict: 'yes' },
    });
    expect(api.cluster.written).toEqual([]);
  });

  it('names the record that will have to go', async () => {
    const { body } = await look('stray');
    expect(body.found).toMatchObject([{ type: 'A', value: '198.51.100.7' }]);
    expect(body.issues).toMatchObject([{ code: 'stray-address' }]);
    expect(JSON.stringify(body.issues)).toContain('A 198.51.100.7');
  });

  it('names the CAA record that would forbid the certificate, also without a project, of which it then says nothing', async () => {
    const { body } = await look('caa', {});
    expect(body).toMatchObject({ project: null, acceptance: null, records: [], routing: null, ownership: null });
    expect(body.caa).toEqual({ verdict: 'no', code: 'caa-forbids-authority' });
    expect((body.issues as { code: string }[]).map(({ code }) => code)).toEqual(['caa-forbids-authority']);
  });

  it('cannot tell whether a CAA record names the issuer’s account while that is unknown, and says no once it is', async () => {
    expect((await look('account')).body.caa).toEqual({ verdict: 'unknown', code: 'caa-forbids-account' });
    accountUri = 'https://ca.test/acme/1';
    expect((await look('account')).body.caa).toEqual({ verdict: 'no', code: 'caa-forbids-account' });
    accountUri = 'x:y';
    expect((await look('account')).body.caa).toEqual({ verdict: 'yes', code: 'verified' });
  });

  it('of an apex shows both records, relative to the zone that the walk found', async () => {
    const { body } = await look('apex');
    expect(body.records).toMatchObject([
      { type: 'ALIAS', name: '@' },
      { type: 'TXT', name: '_projectdomain-challenge' },
    ]);
  });

  it('of servers that do not answer is unknown', async () => {
    const { status, body } = await look('silent');
    expect([status, body.routing]).toEqual([200, { verdict: 'unknown', code: 'no-usable-answer' }]);
  });

  it('for an account whose plan has no domains says so, and what DNS says', async () => {
    const { body } = await look('free', { project: 'shop' }, api.account('small', 'free'));
    expect(body).toMatchObject({
      acceptance: { accepted: false, code: 'plan-upgrade-required' },
      caa: { verdict: 'yes' },
    });
  });

  it.each([
    ['an address', '192.0.2.1'],
    ['the platform’s own', 'x.apps.example.net'],
    ['a special-use name', 'printer.local'],
    ['a reverse name', '1.2.0.192.in-addr.arpa'],
    ['a public suffix', 'co.uk'],
    ['a wildcard', '*.example.com'],
  ])('of %s is refused before anything is asked', async (_, hostname) => {
    const answer = await acme('/v1/lookups', { method: 'POST', body: { hostname } });
    contract.check('POST', '/v1/lookups', answer);
    expect([answer.status, answer.body.code]).toEqual([422, 'invalid-hostname']);
  });
});

describe('a dry run of Add', () => {
  it('with a lookup carries the same, and adds nothing', async () => {
    const path = '/v1/projects/shop/domains?dryRun=lookup';
    const answer = await acme(path, { method: 'POST', body: { hostname: hostnameOf('stray') } });
    contract.check('POST', path, answer);
    expect(answer.status).toBe(200);
    expect(answer.body.lookup).toEqual((await look('stray')).body);
    expect(api.cluster.written).toEqual([]);
  });

  it('is answered as well where DNS is not', async () => {
    const path = '/v1/projects/shop/domains?dryRun=lookup';
    const answer = await acme(path, { method: 'POST', body: { hostname: hostnameOf('silent') } });
    contract.check('POST', path, answer);
    expect(answer.body).toMatchObject({ state: 'unverified', lookup: { routing: { verdict: 'unknown' } } });
  });
});
