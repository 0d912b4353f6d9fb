import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Browsing } from '../../support/browser.ts';
import { axe, overhang, startBrowser } from '../../support/browser.ts';
import { contradictions } from '../../support/contradictions.ts';
import type { DashboardInMemory } from '../../support/dashboard-in-memory.ts';
import { startDashboardInMemory } from '../../support/dashboard-in-memory.ts';
import { putCase } from '../../support/domain-cases.ts';
import type { InMemoryApi } from '../../support/in-memory-api.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';
import { actionFaults, themes } from '../../support/one-action.ts';
import { pageFacts } from '../../support/page-facts.ts';

/** Adding a domain with and without www leads to one page for both, in a browser; and so does choosing two on the list. */

const apex = 'shoes.example';
const www = `www.${apex}`;
let api: InMemoryApi;
let dashboard: DashboardInMemory;
let browser: Browsing;

beforeAll(async () => {
  api = createInMemoryApi();
  api.account('acme', 'business');
  for (const project of ['scripted', 'plain', 'wide']) api.project('acme', project);
  dashboard = await startDashboardInMemory(api);
  browser = await startBrowser(dashboard.url);
}, 120_000);

afterAll(async () => {
  await browser.close();
  dashboard.stop();
});

const names = (page: Page) => page.locator('.set-up li > a').allInnerTexts();

describe('adding a domain and its counterpart', () => {
  it.each([
    ['with script', 'scripted', {}],
    ['without script', 'plain', { javaScriptEnabled: false }],
  ] as const)(
    'leads to one page with the records of both, one Verify and a link to each, %s',
    async (_, project, options) => {
      const own = `${project}.example`;
      const { page } = await browser.visit(options);
      await page.goto(`/dashboard/projects/${project}`);
      await page.getByRole('textbox', { name: 'Domain name' }).fill(own);
      await page.getByRole('button', { name: 'Add domain' }).click();
      await page.getByRole('heading', { level: 1, name: 'Set up 2 domains' }).waitFor();
      expect(await names(page)).toEqual([own, `www.${own}`]);
      expect(await page.locator('table.records').count()).toBe(1);
      expect(await page.locator('table.records tr.group').count()).toBe(2);
      await page.getByRole('button', { name: 'Verify all' }).click();
      await page.getByRole('status').getByText('Check requested.').waitFor();
      expect(api.cluster.written).toEqual(expect.arrayContaining([`acme/${own}`, `acme/www.${own}`]));
      await page
        .locator('.set-up')
        .getByRole('link', { name: `www.${own}` })
        .click();
      await page.getByRole('heading', { level: 1, name: `www.${own}` }).waitFor();
      await page.getByRole('link', { name: /on one page$/ }).click();
      await page.getByRole('heading', { level: 1, name: 'Set up 2 domains' }).waitFor();
      expect(await browser.leave()).toEqual([]);
    },
    60_000,
  );
});

describe('the page of two that were chosen on the list', () => {
  it('shows both in every theme and width, each action in the first view, and nothing that axe finds', async () => {
    putCase(api, { hostname: apex, state: 'Unverified', reason: 'RecordMissing' });
    putCase(api, { hostname: www, state: 'Unverified', reason: 'RecordMissing' });
    const { page } = await browser.visit();
    await page.goto('/dashboard/projects/shop');
    for (const hostname of [apex, www])
      await page.getByRole('checkbox', { name: `Select ${hostname}`, exact: true }).check();
    await page.getByRole('button', { name: 'Show records' }).click();
    await page.getByRole('heading', { level: 1, name: 'Set up 2 domains' }).waitFor();
    expect(contradictions(await pageFacts(page))).toEqual([]);
    expect(await actionFaults(page, true)).toEqual([]);
    for (const colorScheme of themes)
      for (const width of [320, 1280]) {
        await page.setViewportSize({ width, height: 720 });
        await page.emulateMedia({ colorScheme });
        expect([width, colorScheme, await axe(page), await overhang(page)]).toEqual([width, colorScheme, [], 0]);
      }
    expect(await browser.leave()).toEqual([]);
  }, 60_000);

  it('shows what changes of either without loading the page again', async () => {
    putCase(api, { hostname: apex, state: 'Unverified', reason: 'RecordMissing' });
    putCase(api, { hostname: www, state: 'Unverified', reason: 'RecordMissing' });
    const { page } = await browser.visit();
    await page.goto(`/dashboard/projects/shop/setup?hostname=${apex}&hostname=${www}`);
    await page.getByText('This page updates itself').waitFor();
    await page.evaluate('window.sameDocument = true');
    putCase(api, { hostname: www, state: 'Live', reason: 'Routed' });
    await page.locator('.set-up .pill.live').waitFor();
    expect(await page.locator('.set-up .pill.live').count()).toBe(1);
    expect(await page.evaluate('window.sameDocument')).toBe(true);
    expect(await browser.leave()).toEqual([]);
  }, 60_000);
});
