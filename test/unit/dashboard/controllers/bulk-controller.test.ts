import { beforeEach, describe, expect, it } from '@jest/globals';
import { bulkAction, bulkPlanAction } from '../../../../src/dashboard/controllers/bulk-controller.ts';
import { TransportError } from '../../../../src/kubernetes/kubernetes-errors.ts';
import { Problem } from '../../../../src/use-cases/problem.ts';
import type { InMemoryApi } from '../../../support/in-memory-api.ts';
import { createInMemoryApi } from '../../../support/in-memory-api.ts';
import type { Asked } from '../../../support/page-request.ts';
import { pageRequest, shown } from '../../../support/page-request.ts';

/** Several domains at a time: what would happen, and what did. */

let api: InMemoryApi;
let key: string;
let spent: number[];

beforeEach(() => {
  api = createInMemoryApi();
  key = api.account('acme', 'pro');
  spent = [];
});

const ask = (form: object, asked: Asked = {}) =>
  pageRequest(api, key, {
    params: { project: 'shop' },
    form: { ...form },
    spend: (units) => {
      spent.push(units);
      return Promise.resolve();
    },
    ...asked,
  });

const plain = (html: string): string =>
  html
    .replaceAll('<wbr>', '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');

/** By hostname, what the page's table says. */
function outcomes(html: string): Readonly<Record<string, string>> {
  const rows = [...html.matchAll(/<th scope="row">([\s\S]*?)<\/th>\s*<td>([\s\S]*?)<\/td>/g)];
  return Object.fromEntries(
    rows.map(([, name = '', text = '']) => [plain(name).replaceAll(' ', ''), plain(text).trim()]),
  );
}

const redirectTo = (hostname: string, to: string) =>
  api.domain('acme', hostname, {
    spec: { project: 'shop', hostname, role: 'Redirect', redirect: { to } },
    status: { state: 'Unverified' },
  });

function declared(hostname: string): void {
  const uid = api.stores.projects.get({ namespace: 'acme', name: 'shop' })?.metadata.uid;
  const owner = { apiVersion: 'projectdomain.io/v1alpha1', kind: 'Project', name: 'shop', uid, controller: true };
  api.put({
    apiVersion: 'projectdomain.io/v1alpha1',
    kind: 'ProjectDomain',
    metadata: { name: hostname, namespace: 'acme', ownerReferences: [owner] },
    spec: { project: 'shop', hostname, role: 'Redirect', redirect: { to: 'acme.apps.example.net' } },
  });
}

const names = ['a.example.com', 'b.example.com', 'c.example.com'] as const;
const exists = (hostname: string) => api.stores.domains.get({ namespace: 'acme', name: hostname }) !== undefined;

