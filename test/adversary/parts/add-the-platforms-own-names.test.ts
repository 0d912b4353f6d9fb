import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Rest } from '../../../dev/lib/rest.ts';
import type { ApiOnStores } from '../../support/api-on-stores.ts';
import { startApiOnStores } from '../../support/api-on-stores.ts';

/**
 * Hostnames at and below the platform's own domains, to be served in a neighbour's or the platform's place. Whatever lies under
 * them is nobody's to add, in whatever way it is written and by whichever call.
 */

let api: ApiOnStores;
let rest: Rest;

beforeAll(async () => {
  api = await startApiOnStores();
  rest = api.account('pretender', 'pro');
  api.account('victim', 'pro');
});

afterAll(() => api.stop());

const names = [
  'apps.example.net',
  'victim.apps.example.net',
  'www.victim.apps.example.net',
  'pretender.apps.example.net',
  'cname.apps.example.net',
  'p-abcdefghijklmnopqrstuvwxyz.cname.apps.example.net',
  'a.b.c.d.apps.example.net',
  'APPS.EXAMPLE.NET',
  'Victim.Apps.Example.Net',
  'apps.example.net.',
  'victim.apps.example.net.',
  '*.apps.example.net',
  '_acme-challenge.apps.example.net',
  'xn--80ak6aa92e.apps.example.net',
];

describe('a name of the platform', () => {
  it.each(names)('%s is refused wherever it is asked for', async (hostname) => {
    const add = await rest('/v1/projects/shop/domains', { method: 'POST', body: { hostname } });
    const dry = await rest('/v1/projects/shop/domains?dryRun=true', { method: 'POST', body: { hostname } });
    const put = await rest('/v1/projects/shop/domain-config', { method: 'PUT', body: { primary: hostname } });
    for (const { status, body } of [add, dry, put]) expect([status, body.code]).toEqual([422, 'invalid-hostname']);
    expect(api.cluster.written).toEqual([]);
  });

  it.each(['notapps.example.net', 'apps.example.net.evil.example', 'apps-example.net', 'example.net'])(
    '%s only looks like one, and is a customer name like any other',
    async (hostname) => {
      const dry = await rest('/v1/projects/shop/domains?dryRun=true', { method: 'POST', body: { hostname } });
      expect(dry.status).toBe(200);
    },
  );
});
