import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pages } from '../../../src/dashboard/page-table.ts';
import { askRaw } from '../../browser/raw.ts';
import type { DashboardOnStores } from '../../support/dashboard-on-stores.ts';
import { agent, cookie, startDashboardOnStores } from '../../support/dashboard-on-stores.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';

/**
 * Whoever reloads by the address bar, or comes from the history, asks with GET for an address that only takes forms.
 * A form whose address is forgotten answers 404 there.
 */

const hostname = 'www.customer.example';
let dashboard: DashboardOnStores;

beforeAll(async () => {
  const api = createInMemoryApi();
  api.account('acme', 'business');
  api.domain('acme', hostname);
  dashboard = await startDashboardOnStores(api);
});
afterAll(() => dashboard.stop());

const ask = (path: string) => askRaw(dashboard.url + path, { headers: { cookie, 'user-agent': agent } });

const addressOf = (path: string): string =>
  `/dashboard${path.replace(':project', 'shop').replace(':hostname', hostname).replace(/:\w+/, 'abcdefgh')}`;

describe('the address of a form, asked for with GET', () => {
  const forms = pages.filter(({ method }) => method === 'post').map(({ path }) => path);
  it.each([...forms, '/sign-in', '/sign-out'])('%s is a page, or leads to one', async (path) => {
    const { status, headers } = await ask(addressOf(path));
    if (status === 200) return;
    expect(status).toBe(303);
    const { status: reached } = await ask(String(headers.location).replace(/#.*/, ''));
    expect(reached).toBe(200);
  });

  it.each([
    [`/projects/shop/domains/${hostname}/verify`, `/projects/shop/domains/${hostname}`],
    [`/projects/shop/domains/${hostname}/links/abcdefgh/revoke`, `/projects/shop/domains/${hostname}#hand-over`],
    ['/keys/abcdefgh/delete', '/keys'],
    ['/sign-out', '/projects'],
  ])('%s leads to the page of the form', async (path, page) => {
    expect((await ask(`/dashboard${path}`)).headers.location).toBe(`/dashboard${page}`);
  });
});
