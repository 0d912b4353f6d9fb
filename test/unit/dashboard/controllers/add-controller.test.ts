import { beforeEach, describe, expect, it } from '@jest/globals';
import { addAction } from '../../../../src/dashboard/controllers/add-controller.ts';
import { Problem } from '../../../../src/use-cases/problem.ts';
import type { InMemoryApi } from '../../../support/in-memory-api.ts';
import { createInMemoryApi } from '../../../support/in-memory-api.ts';
import type { Asked } from '../../../support/page-request.ts';
import { pageRequest, shown } from '../../../support/page-request.ts';

/** The form that adds a domain, and its counterpart with it. */

let api: InMemoryApi;
let key: string;
let spent: number;
const ask = (asked: Asked = {}) =>
  pageRequest(api, key, {
    params: { project: 'shop' },
    spend: (units) => {
      spent += units;
      return Promise.resolve();
    },
    ...asked,
  });
const form = (hostname: string, more: object = {}) => ({ hostname, role: 'primary', to: '', status: '301', ...more });
const specOf = (name: string) => api.stores.domains.get({ namespace: 'acme', name })?.spec;

beforeEach(() => {
  api = createInMemoryApi();
  key = api.account('acme', 'pro');
  spent = 0;
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

  it.each([
    ['a project without a primary is shown there', null, { role: 'Primary' }],
    ['one with a primary redirects to it', 'z.example.com', { role: 'Redirect', redirect: { to: 'z.example.com' } }],
  ])('has a default for all but the hostname: %s', async (_, primary, spec) => {
    if (primary !== null) api.domain('acme', primary);
    await shown(addAction, ask({ form: { hostname: 'new.example.com' } }));
    expect(specOf('new.example.com')).toMatchObject(spec);
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
    const answer = await shown(addAction, ask({ form: { ...typed, pair: 'yes' } }));
    expect(answer.status).toBe(status);
    expect(answer.html).toContain(code);
    const { hostname } = typed as { hostname: string };
    expect(answer.html).toContain(`value="${hostname}"`);
    expect(api.cluster.written).toEqual([]);
  });

  it('is refused with what it takes to try again, when the cluster is away', async () => {
    api.cluster.refuseNext(9);
    const request = ask({ form: form('www.example.com') });
    const answer = await addAction(request);
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

describe('the counterpart', () => {
  it.each([
    ['www.example.com', 'example.com'],
    ['example.com', 'www.example.com'],
  ])('of %s is added with it, as a redirect to it, and counts as a request of its own', async (hostname, other) => {
    const { to } = await shown(addAction, ask({ form: form(hostname, { pair: 'yes' }) }));
    expect(to).toBe(`/dashboard/projects/shop/setup?done=added-both&hostname=${hostname}&hostname=${other}`);
    expect(specOf(hostname)?.role).toBe('Primary');
    expect(specOf(other)).toMatchObject({ role: 'Redirect', redirect: { to: hostname, status: 301 } });
    expect(spent).toBe(1);
  });

  it('of a redirect leads where the redirect leads, never to a redirect', async () => {
    api.domain('acme', 'main.example.net');
    await shown(addAction, ask({ form: form('example.com', { role: 'redirect', status: '308', pair: 'yes' }) }));
    for (const name of ['example.com', 'www.example.com'])
      expect(specOf(name)?.redirect).toEqual({ to: 'main.example.net', status: 308 });
  });

  it.each<[string, object, readonly string[]]>([
    ['where it was not chosen', form('www.example.com'), ['www.example.com']],
    ['of a subdomain, which has none', form('shop.example.com', { pair: 'yes' }), ['shop.example.com']],
  ])('is not added %s', async (_, typed, added) => {
    const { to } = await shown(addAction, ask({ form: { ...typed } }));
    expect(to).toContain('?done=added');
    expect(to).not.toContain('added-both');
    expect(api.cluster.written).toEqual(added.map((name) => `acme/${name}`));
    expect(spent).toBe(0);
  });

  it('stays as it is where the project has it already', async () => {
    api.domain('acme', 'example.com');
    const { to } = await shown(addAction, ask({ form: form('www.example.com', { role: 'redirect', pair: 'yes' }) }));
    expect(to).toBe('/dashboard/projects/shop/setup?done=added&hostname=www.example.com&hostname=example.com');
    expect(api.cluster.written).toEqual(['acme/www.example.com']);
  });

  it('that is refused is named with its reason, and the first one stays', async () => {
    api.project('acme', 'other');
    api.domain('acme', 'example.com', { spec: { project: 'other', hostname: 'example.com', role: 'Primary' } });
    const { status, html } = await shown(addAction, ask({ form: form('www.example.com', { pair: 'yes' }) }));
    const text = html.replaceAll('<wbr>', '');
    expect(status).toBe(200);
    expect(text).toContain('www.example.com was added, example.com was not.');
    expect(text).toContain('hostname-in-use');
    expect(text).toContain('<a class="button main" href="/dashboard/projects/shop/domains/www.example.com">Set up www');
    expect(text).toContain('You already use this domain');
    expect(specOf('www.example.com')?.role).toBe('Primary');
    expect(html).toContain('value="example.com"');
  });

  it('is not added where the quota has nothing left for it, and the first one stays', async () => {
    const spend = () => Promise.reject(new Problem('quota-exceeded', 'the quota per minute is used up; wait 9 s'));
    const { html } = await shown(addAction, ask({ form: form('www.example.com', { pair: 'yes' }), spend }));
    expect(html).toContain('quota-exceeded');
    expect(api.cluster.written).toEqual(['acme/www.example.com']);
  });
});
