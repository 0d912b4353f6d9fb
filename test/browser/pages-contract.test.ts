import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { pages } from '../../src/dashboard/page-table.ts';
import type { Brand } from '../../src/dashboard/view-context.ts';
import type { Browsing } from '../support/browser.ts';
import { startBrowser } from '../support/browser.ts';
import type { DashboardInMemory } from '../support/dashboard-in-memory.ts';
import { startDashboardInMemory } from '../support/dashboard-in-memory.ts';
import { caseIssue, longHostname, putCase } from '../support/domain-cases.ts';
import type { InMemoryApi } from '../support/in-memory-api.ts';
import { createInMemoryApi } from '../support/in-memory-api.ts';
import { actionFaults } from '../support/one-action.ts';
import { presentation } from '../support/view-context.ts';

/**
 * The contract of every page beside that of a domain, in both browsers: one primary action where the customer can act, none
 * elsewhere. Fails when a page gets a second one, loses its own, or hides it below other things.
 */

const long = longHostname(253);
const brand: Brand = { ...presentation.brand, upgradeUrl: 'https://platform.example/upgrade' };

/** Accounts as pages show them, each in a dashboard of its own. */
const accounts = {
  business: (api: InMemoryApi) => {
    api.account('acme', 'business');
    putCase(api, { hostname: 'www.example.com', state: 'Live', reason: 'Routed' });
    api.project('acme', 'empty');
    api.put({
      apiVersion: 'projectdomain.io/v1alpha1',
      kind: 'Project',
      metadata: { name: 'new', namespace: 'acme' },
      spec: { service: { name: 'web', port: 80 }, subdomain: 'new' },
    });
    api.project('acme', 'moving');
    for (const hostname of [long, 'shop.example.com'])
      api.domain('acme', hostname, {
        spec: { project: 'moving', hostname, role: 'Redirect', redirect: { to: 'moving-acme.apps.example.net' } },
      });
    api.project('acme', 'full');
    for (let count = 0; count < 200; count += 1) {
      const hostname = `d${count}.full.example`;
      api.domain('acme', hostname, { spec: { project: 'full', hostname, role: 'Primary' } });
    }
    const issues = [caseIssue()];
    putCase(api, { hostname: 'waits.example.com', state: 'Unverified', reason: 'StrayAddress', issues });
  },
  free: (api: InMemoryApi) => void api.account('acme', 'free'),
  reader: (api: InMemoryApi) => {
    api.account('acme', 'business');
    const [own] = api.stores.apiKeys.list();
    api.put({ ...own, spec: { ...own?.spec, scopes: ['domains:read'] } });
  },
  nobody: (api: InMemoryApi) => {
    api.account('acme', 'business');
    const [own] = api.stores.projects.list();
    if (own) api.stores.projects.drop(own);
  },
} as const;

interface Scene {
  readonly account: keyof typeof accounts;
  /** of the page in page-table.ts; null for pages outside of it */
  readonly name: string | null;
  readonly path: string;
  /** what the primary action says; null where nobody can act */
  readonly action: string | null;
  readonly before?: (page: Page) => Promise<unknown>;
}

const moving = '/projects/moving/domains/shop.example.com';
const bulk = (label: string) => async (page: Page) => {
  await page.getByRole('checkbox', { name: 'Select shop.example.com' }).check();
  await page.locator('#bulk').getByRole('button', { name: label }).click();
  await page.locator('main form[action$="/confirm"]').waitFor();
};

