import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { domainPage } from '../../../../src/dashboard/controllers/domain-controller.ts';
import { createLinkAction, revokeLinkAction } from '../../../../src/dashboard/controllers/handover-controller.ts';
import { makeLink, waiting } from '../../../support/handover.ts';
import type { InMemoryApi } from '../../../support/in-memory-api.ts';
import { createInMemoryApi } from '../../../support/in-memory-api.ts';
import type { Asked } from '../../../support/page-request.ts';
import { pageRequest, shown } from '../../../support/page-request.ts';

/** How links are made and revoked on a domain's page. */

const hostname = 'www.customer.example';
const params = { project: 'shop', hostname };
const back = `/dashboard/projects/shop/domains/${hostname}#hand-over`;
let api: InMemoryApi;
let key: string;
const ask = (asked: Asked = {}) => pageRequest(api, key, { params, ...asked });
const linkIn = (html: string) =>
  /value="(https:\/\/dashboard\.example\/dashboard\/records\/[\w-]{68})"/.exec(html)?.[1];

beforeEach(() => {
  api = createInMemoryApi();
  key = api.account('acme', 'pro');
  api.domain('acme', hostname, waiting('shop', hostname));
});
afterEach(() => api.stop());

describe('the section of a domain’s page', () => {
  it('offers three lifetimes, of which seven days is chosen, and none of the links that there are', async () => {
    const { html } = await shown(domainPage, ask());
    const options = [...html.matchAll(/<option value="(\d+)"( selected)?\s*>\s*([^<]*?)\s*</g)];
    expect(options.map(([, days, selected, text]) => [days, selected !== undefined, text])).toEqual([
      ['1', false, '1 day'],
      ['7', true, '7 days'],
      ['30', false, '30 days'],
    ]);
    expect(html).toContain(`action="/dashboard/projects/shop/domains/${hostname}/links"`);
    expect(html).not.toContain('Links that work');
  });

  it('lists a link with when, by whom and until when, and without what opens it', async () => {
    const { link, token } = await makeLink(api, key, hostname);
    const { html } = await shown(domainPage, ask());
    expect(html).toContain(`<code>${link.keyId}</code>`);
    for (const at of [link.created, link.expires]) expect(html).toContain(new Date(at).toISOString().slice(0, 19));
    expect(html).toContain(`/links/${link.id}/revoke`);
    expect(html).not.toContain(token);
  });

  it('has no form where there is no room, and says what makes room', async () => {
    for (let count = 0; count < 5; count += 1) await makeLink(api, key, hostname);
    const { html } = await shown(domainPage, ask());
    expect(html).not.toContain('id="create-link"');
    expect(html).toContain('5 links, which is as many as it can have');
  });

  it('has neither form nor buttons for a key that may only read', async () => {
    await makeLink(api, key, hostname);
    key = api.key('acme', ['domains:read']);
    const { html } = await shown(domainPage, ask());
    expect(html).toContain('Links that work');
    expect(html).not.toMatch(/create-link|\/revoke/);
    expect(html).toContain('<code>domains:write</code>');
  });

  it('says that links cannot be shown while the store is away, and the rest of the page is there', async () => {
    api.handoverLinks.beAway(true);
    const { status, html } = await shown(domainPage, ask());
    expect(status).toBe(200);
    expect(html).toContain('id="records"');
    expect(html).toContain('Links can’t be shown right now');
    expect(html).not.toContain('create-link');
  });
});

describe('creating a link', () => {
  it('shows it once, whole and to be copied, on a page of its own', async () => {
    const { status, html } = await shown(createLinkAction, ask({ form: { days: '30' } }));
    expect(status).toBe(201);
    const url = linkIn(html);
    expect(url).toBeDefined();
    expect(html).toContain(`data-copy="${url}"`);
    const link = await api.handoverLinks.find(url?.split('/').at(-1) ?? '');
    expect(link).toMatchObject({ account: 'acme', name: hostname });
    expect((link?.expires ?? 0) - (link?.created ?? 0)).toBe(30 * 86_400_000);
    expect((await shown(domainPage, ask())).html).not.toContain(url);
  });

  it.each<[string, () => unknown, Record<string, string>, number]>([
    ['its lifetime is none of those offered', () => undefined, { days: '365' }, 400],
    ['it has no lifetime', () => undefined, {}, 400],
    ['the key may only read', () => (key = api.key('acme', ['domains:read'])), { days: '7' }, 403],
    ['the store is away', () => api.handoverLinks.beAway(true), { days: '7' }, 503],
    [
      'there are five',
      () => Promise.all(Array.from({ length: 5 }, () => makeLink(api, key, hostname))),
      { days: '7' },
      409,
    ],
  ])('makes none, and says why, when %s', async (_, given, form, status) => {
    await given();
    const answer = await shown(createLinkAction, ask({ form }));
    expect(answer.status).toBe(status);
    expect(answer.html).toContain('role="alert"');
    expect(linkIn(answer.html)).toBeUndefined();
  });

  it('is for no domain that is not there', async () => {
    const meant = { project: 'shop', hostname: 'none.example' };
    await expect(shown(createLinkAction, ask({ params: meant, form: { days: '7' } }))).rejects.toMatchObject({
      code: 'not-found',
    });
  });
});

describe('revoking a link', () => {
  it('ends it and leads back', async () => {
    const { link, token } = await makeLink(api, key, hostname);
    const answer = await shown(revokeLinkAction, ask({ params: { ...params, link: link.id } }));
    expect(answer).toMatchObject({ status: 303, to: back });
    expect(await api.handoverLinks.find(token)).toBeNull();
  });

  it('says that there is none any more, when it has ended meanwhile', async () => {
    const answer = await shown(revokeLinkAction, ask({ params: { ...params, link: 'ended' } }));
    expect(answer.status).toBe(404);
    expect(answer.html).toContain('role="alert"');
  });
});