describe('Remove of several', () => {
  beforeEach(() => {
    for (const hostname of names) redirectTo(hostname, 'acme.apps.example.net');
    declared('yaml.example.com');
  });
  const form = { act: 'remove', hostname: [...names, 'yaml.example.com', 'never.example.com'] };

  it('first says what would happen to each, and does nothing', async () => {
    const { html } = await shown(bulkPlanAction, ask(form));
    expect(plain(html)).toContain('3 of 5 will be removed.');
    expect(outcomes(html)).toEqual({
      'a.example.com': 'Will be removed; it isn’t live',
      'b.example.com': 'Will be removed; it isn’t live',
      'c.example.com': 'Will be removed; it isn’t live',
      'yaml.example.com': expect.stringContaining('declared in the project’s YAML'),
      'never.example.com': expect.stringContaining('no longer has it'),
    });
    expect(names.every(exists)).toBe(true);
    expect(spent).toEqual([]);
  });

  it('says which of them are live, what visitors get there, and names the redirects that lose their destination', async () => {
    const live = (hostname: string, state: 'Live' | 'Degraded', role: object) =>
      api.domain('acme', hostname, {
        spec: { project: 'shop', hostname, role: 'Primary', ...role },
        status: { state },
      });
    live('www.example.net', 'Live', {});
    live('old.example.net', 'Degraded', { role: 'Redirect', redirect: { to: 'www.example.net' } });
    const led = Array.from({ length: 7 }, (_, at) => `r${at}.example.net`);
    for (const hostname of led) redirectTo(hostname, 'www.example.net');
    const hostname = ['www.example.net', 'old.example.net', 'a.example.com'];
    const { html } = await shown(bulkPlanAction, ask({ act: 'remove', hostname }));
    expect(plain(html)).toContain('2 of them are live: their visitors get an error as soon as you confirm.');
    expect(plain(html)).toContain('7 redirects that stay lose their destination');
    const { 'www.example.net': primary, 'old.example.net': redirect, 'a.example.com': other } = outcomes(html);
    expect(primary).toMatch(/^Live Visitors of www\.example\.net get an error instead of your project/);
    // Removed with it, a redirect loses nothing; of very many some are named, and the others counted.
    expect(primary).not.toContain('old.example.net');
    expect(led.map((one) => primary?.includes(one))).toEqual([...led.map((_, at) => at < 5)]);
    expect(primary).toContain('and 2 more');
    expect(redirect).toBe('At risk Its redirect to www.example.net stops: visitors get an error instead');
    expect(other).toBe('Will be removed; it isn’t live');
    expect(html).toMatch(/<button class="main danger">/);
  });

  it('says that visitors notice nothing where none is live', async () => {
    const { html } = await shown(bulkPlanAction, ask(form));
    expect(plain(html)).toContain('None of them is live: visitors will notice nothing.');
    expect(plain(html)).not.toContain('get an error');
  });

  it('confirms only those that would be removed', async () => {
    const { html } = await shown(bulkPlanAction, ask(form));
    expect([...html.matchAll(/name="hostname" value="([^"]*)"/g)].map(([, hostname]) => hostname)).toEqual(names);
  });

  it('then removes them, each as a request of its own, and says so', async () => {
    const { html } = await shown(bulkAction, ask({ act: 'remove', hostname: names }));
    expect(plain(html)).toContain('3 domains are being removed');
    expect(names.some(exists)).toBe(false);
    expect(exists('yaml.example.com')).toBe(true);
    expect(spent).toEqual([2]);
  });

  it('never removes what is declared in YAML, whatever the form says', async () => {
    const { html } = await shown(bulkAction, ask({ act: 'remove', hostname: 'yaml.example.com' }));
    expect(exists('yaml.example.com')).toBe(true);
    expect(outcomes(html)['yaml.example.com']).toContain('YAML');
    expect(spent).toEqual([]);
  });

  it('goes on after one that is refused, and says which it was', async () => {
    const { remove } = api.cluster;
    api.cluster.remove = (kind, key, preconditions) =>
      key.name === names[0] ? Promise.reject(new TransportError('away')) : remove(kind, key, preconditions);
    const { html } = await shown(bulkAction, ask({ act: 'remove', hostname: names }));
    const texts = Object.values(outcomes(html));
    expect(texts.filter((text) => text.startsWith('Is being removed'))).toHaveLength(2);
    expect(texts.filter((text) => text.includes('cluster-unavailable'))).toHaveLength(1);
    expect(plain(html)).toContain('2 domains are being removed');
    expect(names.filter(exists)).toEqual([names[0]]);
  });

  it('counts the redirects that would lead nowhere, but not those that go too', async () => {
    api.domain('acme', 'main.example.com');
    redirectTo('x.example.com', 'main.example.com');
    redirectTo('y.example.com', 'main.example.com');
    const hostname = ['main.example.com', 'x.example.com'];
    const { html } = await shown(bulkPlanAction, ask({ act: 'remove', hostname }));
    expect(outcomes(html)['main.example.com']).toMatch(
      /This redirect loses its destination and stops working: y\.example\.com$/,
    );
  });

  it('touches no other project', async () => {
    api.project('acme', 'other');
    const { html } = await shown(bulkAction, ask({ act: 'remove', hostname: names }, { params: { project: 'other' } }));
    expect(names.every(exists)).toBe(true);
    expect(Object.values(outcomes(html)).every((text) => text.includes('no longer has it'))).toBe(true);
  });
});

describe('Verify of several', () => {
  beforeEach(() => {
    redirectTo('a.example.com', 'acme.apps.example.net');
    api.domain('acme', 'lost.example.com', {
      spec: { project: 'shop', hostname: 'lost.example.com', role: 'Redirect', redirect: { to: 'gone.example.com' } },
      status: { state: 'Pending' },
    });
  });
  const hostname = ['a.example.com', 'lost.example.com'];

  it('says which of them wait for something other than DNS', async () => {
    const { html } = await shown(bulkPlanAction, ask({ act: 'verify', hostname }));
    const { title } = ask({}).view.words.help('Pending', 'RedirectToForeign');
    expect(outcomes(html)).toEqual({
      'a.example.com': 'Its DNS will be checked now',
      'lost.example.com': `Stays as it is: ${title}`,
    });
  });

  it('asks for a check of the others', async () => {
    const { html } = await shown(bulkAction, ask({ act: 'verify', hostname }));
    expect(api.cluster.written).toEqual(['acme/a.example.com']);
    expect(outcomes(html)['a.example.com']).toBe('Its DNS is being checked');
    expect(spent).toEqual([1]);
  });
});

describe('a form of several domains', () => {
  it.each([
    ['the question', bulkPlanAction],
    ['the act', bulkAction],
  ])('that selects none leads back to the list: %s', async (_, action) => {
    const { html } = await shown(action, ask({ act: 'remove' }));
    expect(html).toContain('Select at least one domain first.');
    expect(html).toContain('id="domains"');
  });

  it.each<[string, object]>([
    ['no act', { hostname: 'a.example.com' }],
    ['an act that is none', { act: 'toString', hostname: 'a.example.com' }],
    [
      'more than a form may have',
      { act: 'verify', hostname: Array.from({ length: 51 }, (_, index) => `d${index}.test`) },
    ],
  ])('with %s is refused', async (_, form) => {
    const { status, html } = await shown(bulkAction, ask(form));
    expect(status).toBe(400);
    expect(html).toContain('malformed-request');
    expect(api.cluster.written).toEqual([]);
  });

  it('does nothing at all where the quota does not allow all of it', async () => {
    redirectTo('a.example.com', 'acme.apps.example.net');
    redirectTo('b.example.com', 'acme.apps.example.net');
    const spend = () => Promise.reject(new Problem('quota-exceeded', 'the quota per minute is used up; wait 9 s'));
    const form = { act: 'remove', hostname: ['a.example.com', 'b.example.com'] };
    const { status, html } = await shown(bulkAction, ask(form, { spend }));
    expect(status).toBe(429);
    expect(html).toContain('quota-exceeded');
    expect(exists('a.example.com') && exists('b.example.com')).toBe(true);
  });

  it.each([
    ['the question', bulkPlanAction],
    ['the act', bulkAction],
  ])('needs the scope that writes: %s', async (_, action) => {
    redirectTo('a.example.com', 'acme.apps.example.net');
    key = api.key('acme', ['domains:read']);
    const { status, html } = await shown(action, ask({ act: 'remove', hostname: 'a.example.com' }));
    expect(status).toBe(403);
    expect(html).toContain('scope-missing');
    expect(exists('a.example.com')).toBe(true);
  });
});

describe('the question before Verify of several', () => {
  it("goes through the project's domains no more often for many than for one", async () => {
    for (const hostname of names) {
      const spec = { project: 'shop', hostname, role: 'Redirect', redirect: { to: 'acme.apps.example.net' } } as const;
      api.domain('acme', hostname, { spec, status: { state: 'Pending' } });
    }
    const { byIndex } = api.stores.domains;
    let walks = 0;
    api.stores.domains.byIndex = (index, value) => {
      if (index === 'project') walks += 1;
      return byIndex(index, value);
    };
    const walksFor = async (hostname: readonly string[]) => {
      walks = 0;
      await shown(bulkPlanAction, ask({ act: 'verify', hostname }));
      return walks;
    };
    const forOne = await walksFor(names.slice(0, 1));
    expect(forOne).toBeGreaterThan(0);
    expect(await walksFor(names)).toBe(forOne);
  });
});
