import { beforeEach, describe, expect, it } from '@jest/globals';
import { domainsPage } from '../../../../src/dashboard/controllers/domains-controller.ts';
import { projectsPage } from '../../../../src/dashboard/controllers/account-controller.ts';
import type { InMemoryApi } from '../../../support/in-memory-api.ts';
import { createInMemoryApi } from '../../../support/in-memory-api.ts';
import type { Asked } from '../../../support/page-request.ts';
import { pageRequest, shown } from '../../../support/page-request.ts';

/** Projects, and the list of a project's domains. */

let api: InMemoryApi;
let key: string;
const shop = { project: 'shop' };
const ask = (asked: Asked = {}) => pageRequest(api, key, { params: shop, ...asked });

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

/** A redirect to the platform address, in this state. */
const redirect = (hostname: string, state = 'Live', reason = 'Routed') =>
  api.domain('acme', hostname, {
    spec: { project: 'shop', hostname, role: 'Redirect', redirect: { to: 'acme.apps.example.net' } },
    status: {
      state: state as 'Live',
      conditions: [
        { type: 'Ready', status: 'False', reason, message: 'm', lastTransitionTime: '2026-01-01T00:00:00Z' },
      ],
    },
  });

const rowsOf = (html: string): readonly string[] =>
  [...html.matchAll(/<tr id="row-([^"]*)"/g)].map(([, hostname = '']) => hostname);

describe('the page of a project', () => {
  it('lists its domains and names the version that its stream goes on from', async () => {
    api.domain('acme', 'a.example.com');
    api.domain('acme', 'b.example.com');
    const newest = api.stores.domains.get({ namespace: 'acme', name: 'b.example.com' })?.metadata.resourceVersion;
    const { html } = await shown(domainsPage, ask());
    expect(rowsOf(html)).toEqual(['a.example.com', 'b.example.com']);
    expect(html).toContain(`/dashboard/projects/shop/events?since=${newest}`);
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
    ['removing', 'Removing the domain…'],
    ['toString', null],
    ['<script>', null],
  ])('says what was done by the word %j', async (done, title) => {
    const { html } = await shown(domainsPage, ask({ query: { done } }));
    const notice = /class="notice[^"]*"[^>]*>\s*<p><strong>([^<]*)/.exec(html)?.[1] ?? null;
    expect(notice === null ? null : notice.replace(/\.$/, '')).toBe(title);
  });
});

describe('the order of domains', () => {
  beforeEach(() => {
    redirect('a-live.example.com');
    redirect('b-checking.example.com', 'Verified', 'Issuing');
    redirect('c-gone.example.com', 'Suspended', 'Withdrawn');
    redirect('d-risk.example.com', 'Degraded', 'RecordMissing');
    redirect('e-needs.example.com', 'Unverified', 'RecordMissing');
    redirect('f-needs.example.com', 'Pending', 'PrimaryExists');
  });

  it('begins with those that need their customer', async () => {
    expect(rowsOf((await shown(domainsPage, ask())).html)).toEqual([
      'e-needs.example.com',
      'f-needs.example.com',
      'c-gone.example.com',
      'd-risk.example.com',
      'b-checking.example.com',
      'a-live.example.com',
    ]);
  });

  const filters: readonly (readonly [string, Record<string, unknown>, readonly string[]])[] = [
    ['one status', { status: 'NeedsAction' }, ['e-needs.example.com', 'f-needs.example.com']],
    ['a part of the hostname', { q: 'risk' }, ['d-risk.example.com']],
    ['in any case and with blanks around it', { q: '  RISK ' }, ['d-risk.example.com']],
    ['both', { q: 'f-', status: 'NeedsAction' }, ['f-needs.example.com']],
    ['both, of which one matches nothing', { q: 'a-live', status: 'NeedsAction' }, []],
  ];
  it.each(filters)('shows those with %s', async (_, query, expected) => {
    expect(rowsOf((await shown(domainsPage, ask({ query }))).html)).toEqual(expected);
  });

  it.each<[string, Record<string, unknown>]>([
    ['a status that is none', { status: 'toString' }],
    ['a status given twice', { status: ['Live', 'Offline'] }],
    ['a search given twice', { q: ['a', 'b'] }],
    ['a page that is no number', { page: '1e9' }],
    ['a page that is negative', { page: '-1' }],
    ['page zero', { page: '0' }],
  ])('is whole with %s', async (_, query) => {
    expect(rowsOf((await shown(domainsPage, ask({ query }))).html)).toHaveLength(6);
  });

  it('is cut to what a hostname can be in a search of any length', async () => {
    const { html } = await shown(domainsPage, ask({ query: { q: 'x'.repeat(100_000) } }));
    expect(html).toContain('No domain matches your search.');
    expect(html.length).toBeLessThan(20_000);
  });
});

