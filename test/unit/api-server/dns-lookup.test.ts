import { describe, expect, it } from '@jest/globals';
import { createDnsLookup } from '../../../src/api-server/dns-lookup.ts';
import type { DnsLookupRequest } from '../../../src/use-cases/dns-lookup-port.ts';
import { addresses, facts, name } from '../../support/dns-facts.ts';
import { settings } from '../../support/snapshot.ts';

const hostname = 'www.example.com';
const signal = new AbortController().signal;

/** What is said of a hostname at a server that is not the platform's. */
async function look(routedBy: DnsLookupRequest['routedBy']) {
  const found = facts(hostname, [name(hostname, [addresses(['198.51.100.7'])])]);
  const lookup = createDnsLookup({
    dns: { check: () => Promise.resolve(found) },
    settings,
    accounts: () => Promise.resolve([{ name: null, server: '', uri: null, limits: {} }]),
  });
  const request = { hostname, target: 'p-mine.cname.apps.example.net', ownership: null, relation: 'Free' } as const;
  const { routing, issues } = await lookup.look({ ...request, routedBy }, signal);
  return { routing, deletions: issues.flatMap((issue) => issue.delete.map(({ value }) => value)) };
}

/** Fails when a look at a domain behind a proxy, which asks for no token, tells to delete the record of the proxy. */
describe('a foreign address', () => {
  it('is to be deleted where no token came through it', async () => {
    const wrong = { routing: { verdict: 'no', code: 'StrayAddress' }, deletions: ['198.51.100.7'] };
    expect([await look(null), await look('target')]).toEqual([wrong, wrong]);
  });

  it('of a domain that a token proved is left alone', async () => {
    expect(await look('token')).toEqual({ routing: { verdict: 'unknown', code: 'BehindCdn' }, deletions: [] });
  });
});
