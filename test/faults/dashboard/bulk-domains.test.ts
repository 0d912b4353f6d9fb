import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, expectThat } from '../../../dev/lib/eventually.ts';
import type { Locator, Page } from 'playwright-core';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import type { Browsing } from '../../support/browser.ts';
import { axe, overhang, startBrowser } from '../../support/browser.ts';
import type { DashboardInMemory } from '../../support/dashboard-in-memory.ts';
import { startDashboardInMemory } from '../../support/dashboard-in-memory.ts';
import { putCase } from '../../support/domain-cases.ts';
import type { InMemoryApi } from '../../support/in-memory-api.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';

/** What can be done from the list of domains, in a browser: with one by its menu, with several by their boxes. */

let api: InMemoryApi;
let dashboard: DashboardInMemory;
let browser: Browsing;

beforeAll(async () => {
  api = createInMemoryApi();
  api.account('acme', 'business');
  for (const project of ['mouse', 'plain', 'keys', 'wide', 'quick', 'menus']) api.project('acme', project);
  for (const letter of ['a', 'b']) add('keys', `${letter}.keys.example`);
  for (const letter of 'aefghijk') add('wide', longest(letter));
  // A redirect that is served has all that a menu can offer.
  for (const letter of 'abcd') {
    const hostname = `${letter}.menus.example`;
    putCase(api, { hostname, state: 'Live', reason: 'Live', spec: redirecting('menus', hostname) });
  }
  dashboard = await startDashboardInMemory(api);
  browser = await startBrowser(dashboard.url);
}, 120_000);

afterAll(async () => {
  await browser.close();
  dashboard.stop();
});

const redirecting = (project: string, hostname: string): ProjectDomain['spec'] => ({
  ...{ project, hostname, role: 'Redirect' },
  redirect: { to: `${project}-acme.apps.example.net` },
});

const add = (project: string, hostname: string) =>
  api.domain('acme', hostname, { spec: redirecting(project, hostname) });

const longest = (letter: string) => `${letter.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(57)}.com`;

const exists = (hostname: string) => api.stores.domains.get({ namespace: 'acme', name: hostname }) !== undefined;

async function openList(project: string, options = {}): Promise<Page> {
  const { page } = await browser.visit(options);
  await page.goto(`${dashboard.url}/dashboard/projects/${project}`);
  return page;
}

const table = (page: Page) => page.getByRole('table', { name: 'Domains' });
const select = (page: Page, hostname: string) => page.getByRole('checkbox', { name: `Select ${hostname}` });
const bulk = (page: Page, name: string) => page.locator('#bulk').getByRole('button', { name });

/** Selects a and b of a, b and c, and removes them. */
async function removeTwo(page: Page, project: string): Promise<void> {
  const name = (letter: string) => `${letter}.${project}.example`;
  for (const letter of ['a', 'b']) await select(page, name(letter)).check();
  await bulk(page, 'Remove').click();
  await page.getByRole('heading', { level: 1, name: 'Remove 2 domains?' }).waitFor();
  expect(exists(name('a'))).toBe(true);
  await page.getByRole('button', { name: 'Remove 2 domains' }).click();
  await page.getByRole('heading', { level: 1, name: '2 domains are being removed' }).waitFor();
  await page.getByRole('link', { name: 'Back to your domains' }).click();
  await table(page)
    .getByRole('link', { name: name('c') })
    .waitFor();
  expect([exists(name('a')), exists(name('b')), exists(name('c'))]).toEqual([false, false, true]);
  expect(await table(page).getByRole('row').count()).toBe(2);
}

describe('several domains', () => {
  it.each([
    ['with script', 'mouse', {}],
    ['without script', 'plain', { javaScriptEnabled: false }],
  ] as const)(
    'are removed after a question that removes nothing yet, %s',
    async (_, project, options) => {
      for (const letter of ['a', 'b', 'c']) add(project, `${letter}.${project}.example`);
      await removeTwo(await openList(project, options), project);
      expect(await browser.leave()).toEqual([]);
    },
    60_000,
  );

  it('are selected all at once, and verified', async () => {
    for (const letter of ['x', 'y']) add('quick', `${letter}.quick.example`);
    const page = await openList('quick');
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await bulk(page, 'Verify').click();
    await page.getByRole('button', { name: 'Verify 2 domains' }).click();
    await page.getByRole('heading', { level: 1, name: '2 domains are being checked' }).waitFor();
    expect(api.cluster.written.toSorted()).toEqual(
      expect.arrayContaining(['acme/x.quick.example', 'acme/y.quick.example']),
    );
    expect(await browser.leave()).toEqual([]);
  }, 60_000);
});