const scenes: readonly Scene[] = [
  { account: 'business', name: null, path: '/sign-in', action: 'Sign in' },
  { account: 'business', name: 'dashboardProjects', path: '/projects', action: null },
  { account: 'nobody', name: 'dashboardProjects', path: '/projects', action: null },
  { account: 'business', name: 'dashboardDomains', path: '/projects/shop', action: 'Add domain' },
  { account: 'business', name: 'dashboardDomains', path: '/projects/shop?status=NeedsAction', action: 'Add domain' },
  { account: 'business', name: 'dashboardDomains', path: '/projects/moving', action: 'Add domain' },
  { account: 'business', name: 'dashboardDomains', path: '/projects/empty', action: 'Add domain' },
  { account: 'business', name: 'dashboardDomains', path: '/projects/new', action: 'Check again' },
  { account: 'business', name: 'dashboardDomains', path: '/projects/full', action: 'Upgrade your plan' },
  { account: 'free', name: 'dashboardDomains', path: '/projects/shop', action: 'Upgrade your plan' },
  { account: 'reader', name: 'dashboardDomains', path: '/projects/shop', action: null },
  {
    account: 'business',
    name: 'dashboardDomains',
    path: '/projects/empty',
    action: 'Add domain',
    before: async (page) => {
      await page.getByRole('textbox', { name: 'Domain name' }).fill(long);
      await page.getByText('More options').click();
    },
  },
  {
    account: 'business',
    name: 'dashboardDomains',
    path: '/projects/empty',
    action: 'Add domain',
    before: async (page) => {
      await page.getByRole('textbox', { name: 'Domain name' }).fill('co.uk');
      await page.getByRole('button', { name: 'Add domain' }).click();
      await page.getByRole('alert').first().waitFor();
    },
  },
  { account: 'business', name: null, path: '/projects/moving', action: 'Verify 1 domain', before: bulk('Verify') },
  { account: 'business', name: null, path: '/projects/moving', action: 'Remove 1 domain', before: bulk('Remove') },
  {
    account: 'business',
    name: 'dashboardSetUp',
    path: '/projects/shop/setup?hostname=waits.example.com&hostname=gone.example.com',
    action: 'Verify all',
  },
  { account: 'business', name: 'dashboardAskRemove', path: `${moving}/remove`, action: 'Remove shop.example.com' },
  {
    account: 'business',
    name: 'dashboardAskRemove',
    path: `/projects/moving/domains/${long}/remove`,
    action: 'Remove',
  },
  { account: 'business', name: 'dashboardAskPrimary', path: `${moving}/primary`, action: 'Make primary' },
  {
    account: 'business',
    name: 'dashboardAskPrimary',
    path: `/projects/moving/domains/${long}/primary`,
    action: 'Make primary',
  },
  { account: 'business', name: 'dashboardAskRedirect', path: `${moving}/redirect`, action: 'Save redirect' },
  {
    account: 'business',
    name: 'dashboardAskRedirect',
    path: `/projects/moving/domains/${long}/redirect`,
    action: 'Save redirect',
  },
  {
    account: 'business',
    name: null,
    path: '/projects/shop/domains/waits.example.com',
    action: 'Copy link',
    before: async (page) => {
      await page.locator('#create-link').click();
      await page.locator('#copy-link').waitFor();
    },
  },
  { account: 'business', name: 'dashboardPlan', path: '/plan', action: null },
  { account: 'free', name: 'dashboardPlan', path: '/plan', action: 'Upgrade your plan' },
  { account: 'business', name: 'dashboardKeys', path: '/keys', action: 'Create a key' },
  { account: 'reader', name: 'dashboardKeys', path: '/keys', action: null },
  {
    account: 'business',
    name: null,
    path: '/keys',
    action: 'Copy key',
    before: async (page) => {
      await page.getByRole('checkbox').first().check();
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.locator('#copy-key').waitFor();
    },
  },
  { account: 'business', name: 'dashboardHelp', path: '/help', action: null },
  { account: 'business', name: null, path: '/projects/nothing', action: 'Go to your projects' },
];

/** Pages that send on, and a stream; a domain's own page has domain-contract.test.ts. */
const elsewhere = ['dashboardEvents', 'dashboardDomain'];

let browser: Browsing;
const dashboards = new Map<string, DashboardInMemory>();

beforeAll(async () => {
  for (const [name, fill] of Object.entries(accounts)) {
    const api = createInMemoryApi();
    fill(api);
    dashboards.set(name, await startDashboardInMemory(api, brand));
  }
  browser = await startBrowser('http://127.0.0.1');
}, 120_000);

afterAll(async () => {
  await browser.close();
  for (const dashboard of dashboards.values()) dashboard.stop();
});

describe('one action', () => {
  it.each(scenes.map((scene, index) => [`${index} ${scene.account} ${scene.path.slice(0, 60)}`, scene] as const))(
    '%s',
    async (_, { account, path, action, before }) => {
      const { page, context } = await browser.visit();
      await page.goto(`${dashboards.get(account)?.url}/dashboard${path}`);
      await before?.(page);
      const shown = await page.locator('main .main:visible').allInnerTexts();
      expect(shown).toEqual(action === null ? [] : [action]);
      expect(await actionFaults(page, action !== null)).toEqual([]);
      await context.close();
    },
    60_000,
  );

  it('every page of the dashboard is among them', () => {
    const shown = pages.filter(({ method, name }) => method === 'get' && !name.endsWith('Address'));
    const missing = shown.filter(({ name }) => !scenes.some((scene) => scene.name === name));
    expect(missing.map(({ name }) => name).toSorted()).toEqual(elsewhere.toSorted());
  });
});
