import { beforeEach, describe, expect, it } from '@jest/globals';
import { bulkPlanAction } from '../../../../src/dashboard/controllers/bulk-controller.ts';
import { domainPage } from '../../../../src/dashboard/controllers/domain-controller.ts';
import { setupPage, setupVerifyAction } from '../../../../src/dashboard/controllers/setup-controller.ts';
import type { InMemoryApi } from '../../../support/in-memory-api.ts';
import { createInMemoryApi } from '../../../support/in-memory-api.ts';
import type { Asked } from '../../../support/page-request.ts';
import { pageRequest, shown } from '../../../support/page-request.ts';

/** Several domains on one page: the records of all in one table, one Verify, and the way to each of them. */

const both = ['www.example.com', 'example.com'] as const;
let api: InMemoryApi;
let key: string;
let spent: number;

beforeEach(() => {
  api = createInMemoryApi();
  key = api.account('acme', 'pro');
  spent = 0;
  const status = { state: 'Unverified' } as const;
  api.domain('acme', both[0], { status });
  const redirect = { role: 'Redirect', redirect: { to: both[0] } } as const;
  api.domain('acme', both[1], { spec: { project: 'shop', hostname: both[1], ...redirect }, status });
});

const ask = (asked: Asked = {}) =>
  pageRequest(api, key, {
    params: { project: 'shop' },
    spend: (units) => {
      spent += units;
      return Promise.resolve();
    },
    ...asked,
  });
const open = (hostname: string | readonly string[], asked: Asked = {}) =>
  shown(setupPage, ask({ query: { hostname }, ...asked }));

describe('the page of several domains', () => {
  it('has one table with the records of all, marked by domain, one Verify for all, and a link to the page of each', async () => {
    const { status, html } = await open(both);
    expect(status ?? 200).toBe(200);
    expect(html.match(/<table class="stack records"/g)).toHaveLength(1);
    for (const hostname of both) {
      expect(html).toContain(`href="/dashboard/projects/shop/domains/${hostname}"`);
      expect(html).toContain(`<input type="hidden" name="hostname" value="${hostname}" />`);
    }
    expect(
      [...html.matchAll(/<th scope="rowgroup"[^>]*><a href="[^"]*domains\/([^"]*)"/g)].map(([, name]) => name),
    ).toEqual(both);
    expect([...html.matchAll(/id="(record-\d+)"/g)].map(([, id]) => id)).toEqual(['record-0', 'record-1', 'record-2']);
    expect(html.match(/class="main"/g)).toHaveLength(1);
  });

  it('says which of them the project does not have, and shows the others', async () => {
    const { html } = await open([...both, 'gone.example.com']);
    expect(html.replaceAll('<wbr>', '')).toContain('gone.example.com is no domain of this project.');
    expect(html.match(/name="hostname"/g)).toHaveLength(2);
  });

  it.each<[string, readonly string[], string]>([
    ['none', [], 'malformed-request'],
    ['too many', Array.from({ length: 11 }, (_, at) => `d${at}.test`), 'malformed-request'],
    ['none that the project has', ['gone.example.com'], 'not-found'],
  ])('of %s is refused', async (_, hostnames, code) => {
    await expect(async () => setupPage(ask({ query: { hostname: hostnames } }))).rejects.toMatchObject({ code });
  });

  it('is the same for a name in capitals and one that is sent twice', async () => {
    const { html } = await open(['WWW.example.com', both[0]]);
    expect(html.match(/scope="rowgroup"/g)).toHaveLength(1);
  });

  it('has no Verify for a key that only reads', async () => {
    key = api.key('acme', ['domains:read']);
    expect((await open(both)).html).not.toContain('id="verify"');
  });

  it('asks for nothing to be done once all of them are live', async () => {
    const why = { reason: 'Routed', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' };
    const conditions = [{ type: 'Ready', status: 'True', ...why } as const];
    for (const hostname of both) {
      const domain = api.stores.domains.get({ namespace: 'acme', name: hostname });
      api.put({ ...domain, status: { state: 'Live', conditions } });
    }
    const { html } = await open(both);
    expect(html).toContain('Nothing to do: all of them are live.');
    expect(html).not.toMatch(/class="main"/);
  });

  it('is linked from the page of either, where the project has both, and reached from the list by choosing', async () => {
    for (const hostname of both) {
      const { html } = await shown(domainPage, ask({ params: { project: 'shop', hostname } }));
      expect(html).toContain('href="/dashboard/projects/shop/setup?hostname=');
    }
    const { to } = await shown(bulkPlanAction, ask({ form: { act: 'set-up', hostname: both } }));
    expect(to).toBe('/dashboard/projects/shop/setup?hostname=www.example.com&hostname=example.com');
  });

  it('is not linked where the project has one alone', async () => {
    const other = api.stores.domains.get({ namespace: 'acme', name: both[1] });
    if (other) api.stores.domains.drop(other);
    const { html } = await shown(domainPage, ask({ params: { project: 'shop', hostname: both[0] } }));
    expect(html).not.toContain('/setup?');
  });
});

describe('Verify of several', () => {
  it('asks for a check of each, counts as many requests, and leads back to their page', async () => {
    const { to } = await shown(setupVerifyAction, ask({ form: { hostname: both } }));
    expect(to).toBe('/dashboard/projects/shop/setup?done=verify-all&hostname=www.example.com&hostname=example.com');
    expect(api.cluster.written.toSorted()).toEqual(both.map((hostname) => `acme/${hostname}`).toSorted());
    expect(spent).toBe(1);
  });

  it('needs the scope that writes, and says so on their page', async () => {
    key = api.key('acme', ['domains:read']);
    const { status, html } = await shown(setupVerifyAction, ask({ form: { hostname: both } }));
    expect(status).toBe(403);
    expect(html).toContain('scope-missing');
    expect(html).toContain('id="setup"');
  });
});