/** Presses Tab until the wanted element has the focus. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    await page.keyboard.press('Tab');
    if ((await wanted.isVisible()) && (await wanted.evaluate(isFocused))) return;
  }
  throw new Error(`Tab never comes to ${String(wanted)}`);
}

const toLowerEdge = (element: unknown): void =>
  (element as { scrollIntoView(how: object): void }).scrollIntoView({ block: 'end' });

const isFocused = (element: unknown): boolean =>
  (element as { readonly ownerDocument: { readonly activeElement: unknown } }).ownerDocument.activeElement === element;

describe('the menu of a row', () => {
  it('opens, closes and acts by the keyboard alone', async () => {
    const page = await openList('keys');
    const menu = page.getByLabel('Actions for a.keys.example');
    const remove = page.locator('[id="row-a.keys.example"]').getByRole('link', { name: 'Remove' });
    await tabTo(page, menu);
    await page.keyboard.press('Enter');
    await remove.waitFor();
    await tabTo(page, remove);
    await page.keyboard.press('Escape');
    await remove.waitFor({ state: 'hidden' });
    expect(await menu.evaluate(isFocused)).toBe(true);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'a.keys.example' }).waitFor();
    expect(api.cluster.written).toContain('acme/a.keys.example');
    expect(await browser.leave()).toEqual([]);
  }, 60_000);

  it.each([
    ['the first', 0, 1280],
    ['the last', -1, 1280],
    ['the last', -1, 320],
  ])(
    'is whole in the window where it is that of %s row (%d), %d pixels wide',
    async (_, row, width) => {
      const page = await openList('wide', { viewport: { width, height: 720 } });
      const menu = page.locator('.domains summary').nth(row);
      // At the lower edge of the window, where nothing below it is seen.
      await menu.evaluate(toLowerEdge);
      await menu.click();
      // It opens below its button, and upwards once the page is told that it is open.
      await eventually('the menu is whole in the window', 10_000, async () => {
        const box = await page.locator('.domains details[open] ul').boundingBox();
        expectThat(
          box !== null && box.y >= 0 && box.y + box.height <= 720 && box.x >= 0 && box.x + box.width <= width,
          JSON.stringify(box),
        );
      });
      await page.locator('.domains details[open]').getByRole('link', { name: 'Remove' }).click({ trial: true });
      expect(await browser.leave()).toEqual([]);
    },
    60_000,
  );

  // Fails when a menu lies over part of what another row offers, as nobody can be sure of hitting the rest.
  it.each([1280, 800, 320])(
    'leaves what the other rows offer whole, %d pixels wide',
    async (width) => {
      const page = await openList('menus', { viewport: { width, height: 720 } });
      const menus = await page.locator('.domains summary').all();
      expect(menus).toHaveLength(4);
      for (const menu of menus) {
        await menu.press('Enter');
        expect(await page.locator('.domains details[open] :is(a, button)').count()).toBe(4);
        expect([await overhang(page), await axe(page)]).toEqual([0, []]);
      }
      expect(await browser.leave()).toEqual([]);
    },
    60_000,
  );

  it('is the only one that is open', async () => {
    const page = await openList('keys');
    // By the keyboard, as an open menu lies over another row's.
    for (const letter of ['b', 'a']) await page.getByLabel(`Actions for ${letter}.keys.example`).press('Enter');
    expect(await page.locator('.domains details[open]').count()).toBe(1);
    await page.getByRole('heading', { level: 1 }).click();
    expect(await page.locator('.domains details[open]').count()).toBe(0);
    expect(await browser.leave()).toEqual([]);
  }, 60_000);
});

describe('the list with the longest hostnames', () => {
  it.each([
    ['a desk', 'light', { width: 1280, height: 720 }],
    ['a desk', 'dark', { width: 1280, height: 720 }],
    ['a small phone', 'light', { width: 320, height: 568 }],
    ['a small phone', 'dark', { width: 320, height: 568 }],
  ] as const)(
    'overhangs nothing on %s (%s), also with a menu open and on the page of several',
    async (_, colorScheme, viewport) => {
      const page = await openList('wide', { viewport, colorScheme });
      expect([await overhang(page), await axe(page)]).toEqual([0, []]);
      await page.getByLabel(`Actions for ${longest('a')}`).click();
      expect([await overhang(page), await axe(page)]).toEqual([0, []]);
      await select(page, longest('a')).check();
      await bulk(page, 'Remove').click();
      await page.getByRole('heading', { level: 1, name: 'Remove 1 domain?' }).waitFor();
      expect([await overhang(page), await axe(page)]).toEqual([0, []]);
      const primary = page.locator('.main:visible');
      expect(await primary.count()).toBe(1);
      const box = await primary.boundingBox();
      expect(box !== null && box.y + box.height <= viewport.height).toBe(true);
      expect(await browser.leave()).toEqual([]);
    },
    60_000,
  );
});

describe('search and filter', () => {
  it('work without script, and name what is looked for', async () => {
    const page = await openList('wide', { javaScriptEnabled: false });
    await page.getByRole('searchbox', { name: 'Search domains' }).fill('EEEE');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForLoadState();
    expect(await table(page).getByRole('row').count()).toBe(2);
    expect(await page.getByRole('searchbox').inputValue()).toBe('eeee');
    await page.getByRole('link', { name: /^Live/ }).click();
    expect(new URL(page.url()).search).toBe('?status=Live&q=eeee');
    expect(await browser.leave()).toEqual([]);
  }, 60_000);
});

/** A script that clicks, and tells what is seen in the frame that is painted next. */
const seenByNextPaint = (selector: string, seen: string): string => `new Promise((resolve) => {
  document.querySelector('${selector}').click();
  requestAnimationFrame(() => resolve(${seen}));
})`;

// Would fail if either waited for a timer, a request or a later frame before it showed anything.
describe('by the next paint after a click', () => {
  it('a menu is open, and all of a full page are selected', async () => {
    for (let index = 0; index < 40; index += 1) add('shop', `d${index}.example.com`);
    const page = await openList('shop');
    const isOpen = `document.querySelector('.domains details').open`;
    const selected = `document.querySelectorAll('.domains tbody input:checked').length`;
    expect(await page.evaluate(seenByNextPaint('.domains summary', isOpen))).toBe(true);
    expect(await page.evaluate(seenByNextPaint('#all', selected))).toBe(40);
  }, 60_000);
});
