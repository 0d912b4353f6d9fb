import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Limiter } from '../../../src/quota/quota-port.ts';
import type { DnsFindings } from '../../../src/use-cases/dns-lookup-port.ts';
import { createLookups } from '../../../src/use-cases/lookup-queue.ts';
import { issueView } from '../../../src/use-cases/issue-view.ts';
import type { Browsing } from '../../support/browser.ts';
import { overhang, startBrowser } from '../../support/browser.ts';
import { contradictions, differences } from '../../support/contradictions.ts';
import type { DashboardInMemory } from '../../support/dashboard-in-memory.ts';
import { startDashboardInMemory } from '../../support/dashboard-in-memory.ts';
import { hang } from '../../support/hang-domains.ts';
import type { InMemoryApi } from '../../support/in-memory-api.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';
import { pageFacts } from '../../support/page-facts.ts';
import { shot } from '../../support/picture.ts';
import { picturedDomains } from '../../support/pictured-domains.ts';
import { emptyDns, emptyZone } from '../../support/scripted-lookups.ts';
import { fromNow } from '../../support/from-now.ts';

/**
 * Every page in every state, as docs/dashboard shows it: read before its picture is taken. Fails when a page says what
 * cannot be true together with something else on it, or on the list of its project.
 */

let api: InMemoryApi;
let dashboard: DashboardInMemory;
let browser: Browsing;
let target: string;

const old = { name: 'checkout', fqdn: 'checkout.example.com', type: 'A', value: '198.51.100.7' };
const zone = 'example.com';
/** What the look at DNS finds while somebody types. */
const found: DnsFindings = {
  ...emptyZone,
  nameServers: ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'],
  dnsHost: { id: 'cloudflare', name: 'Cloudflare', labels: { name: null, value: null } },
  recordFindings: [{ purpose: 'Routing', status: 'Wrong', found: ['A 198.51.100.7'] }],
  issues: [
    {
      ...issueView({ code: 'StrayAddress', message: '', record: '', fix: '', act: 'ChangeRecords' }),
      params: { name: old.fqdn, zone },
      delete: [old],
    },
  ],
};

/** As the plan Pro has it, with some of it used. */
const limiter: Limiter = {
  recall: () => null,
  decide: () => {
    const now = fromNow(0);
    const minute = { limit: 300, remaining: 288, resetsAtMs: Math.ceil(now / 60_000) * 60_000 };
    const today = { limit: 10_000, remaining: 9_127, resetsAtMs: Math.ceil(now / 86_400_000) * 86_400_000 };
    const counts = { now, minute, day: today, binding: 'minute', retryAfter: null } as const;
    return Promise.resolve({ ...counts, kind: 'allowed', ban: null, banBegins: false, degraded: false });
  },
  close: () => Promise.resolve(),
};

beforeAll(async () => {
  const dns = {
    look: async (...request: Parameters<typeof emptyDns.look>) => {
      await emptyDns.look(...request);
      return found;
    },
  };
  const memory = createInMemoryApi({}, createLookups({ dns }));
  api = { ...memory, dependencies: { ...memory.dependencies, limiter } };
  api.account('acme', 'pro');
  api.project('acme', 'empty');
  const namespace = 'acme';
  const undeployed = { service: { name: 'web', port: 80 }, subdomain: 'draft-acme' };
  api.put({
    apiVersion: 'projectdomain.io/v1alpha1',
    kind: 'Project',
    metadata: { name: 'draft', namespace },
    spec: undeployed,
  });
  target = hang(api);
  putKeys();
  dashboard = await startDashboardInMemory(api);
  browser = await startBrowser(dashboard.url);
}, 120_000);

/** Keys of three programs beside that of the session: one in use, one that has expired, one that is banned. */
function putKeys(): void {
  const [own] = api.stores.apiKeys.list();
  const at = (days: number) => new Date(fromNow(days * 86_400_000)).toISOString();
  const put = (keyId: string, displayName: string, { expires, used, banned }: Record<string, number | undefined>) =>
    api.put({
      ...own,
      metadata: { name: `key-${keyId}`, creationTimestamp: at(-60) },
      spec: {
        ...own?.spec,
        ...{ keyId, displayName, scopes: ['domains:read', 'domains:write'] },
        ...(expires === undefined ? {} : { expiresAt: at(expires) }),
      },
      status: { lastUsedAt: at(used ?? 0), ...(banned === undefined ? {} : { bannedUntil: at(banned) }) },
    });
  api.put({ ...own, spec: { ...own?.spec, displayName: 'My browser' }, status: { lastUsedAt: at(-0.0001) } });
  put('continuous00000', 'Continuous delivery', { used: -0.01, expires: 120 });
  put('shopimport00000', 'Shop import', { used: -31, expires: -30 });
  put('monitoring00000', 'Monitoring', { used: -0.2, banned: 0.1 });
}

