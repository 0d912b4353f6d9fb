import { beforeEach, describe, expect, it } from '@jest/globals';
import { addAction, domainsPage, previewAction } from '../../../../src/dashboard/controllers/domains-controller.ts';
import { projectsPage } from '../../../../src/dashboard/controllers/projects-controller.ts';
import type { InMemoryApi } from '../../../support/in-memory-api.ts';
import { createInMemoryApi } from '../../../support/in-memory-api.ts';
import type { Asked } from '../../../support/page-request.ts';
import { pageRequest, shown } from '../../../support/page-request.ts';

/** Projects, a project's domains, and the form that adds one. */

let api: InMemoryApi;
let key: string;
const shop = { project: 'shop' };
const ask = (asked: Asked = {}) => pageRequest(api, key, { params: shop, ...asked });
const form = (hostname: string, more: object = {}) => ({ hostname, role: 'primary', to: '', status: '301', ...more });

beforeEach(() => {
  api = createInMemoryApi();
  key = api.account('acme', 'pro');
});

describe('the page of projects', () => {
  it('shows the account’s own with how many of their domains wait', async () => {
    api.account('foreign', 'pro');
    api.project('foreign', 'theirs');
    api.domain('acme', 'www.example.com');
    api.domain('acme', 'z.example.com', { status: { state: 'Pending' } });
    const { status, html } = await shown(projectsPage, ask({ params: {} }));
    expect(status).toBe(200);
    expect(html).toContain('/dashboard/projects/shop');
    expect(html).toMatch(/2 custom domains, <strong>1 not live/);
    expect(html).not.toContain('theirs');
  });

  it('needs the scope that reads', async () => {
    key = api.key('acme', ['keys:write']);
    await expect(shown(projectsPage, ask({ params: {} }))).rejects.toMatchObject({ code: 'scope-missing' });
  });
});

