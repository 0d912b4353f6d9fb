import { beforeEach, describe, expect, it } from '@jest/globals';
import { createKeyAction, deleteKeyAction, keysPage } from '../../../../src/dashboard/controllers/keys-controller.ts';
import { helpPage, planPage } from '../../../../src/dashboard/controllers/account-controller.ts';
import type { InMemoryApi } from '../../../support/in-memory-api.ts';
import { createInMemoryApi } from '../../../support/in-memory-api.ts';
import type { Asked } from '../../../support/page-request.ts';
import { pageRequest, shown } from '../../../support/page-request.ts';

/** Keys, and the pages about plan and help. */

let api: InMemoryApi;
let key: string;
const ask = (asked: Asked = {}) => pageRequest(api, key, asked);
const own = () => api.as(key).caller.apiKey.spec.keyId ?? '';

beforeEach(() => {
  api = createInMemoryApi();
  key = api.account('acme', 'free');
});

describe('the page of keys', () => {
  it("lists the account's, marks the session's own, and no other account's", async () => {
    const foreign = api.as(api.account('foreign', 'pro')).caller.apiKey.spec.keyId ?? '';
    const { html } = await shown(keysPage, ask());
    expect(html).toMatch(new RegExp(`${own()}</code>\\s*<span class="tag">this session`));
    expect(html).not.toContain(foreign);
  });

  it('shows none to a key that may not see them', async () => {
    const writer = own();
    key = api.key('acme', ['domains:read']);
    const { status, html } = await shown(keysPage, ask());
    expect(status).toBe(200);
    expect(html).not.toContain(writer);
    expect(html).toContain('isn’t allowed to see other keys');
  });
});

describe('the form that makes a key', () => {
  it.each([
    ['one scope', 'domains:read', ['domains:read']],
    ['several', ['domains:read', 'keys:write'], ['domains:read', 'keys:write']],
  ])('of %s shows it this once', async (_, chosen, scopes) => {
    const { status, html } = await shown(createKeyAction, ask({ form: { scopes: chosen } }));
    expect(status).toBe(201);
    const made = /pd_[a-z0-9]{16}_[A-Za-z0-9]{36}/.exec(html)?.[0] ?? '';
    expect(api.as(made).caller.apiKey.spec.scopes).toEqual(scopes);
    expect((await shown(keysPage, ask())).html).not.toContain(made);
  });

  it('gives it the name that was written, and no name where none was', async () => {
    await shown(createKeyAction, ask({ form: { scopes: 'domains:read', name: ' deploy <script> ' } }));
    expect((await shown(keysPage, ask())).html).toContain('deploy &lt;script&gt; <code>');
    await shown(createKeyAction, ask({ form: { scopes: 'domains:read', name: '' } }));
    const names = api.stores.apiKeys.list().map(({ spec }) => spec.displayName);
    expect(names.filter((name) => name !== undefined)).toEqual(['deploy <script>']);
  });

  it('lets a key expire at the end of the day that was chosen', async () => {
    await shown(createKeyAction, ask({ form: { scopes: 'domains:read', expiresAt: '2999-12-31' } }));
    const expiries = api.stores.apiKeys.list().map(({ spec }) => spec.expiresAt);
    expect(expiries).toContain('2999-12-31T23:59:59Z');
  });

  it.each<[string, Record<string, unknown>, number, string]>([
    ['no scope', {}, 400, 'malformed-request'],
    ['a name of two lines', { scopes: 'domains:read', name: 'a\nb' }, 400, 'malformed-request'],
    ['an endless name', { scopes: 'domains:read', name: 'x'.repeat(65) }, 400, 'malformed-request'],
    ['a scope that is none', { scopes: 'everything' }, 400, 'malformed-request'],
    ['a day that is none', { scopes: 'domains:read', expiresAt: 'tomorrow' }, 400, 'malformed-request'],
    ['a day that is over', { scopes: 'domains:read', expiresAt: '2020-01-01' }, 400, 'malformed-request'],
  ])('with %s says why not, above the keys', async (_, form, status, code) => {
    const answer = await shown(createKeyAction, ask({ form }));
    expect(answer.status).toBe(status);
    expect(answer.html).toContain(code);
    expect(answer.html).toContain(own());
    expect(api.stores.apiKeys.list()).toHaveLength(1);
  });

  it('says that there are as many as there may be', async () => {
    for (let index = 0; index < 4; index += 1) api.key('acme', ['domains:read']);
    const { status, html } = await shown(createKeyAction, ask({ form: { scopes: 'domains:read' } }));
    expect(status).toBe(409);
    expect(html).toContain('key-cap-reached');
  });
});

describe('the button that deletes a key', () => {
  it('leads back to the keys, of which it is none any more', async () => {
    const other = api.as(api.key('acme', ['domains:read'])).caller.apiKey.spec.keyId ?? '';
    const { to } = await shown(deleteKeyAction, ask({ params: { key: other } }));
    expect(to).toBe('/dashboard/keys?done=key-deleted');
    expect(api.stores.apiKeys.byIndex('keyId', other)).toEqual([]);
  });

  it('says of a key that is not there that it is not', async () => {
    const { status, html } = await shown(deleteKeyAction, ask({ params: { key: 'none' } }));
    expect(status).toBe(404);
    expect(html).toContain('We couldn’t find the API key none.');
  });
});

describe('the page of the plan', () => {
  it('shows what the plan allows, and the usage that the limiter tells', async () => {
    const { html } = await shown(planPage, ask());
    expect(html).toContain('Not included');
    expect(html).toContain('10 of 1,000,000 requests used');
  });

  it('and the page of help need no scope', async () => {
    key = api.key('acme', []);
    expect((await shown(planPage, ask())).status).toBe(200);
    expect((await shown(helpPage, ask())).status).toBe(200);
  });
});
