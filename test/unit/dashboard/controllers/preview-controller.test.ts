import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { checkAction, lookAction, previewAction } from '../../../../src/dashboard/controllers/add-controller.ts';
import type { DnsFindings } from '../../../../src/use-cases/dns-lookup-port.ts';
import { createLookups } from '../../../../src/use-cases/lookup-queue.ts';
import { Problem } from '../../../../src/use-cases/problem.ts';
import type { InMemoryApi } from '../../../support/in-memory-api.ts';
import { createInMemoryApi } from '../../../support/in-memory-api.ts';
import type { Asked } from '../../../support/page-request.ts';
import { pageRequest, shown } from '../../../support/page-request.ts';
import { emptyDns, emptyZone } from '../../../support/scripted-lookups.ts';

/** What is said about a hostname before it is added: by Add itself, and by DNS. */

let api: InMemoryApi;
let key: string;
let spent: number[];
let looked: string[];
let found: DnsFindings;

beforeEach(() => {
  looked = [];
  spent = [];
  found = emptyZone;
  const dns = {
    look: async (request: Parameters<typeof emptyDns.look>[0], signal: AbortSignal) => {
      looked.push(request.hostname);
      await emptyDns.look(request, signal);
      return found;
    },
  };
  api = createInMemoryApi({}, createLookups({ dns }));
  key = api.account('acme', 'pro');
});

const spend = (units: number) => {
  spent.push(units);
  return Promise.resolve();
};
const ask = (form: object, asked: Asked = {}) =>
  pageRequest(api, key, { params: { project: 'shop' }, form: { ...form }, spend, ...asked });
const text = async (action: typeof lookAction, form: object, asked: Asked = {}) =>
  (await shown(action, ask(form, asked))).html.replaceAll('<wbr>', '');

describe('the preview while a hostname is typed', () => {
  it('of nothing says nothing', async () => {
    expect(await text(previewAction, { hostname: '' })).toBe('');
  });

  it('of what can be added shows the record that it takes, adds nothing and asks no server', async () => {
    const html = await text(previewAction, { hostname: 'www.example.com' });
    expect(html).toMatch(/CNAME[\s\S]*cname\.apps\.example\.net/);
    expect(api.cluster.written).toEqual([]);
    expect([looked, spent]).toEqual([[], []]);
  });

  it.each([
    ['shop.apps.example.net', 'PlatformHostname', 'invalid-hostname'],
    ['co.uk', 'PublicSuffix', 'invalid-hostname'],
    ['*.example.com', 'WildcardHostname', 'invalid-hostname'],
  ])('of %s, which cannot be added, says why in the words of %s', async (hostname, reason, code) => {
    const html = await text(previewAction, { hostname });
    const { title } = ask({}).view.words.help('Pending', reason);
    expect(html).toContain(title.replaceAll("'", '&#39;'));
    expect(html).toContain(`<code>${code}</code>`);
  });

  it.each(['primary', 'redirect'])('of what the project has leads there, whatever it is there (%s)', async (role) => {
    api.domain('acme', 'www.example.com');
    const html = await text(previewAction, { hostname: 'www.example.com', role });
    expect(html).toContain('<a href="/dashboard/projects/shop/domains/www.example.com">www.example.com</a>');
    expect(html).not.toContain('can be added');
  });

  it('of what another project of the account has says so', async () => {
    api.project('acme', 'other');
    api.domain('acme', 'www.example.com', { spec: { project: 'other', hostname: 'www.example.com', role: 'Primary' } });
    expect(await text(previewAction, { hostname: 'www.example.com' })).toContain('<code>hostname-in-use</code>');
  });

  it.each([
    ['www.example.com', 'www.example.com', 'a whole hostname'],
    ['www.example.c', '', 'no suffix of the list is c'],
    ['www.example.test', '', 'nor is test; it can be looked at on demand'],
  ])('tells the script whether to look at DNS: %s → %j (%s)', async (hostname, look) => {
    expect(await text(previewAction, { hostname })).toContain(`data-look="${look}"`);
  });
});