describe('the page of a project', () => {
  it('lists its domains and names the version that its stream goes on from', async () => {
    api.domain('acme', 'a.example.com');
    api.domain('acme', 'b.example.com');
    const newest = api.stores.domains.get({ namespace: 'acme', name: 'b.example.com' })?.metadata.resourceVersion;
    const { html } = await shown(domainsPage, ask());
    expect(html).toContain('a.example.com');
    expect(html).toContain(`/dashboard/projects/shop/events?since=${newest}`);
  });

  it('shows two hundred at a time, and the others behind a link', async () => {
    for (let index = 1_000; index < 1_201; index += 1) {
      const hostname = `r${index}.example.com`;
      api.domain('acme', hostname, {
        spec: { project: 'shop', hostname, role: 'Redirect', redirect: { to: 'acme.apps.example.net' } },
      });
    }
    const { html } = await shown(domainsPage, ask());
    expect(html).toContain('r1199.example.com');
    expect(html).not.toContain('r1200.example.com');
    const cursor = /[?&]cursor=([^"&]+)/.exec(html)?.[1];
    expect((await shown(domainsPage, ask({ query: { cursor } }))).html).toContain('r1200.example.com');
  });

  it('offers as destinations what is no redirect itself', async () => {
    api.domain('acme', 'a.example.com');
    api.domain('acme', 'r.example.com', {
      spec: { project: 'shop', hostname: 'r.example.com', role: 'Redirect', redirect: { to: 'a.example.com' } },
    });
    const options = (await shown(domainsPage, ask())).html.match(/<option[^>]*>/g)?.join(' ') ?? '';
    expect(options).toContain('a.example.com');
    expect(options).not.toContain('r.example.com');
  });

  it.each([
    ['none that is not there', 'none'],
    ["no other account's", 'theirs'],
  ])('is for %s', async (_, project) => {
    api.account('foreign', 'pro');
    api.project('foreign', 'theirs');
    await expect(shown(domainsPage, ask({ params: { project } }))).rejects.toMatchObject({ code: 'not-found' });
  });

  it.each([
    ['added', 'Domain added'],
    ['removing', 'Domain is being removed'],
    ['toString', null],
    ['<script>', null],
  ])('says what was done by the word %j', async (done, title) => {
    const { html } = await shown(domainsPage, ask({ query: { done } }));
    const notice = /class="notice[^"]*"[^>]*>\s*<p><strong>([^<]*)/.exec(html)?.[1] ?? null;
    expect(notice === null ? null : notice.replace(/\.$/, '')).toBe(title);
  });
});

describe('the form that adds a domain', () => {
  it('leads to the domain that was added, as it was meant', async () => {
    const { to } = await shown(addAction, ask({ form: form('  HTTPS://Www.Example.COM/ ') }));
    expect(to).toBe('/dashboard/projects/shop/domains/www.example.com?done=added');
    expect(api.cluster.written).toEqual(['acme/www.example.com']);
  });

  it('leads to the one that was there already, and changes nothing', async () => {
    api.domain('acme', 'www.example.com');
    const { to } = await shown(addAction, ask({ form: form('www.example.com') }));
    expect(to).toBe('/dashboard/projects/shop/domains/www.example.com?done=there');
    expect(api.cluster.written).toEqual([]);
  });

  const refusals: readonly (readonly [string, object, number, string])[] = [
    ['a public suffix', form('co.uk'), 422, 'invalid-hostname'],
    ['no hostname at all', form(''), 422, 'invalid-hostname'],
    ['a name that is too long', form('a'.repeat(300)), 422, 'invalid-hostname'],
    ['a second primary', form('z.example.com'), 409, 'primary-exists'],
    [
      'a status that is none',
      form('r.example.com', { role: 'redirect', to: 'www.example.com', status: '303' }),
      422,
      'invalid-redirect',
    ],
    [
      'a destination that is not there',
      form('r.example.com', { role: 'redirect', to: 'no.example.com' }),
      422,
      'invalid-redirect',
    ],
  ];

  it.each(refusals)('keeps what was typed when it is refused: %s', async (_, typed, status, code) => {
    api.domain('acme', 'www.example.com');
    const answer = await shown(addAction, ask({ form: { ...typed } }));
    expect(answer.status).toBe(status);
    expect(answer.html).toContain(code);
    const { hostname } = typed as { hostname: string };
    expect(answer.html).toContain(`value="${hostname}"`);
    expect(api.cluster.written).toEqual([]);
  });

  it('is refused with what it takes to try again, when the cluster is away', async () => {
    api.cluster.refuseNext(9);
    const request = ask({ form: form('www.example.com') });
    const answer = await addAction.handle(request);
    expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
    expect(answer).toMatchObject({ html: expect.stringContaining('value="www.example.com"') });
  });

  it('needs the scope that writes, and says so where the visitor was', async () => {
    key = api.key('acme', ['domains:read']);
    const { status, html } = await shown(addAction, ask({ form: form('www.example.com') }));
    expect(status).toBe(403);
    expect(html).toContain('scope-missing');
    expect(api.cluster.written).toEqual([]);
  });
});

describe('the preview while a hostname is typed', () => {
  const preview = async (typed: object) => (await shown(previewAction, ask({ form: { ...typed } }))).html;

  it.each([
    ['nothing', form('')],
    ['a redirect without a destination yet', form('r.example.com', { role: 'redirect' })],
  ])('of %s says nothing of records or problems', async (_, typed) => {
    const html = await preview(typed);
    expect(html).not.toMatch(/CNAME|invalid|problem/i);
  });

  it('of what can be added shows the record that it takes, and adds nothing', async () => {
    expect(await preview(form('www.example.com'))).toMatch(/CNAME[\s\S]*cname\.apps\.example\.net/);
    expect(api.cluster.written).toEqual([]);
  });

  it('of what cannot be says why', async () => {
    expect(await preview(form('shop.apps.example.net'))).toContain('the platform&#39;s own domain');
  });
});
