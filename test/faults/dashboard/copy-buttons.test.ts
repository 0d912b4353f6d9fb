import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Browsing } from '../../support/browser.ts';
import { startBrowser } from '../../support/browser.ts';
import type { DashboardInMemory } from '../../support/dashboard-in-memory.ts';
import { startDashboardInMemory } from '../../support/dashboard-in-memory.ts';
import { waiting } from '../../support/handover.ts';
import type { InMemoryApi } from '../../support/in-memory-api.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';

/** Every button that copies, in a browser: it shows and announces that it did; and where it may not, what to copy is selected. */

const hostname = 'www.customer.example';
let api: InMemoryApi;
let dashboard: DashboardInMemory;
let browser: Browsing;

beforeAll(async () => {
  api = createInMemoryApi();
  api.account('acme', 'business');
  api.domain('acme', hostname, waiting('shop', hostname));
  dashboard = await startDashboardInMemory(api);
  browser = await startBrowser(dashboard.url);
}, 120_000);

afterEach(async () => expect(await browser.leave()).toEqual([]));

afterAll(async () => {
  await browser.close();
  dashboard.stop();
});

const domainPage = `/dashboard/projects/shop/domains/${hostname}`;

async function newLink(page: Page): Promise<void> {
  await page.goto(domainPage);
  await page.getByRole('button', { name: 'Create a link' }).click();
  await page.locator('#new-link').waitFor();
  const { uid = '' } = api.stores.domains.get({ namespace: 'acme', name: hostname })?.metadata ?? {};
  const [link] = await api.handoverLinks.list(uid);
  revoke = () => api.handoverLinks.revoke(uid, link?.id ?? '');
}
let revoke: () => Promise<unknown> = () => Promise.resolve();
afterEach(() => revoke());

const pages: readonly (readonly [string, (page: Page) => Promise<unknown>])[] = [
  ['a domain', (page) => page.goto(domainPage)],
  ['a new link', newLink],
  [
    'the records that a link shows',
    async (page) => {
      await newLink(page);
      await page.goto(new URL(await page.locator('#new-link').inputValue()).pathname);
    },
  ],
  [
    'a new key',
    async (page) => {
      await page.goto('/dashboard/keys');
      await page.locator('#create [name=scopes]').first().check();
      await page.locator('#create button').click();
      await page.locator('#copy-key').waitFor();
    },
  ],
];

/** What is selected, in the page or in a field of it; in a field no selection of the page tells. */
const selected = `(() => {
  const field = document.activeElement;
  return 'selectionStart' in field ? field.value.slice(field.selectionStart, field.selectionEnd) : getSelection().toString();
})()`;

describe.each(pages)('on the page of %s', (_, open) => {
  it('each button says that it copied, to people who look and to screen readers, and then what it copies', async () => {
    const { page, context } = await browser.visit();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.clock.install();
    await open(page);
    const buttons = await page.locator('[data-copy]').all();
    expect(buttons.length).toBeGreaterThan(0);
    for (const button of buttons) {
      const label = await button.innerText();
      const name = (await button.getAttribute('aria-label')) ?? label;
      // Twice: a button that is clicked while it says so has its own label again afterwards.
      for (const _again of [1, 2]) await button.click();
      await button.and(page.getByText('Copied ✓')).waitFor();
      expect(await page.locator('#announce').textContent()).toContain(`${name}: copied`);
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(await button.getAttribute('data-copy'));
      await page.clock.runFor(2_000);
      expect(await button.innerText()).toBe(label);
    }
  }, 60_000);

  it('where the browser refuses, each selects its text, and says so beside it and to screen readers', async () => {
    const { page } = await browser.visit();
    await page.addInitScript('navigator.clipboard.writeText = () => Promise.reject(new Error("refused"))');
    await open(page);
    for (const button of await page.locator('[data-copy]').all()) {
      await button.click();
      const note = page.locator('#copy-refused');
      await note.waitFor();
      expect(await page.evaluate(selected)).toBe(await button.getAttribute('data-copy'));
      expect(await note.innerText()).toContain('The text is selected');
      expect(await page.locator('#announce').textContent()).toContain('The text is selected');
      expect(await page.locator('#copy-refused').count()).toBe(1);
      expect(await page.getByText('Copied ✓').count()).toBe(0);
    }
  }, 60_000);
});
