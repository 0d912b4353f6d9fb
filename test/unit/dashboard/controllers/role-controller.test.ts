import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  primaryAction,
  primaryPage,
  redirectAction,
  redirectPage,
} from '../../../../src/dashboard/controllers/role-controller.ts';
import type { InMemoryApi } from '../../../support/in-memory-api.ts';
import { createInMemoryApi } from '../../../support/in-memory-api.ts';
import type { Asked } from '../../../support/page-request.ts';
import { pageRequest, shown } from '../../../support/page-request.ts';

/** Changing role and destination: asked on a page, done by its form. */

const www = 'www.example.com';
const apex = 'example.com';
const platform = 'acme.apps.example.net';
let api: InMemoryApi;
let key: string;
const at = (hostname: string, asked: Asked = {}) =>
  pageRequest(api, key, { params: { project: 'shop', hostname }, ...asked });

beforeEach(() => {
  api = createInMemoryApi();
  key = api.account('acme', 'pro');
  api.domain('acme', www);
  api.domain('acme', apex, {
    spec: { project: 'shop', hostname: apex, role: 'Redirect', redirect: { to: www, status: 302 } },
    status: { state: 'Live' },
  });
});
afterEach(() => api.stop());

const specOf = (name: string) => api.stores.domains.get({ namespace: 'acme', name })?.spec;

describe('becoming the primary', () => {
  it('is asked first: what changes for visitors, and nothing is written', async () => {
    const { status, html } = await shown(primaryPage, at(apex));
    const text = html.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ');
    expect(status).toBe(200);
    expect(text).toContain('example.com will show your project.');
    expect(text).toContain('www.example.com, the primary domain now, will redirect to example.com.');
    expect(api.cluster.written).toEqual([]);
  });

  it('swaps the two and leads to the domain, whose page says so', async () => {
    expect((await shown(primaryAction, at(apex))).to).toBe(`/dashboard/projects/shop/domains/${apex}?done=primary`);
    expect(specOf(apex)).toMatchObject({ role: 'Primary' });
    expect(specOf(www)).toMatchObject({ role: 'Redirect', redirect: { to: apex } });
  });

  it('is offered by no form where it would be refused', async () => {
    const { html } = await shown(primaryPage, at(www));
    expect(html).not.toContain('/primary"');
    expect(html).toContain('can’t become the primary one now');
  });

  it('says on its page why not', async () => {
    key = api.key('acme', ['domains:read']);
    const { status, html } = await shown(primaryAction, at(apex));
    expect([status, specOf(www)?.role]).toEqual([403, 'Primary']);
    expect(html).toContain('scope-missing');
    expect(html).toMatch(/<form method="post" action="[^"]*\/primary"/);
  });
});

describe('leading elsewhere', () => {
  it('is asked with the destinations that the rules accept; the present one is chosen', async () => {
    const { html } = await shown(redirectPage, at(apex));
    const to = html.slice(html.indexOf('id="to"'), html.indexOf('</select>'));
    expect([...to.matchAll(/<option value="([^"]*)" (\w*)/g)].map(([, value, mark]) => [value, mark])).toEqual([
      [www, 'selected'],
      [platform, ''],
    ]);
    expect(html).toMatch(/<option value="302" selected>/);
    expect(api.cluster.written).toEqual([]);
  });

  it('is done by the form', async () => {
    const { to } = await shown(redirectAction, at(apex, { form: { to: platform, status: '308' } }));
    expect(to).toBe(`/dashboard/projects/shop/domains/${apex}?done=redirect`);
    expect(specOf(apex)?.redirect).toEqual({ to: platform, status: 308 });
  });

  it('makes a redirect of a primary that nothing leads to', async () => {
    api.stores.domains.drop(api.stores.domains.get({ namespace: 'acme', name: apex }) as never);
    const { html } = await shown(redirectPage, at(www));
    expect(html.replaceAll(/<[^>]*>/g, '')).toContain('www.example.com will stop showing your project');
    await shown(redirectAction, at(www, { form: { to: platform, status: '301' } }));
    expect(specOf(www)).toMatchObject({ role: 'Redirect', redirect: { to: platform, status: 301 } });
  });

  it('is offered by no form to a primary that redirects lead to', async () => {
    const { html } = await shown(redirectPage, at(www));
    expect(html).not.toMatch(/<select/);
    expect(html).toContain('This domain can’t redirect');
  });

  it.each([
    ['to itself', { to: apex, status: '301' }, 'invalid-redirect'],
    ['with a status that redirects nobody', { to: platform, status: '200' }, 'invalid-redirect'],
  ])('is refused %s, and the form keeps what was entered', async (_, form, code) => {
    const { status, html } = await shown(redirectAction, at(apex, { form }));
    expect([status >= 400, html.includes(code)]).toEqual([true, true]);
    expect(html).toMatch(form.to === platform ? new RegExp(`value="${platform}" selected`) : /<select id="to"/);
    expect(specOf(apex)?.redirect?.to).toBe(www);
  });
});