describe('two hundred domains', () => {
  const numbered = (index: number) => `shop-${String(index).padStart(3, '0')}.large.example`;

  beforeEach(() => {
    key = api.key('acme', ['domains:read', 'domains:write']);
    for (let index = 0; index < 200; index += 1) redirect(numbered(index));
  });

  it('have a first view of at most 60 kB, uncompressed, with its form', async () => {
    api.account('large', 'business');
    for (let index = 0; index < 199; index += 1) {
      const hostname = numbered(index);
      const spec = { project: 'shop', hostname, role: 'Redirect', redirect: { to: 'large.apps.example.net' } } as const;
      api.domain('large', hostname, { spec });
    }
    key = api.key('large', ['domains:read', 'domains:write']);
    const { html } = await shown(domainsPage, ask());
    expect(html).toContain('id="add"');
    expect(Buffer.byteLength(html)).toBeLessThan(60_000);
  });

  it('stand on pages that have each of them once, in order, also beyond the last', async () => {
    const pages = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((page) => shown(domainsPage, ask({ query: { page: String(page) } }))),
    );
    const shownRows = pages.map(({ html }) => rowsOf(html));
    expect(shownRows.slice(0, 5).flat()).toEqual(Array.from({ length: 200 }, (_, index) => numbered(index)));
    expect(shownRows[5]).toEqual(shownRows[4]);
    expect(pages[1]?.html).toContain('Page 2 of 5');
  });

  it('keep the filter on the way to the next page', async () => {
    const { html } = await shown(domainsPage, ask({ query: { q: 'shop-1', status: 'Live' } }));
    expect(html).toContain('href="/dashboard/projects/shop?status=Live&amp;q=shop-1&amp;page=2"');
    expect(html).toContain('All <span class="count">100</span>');
  });

  it('tell the script between which keys a new row belongs', async () => {
    const middle = (await shown(domainsPage, ask({ query: { page: '2' } }))).html;
    expect(/data-after="([^"]*)"/.exec(middle)?.[1]).toBe(`4 ${numbered(39)}`);
    expect(/data-until="([^"]*)"/.exec(middle)?.[1]).toBe(`4 ${numbered(79)}`);
    const last = (await shown(domainsPage, ask({ query: { page: '5' } }))).html;
    expect(last).not.toContain('data-until');
    expect((await shown(domainsPage, ask())).html).not.toContain('data-after');
  });
});

describe('where Add cannot work', () => {
  const free = () => (key = api.account('hobby', 'free'));
  const never = () =>
    api.put({
      apiVersion: 'projectdomain.io/v1alpha1',
      kind: 'Project',
      metadata: { name: 'shop', namespace: 'acme' },
      spec: { service: { name: 'web', port: 80 } },
    });
  const full = () => {
    for (let index = 0; index < 50; index += 1) redirect(`d${index}.example.com`);
  };
  const reading = () => (key = api.key('acme', ['domains:read']));

  it.each<[string, () => unknown, string]>([
    ['a plan without custom domains', free, 'Custom domains require Pro or higher'],
    ['a project that was never published', never, 'Publish this project first'],
    ['as many domains as the plan allows', full, 'All 50 domains of your plan are in use'],
    ['a key that only reads', reading, 'This API key can’t change domains'],
  ])('there is no form, but what to do: %s', async (_, arrange, title) => {
    arrange();
    const { html } = await shown(domainsPage, ask());
    expect(html).not.toContain('id="add"');
    expect(html).toContain(`<h2 id="add-title">${title}</h2>`);
  });

  it('a key that only reads can select nothing and has no menus', async () => {
    redirect('a.example.com');
    reading();
    const { html } = await shown(domainsPage, ask());
    expect(rowsOf(html)).toEqual(['a.example.com']);
    expect(html).not.toMatch(/type="checkbox"|<details|id="bulk"/);
  });
});

describe('what the form offers', () => {
  it('is the primary, in a project that has none', async () => {
    redirect('old.example.com');
    const { html } = await shown(domainsPage, ask());
    expect(html).toMatch(/name="role" value="primary" checked/);
    expect(html).toMatch(/name="role" value="redirect"(?! checked)/);
  });

  it('is a redirect to the primary, in a project that has one', async () => {
    api.domain('acme', 'z.example.com');
    const { html } = await shown(domainsPage, ask());
    expect(html).not.toContain('value="primary"');
    expect(html).toContain('<input type="hidden" name="role" value="redirect" />');
    expect(html.replaceAll('<wbr>', '')).toContain('Visitors will be redirected to z.example.com.');
  });

  it('leads to what is no redirect itself, the primary first', async () => {
    api.domain('acme', 'z.example.com');
    redirect('r.example.com');
    const { html } = await shown(domainsPage, ask());
    const select = html.slice(html.indexOf('<select id="to"'));
    const options = [...select.slice(0, select.indexOf('</select>')).matchAll(/<option value="([^"]*)"( selected)?/g)];
    expect(options.map(([, value, selected]) => [value, selected !== undefined])).toEqual([
      ['z.example.com', true],
      ['acme.apps.example.net', false],
    ]);
  });

  it('has no second hostname where there is room for one only', async () => {
    for (let index = 0; index < 49; index += 1) redirect(`d${index}.example.com`);
    const { html } = await shown(domainsPage, ask());
    expect(html).toContain('id="add"');
    expect(html).not.toContain('name="pair"');
  });
});