afterEach(async () => {
  expect(await browser.leave()).toEqual([]);
});

afterAll(async () => {
  await browser.close();
  dashboard.stop();
});

const shop = '/dashboard/projects/shop';
const hostnameField = (page: Page) => page.getByRole('textbox', { name: 'Domain name' });

interface View {
  readonly name: string;
  readonly path: string;
  /** what is done there before it is looked at */
  readonly before?: (page: Page) => Promise<unknown>;
}

const domainPath = (name: string): string =>
  `${shop}/domains/${picturedDomains.find((one) => one.name === name)?.hostname}`;

const views: readonly View[] = [
  { name: 'projects', path: '/dashboard/projects' },
  { name: 'project', path: shop },
  { name: 'project-without-domains', path: '/dashboard/projects/empty' },
  { name: 'project-not-deployed', path: '/dashboard/projects/draft' },
  {
    name: 'add-x-ray',
    path: shop,
    before: async (page) => {
      await hostnameField(page).fill(old.fqdn);
      await page.getByRole('region', { name: 'What we found in DNS' }).waitFor();
    },
  },
  {
    name: 'add-refused',
    path: shop,
    before: async (page) => {
      await hostnameField(page).fill('co.uk');
      await page.getByRole('button', { name: 'Add domain' }).click();
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'bulk-dry-run',
    path: shop,
    before: async (page) => {
      for (const name of ['new', 'shop', 'old', 'second']) await page.getByLabel(`Select ${name}.example.com`).check();
      await page.locator('#bulk').getByRole('button', { name: 'Remove' }).click();
      await page.locator('table.outcomes').waitFor();
    },
  },
  { name: 'set-up-together', path: `${shop}/setup?hostname=www.example.com&hostname=example.com` },
  ...picturedDomains.map(({ hostname, name }) => ({ name: `domain-${name}`, path: `${shop}/domains/${hostname}` })),
  { name: 'change-destination', path: `${domainPath('issuing')}/redirect` },
  { name: 'remove', path: `${domainPath('live')}/remove` },
  {
    name: 'remove-dialog',
    path: domainPath('live'),
    before: async (page) => {
      await page.locator('#menu > summary').click();
      await page.getByRole('link', { name: 'Remove', exact: true }).click();
      await page.locator('dialog').waitFor();
    },
  },
  {
    name: 'hand-over-links',
    path: domainPath('wrong-record'),
    before: async (page) => {
      await page.getByRole('button', { name: 'Create a link' }).click();
      await page.locator('#new-link').waitFor();
    },
  },
  {
    name: 'hand-over-page',
    path: domainPath('wrong-record'),
    before: async (page) => {
      await page.getByRole('button', { name: 'Create a link' }).click();
      await page.goto(new URL(await page.locator('#new-link').inputValue()).pathname);
    },
  },
  { name: 'plan', path: '/dashboard/plan' },
  { name: 'keys', path: '/dashboard/keys' },
  { name: 'help', path: '/dashboard/help' },
  { name: 'not-found', path: '/dashboard/projects/nothing' },
];

const windows = [
  { name: 'desk-light', colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { name: 'phone-dark', colorScheme: 'dark', viewport: { width: 390, height: 780 }, isMobile: true, hasTouch: true },
] as const;

describe.each(windows)('$name', ({ name: window, ...how }) => {
  it('a list says the same as the pages of its domains', async () => {
    const { page } = await browser.visit(how);
    await page.goto(shop);
    const list = await pageFacts(page);
    const found: string[] = [];
    for (const { hostname } of picturedDomains) {
      await page.goto(`${shop}/domains/${hostname}`);
      found.push(...differences(list, await pageFacts(page)));
    }
    expect(list.rows).toHaveLength(picturedDomains.length);
    expect(found).toEqual([]);
  }, 60_000);

  it.each(views)(
    '$name',
    async ({ name, path, before }) => {
      const visitor = await browser.visit(how);
      const { page } = visitor;
      await page.goto(path);
      await before?.(page);
      expect(contradictions(await pageFacts(page), { target })).toEqual([]);
      expect(await overhang(page)).toBe(0);
      await shot(page, `${name}-${window}`, { target });
    },
    60_000,
  );
});