describe('the counterpart that the form offers', () => {
  const offered = async (hostname: string) =>
    /data-pair="([^"]*)"/.exec(await text(previewAction, { hostname, role: 'redirect' }))?.[1];

  it.each<[string, string, string, () => unknown]>([
    ['the free one', 'www.example.com', 'example.com', () => null],
    ['none of a subdomain', 'shop.example.com', '', () => null],
    ['none that the project has', 'www.example.com', '', () => api.domain('acme', 'example.com')],
    [
      'none that another project of the account has',
      'www.example.com',
      '',
      () => {
        api.project('acme', 'other');
        api.domain('acme', 'example.com', { spec: { project: 'other', hostname: 'example.com', role: 'Primary' } });
      },
    ],
    [
      'none where one place is left',
      'www.example.com',
      '',
      () => {
        for (let index = 0; index < 49; index += 1) api.domain('acme', `d${index}.example.net`);
      },
    ],
  ])('is %s', async (_, hostname, other, arrange) => {
    arrange();
    expect(await offered(hostname)).toBe(other);
  });
});

describe('the look at DNS before Add', () => {
  it('shows each record as it is and as it must become, and makes nothing', async () => {
    found = { ...emptyZone, recordFindings: [{ purpose: 'Routing', status: 'Wrong', found: ['A 192.0.2.1'] }] };
    const html = await text(lookAction, { hostname: 'www.example.com' });
    expect(html).toMatch(/A 192\.0\.2\.1[\s\S]*CNAME p-[a-z2-7]{26}\.cname\.apps\.example\.net/);
    expect(looked).toEqual(['www.example.com']);
    expect(api.cluster.written).toEqual([]);
    expect(api.stores.domains.list()).toEqual([]);
  });

  it('counts as ten requests, as with REST: its own and nine more', async () => {
    await text(lookAction, { hostname: 'www.example.com' });
    expect(spent).toEqual([9]);
  });

  it.each([
    ['what cannot be added', { hostname: 'co.uk' }],
    ['nothing', { hostname: '' }],
  ])('is not made, and costs nothing more, for %s', async (_, form) => {
    expect(await text(lookAction, form)).toBe('');
    expect([looked, spent]).toEqual([[], []]);
  });

  it('that comes too late, which is after less than two seconds, says so and frees its place', async () => {
    const timeout = jest.spyOn(AbortSignal, 'timeout');
    const html = await text(lookAction, { hostname: 'silent.example.com' });
    expect(html).toContain('DNS hasn’t answered yet. You can add the domain anyway');
    expect(api.dependencies.lookups.counts().get('running')).toBe(0);
    expect(Math.max(...timeout.mock.calls.map(([ms]) => ms))).toBeLessThan(2_000);
    timeout.mockRestore();
  });

  it('says so where other lookups of the account are in the way', async () => {
    const gone = new AbortController();
    const request = { target: null, ownership: null, relation: 'Free', routedBy: null } as const;
    const waiting = Array.from({ length: 6 }, (_, index) =>
      api.dependencies.lookups.look('acme', { ...request, hostname: `silent${index}.example.com` }, gone.signal),
    );
    expect(await text(lookAction, { hostname: 'www.example.com' })).toContain('Other DNS checks of your account');
    gone.abort();
    await Promise.allSettled(waiting);
  });

  it('that the quota does not allow is not made, and says when it will be', async () => {
    const refuse = () =>
      Promise.reject(new Problem('quota-exceeded', 'the quota per minute is used up', { members: { retryAfter: 17 } }));
    const html = await text(lookAction, { hostname: 'www.example.com' }, { spend: refuse });
    expect(html).toContain('Try again in 17 seconds. You don’t need the check to add the domain.');
    expect(looked).toEqual([]);
  });

  it('is refused with the ban, where a ban begins with it', async () => {
    const refuse = () => Promise.reject(new Problem('abnormal-usage-detected', 'banned'));
    const request = ask({ hostname: 'www.example.com' }, { spend: refuse });
    await expect(shown(lookAction, request)).rejects.toMatchObject({ code: 'abnormal-usage-detected' });
  });
});

describe('Check DNS first, without a script', () => {
  it('shows the same on the page, whose form keeps what was typed', async () => {
    const form = { hostname: 'https://WWW.example.com/', role: 'redirect', status: '308', pair: 'yes' };
    const html = await text(checkAction, form);
    expect(html).toContain('value="www.example.com"');
    expect(html).toMatch(/<option value="308" selected>/);
    expect(html).toContain('can be added and will redirect to');
    expect(html).toContain('id="look-title"');
    expect(html).toMatch(/name="pair" value="yes" checked/);
    expect(api.cluster.written).toEqual([]);
  });

  it('of what cannot be added says why', async () => {
    const html = await text(checkAction, { hostname: 'co.uk' });
    expect(html).toContain('value="co.uk"');
    expect(html).toContain('invalid-hostname');
    expect(html).not.toContain('id="look-title"');
  });
});
