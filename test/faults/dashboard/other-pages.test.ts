import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Brand } from '../../../src/dashboard/view-context.ts';
import type { Browsing } from '../../support/browser.ts';
import { axe, overhang, startBrowser } from '../../support/browser.ts';
import type { DashboardInMemory } from '../../support/dashboard-in-memory.ts';
import { startDashboardInMemory } from '../../support/dashboard-in-memory.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';

/** Projects, plan, keys, help and what goes wrong, in a browser: nothing overhangs, axe finds nothing, one action. */

const brand: Brand = {
  name: 'Acme Domains',
  supportUrl: 'mailto:help@acme.example',
  upgradeUrl: 'https://acme.example/upgrade',
  platformName: 'Acme',
  accentColour: { light: '#7a1fa2', dark: '#e0b0ff' },
};

let dashboard: DashboardInMemory;
let browser: Browsing;

beforeAll(async () => {
  const api = createInMemoryApi();
  api.account('acme', 'free');
  api.project('acme', 'a'.repeat(63));
  const [own] = api.stores.apiKeys.list();
  const spec = { ...own?.spec, displayName: 'A key with the longest name that a key may have, which is 64 c' };
  const status = { lastUsedAt: '2026-11-20T23:15:00Z', bannedUntil: '2126-11-21T12:00:00Z' };
  api.put({ ...own, metadata: { name: 'key-other' }, spec: { ...spec, keyId: 'other00000000000' }, status });
  dashboard = await startDashboardInMemory(api, brand);
  browser = await startBrowser(dashboard.url);
}, 120_000);

afterEach(async () => {
  expect(await browser.leave()).toEqual([]);
});

afterAll(async () => {
  await browser.close();
  dashboard.stop();
});

const paths = ['projects', 'plan', 'keys', 'help', 'sign-in', 'projects/nothing'];

const windows = [
  { width: 1280, height: 720 },
  { width: 390, height: 664 },
  { width: 320, height: 568 },
].flatMap((viewport) => (['light', 'dark'] as const).map((colorScheme) => ({ viewport, colorScheme })));

interface Action {
  readonly words: number;
  readonly bottom: number;
  readonly href: string | null;
}

/** Every primary action of the page: how many words come before it, where it ends, and where it leads. */
const actionsOf = (page: Page): Promise<readonly Action[]> =>
  page.evaluate(`[...document.querySelectorAll('main .main')].map((action) => {
    const before = document.createRange();
    before.setStart(document.querySelector('main'), 0);
    before.setEndBefore(action);
    const words = before.toString().split(/\\s+/).filter(Boolean).length;
    return { words, bottom: action.getBoundingClientRect().bottom, href: action.getAttribute('href') };
  })`);

describe.each(windows)('$viewport.width × $viewport.height, $colorScheme', ({ viewport, colorScheme }) => {
  it('every page is accessible and as wide as its window', async () => {
    const { page } = await browser.visit({ viewport, colorScheme });
    const found: string[] = [];
    for (const path of paths) {
      await page.goto(`${dashboard.url}/dashboard/${path}`);
      const faults = [...(await axe(page)), ...((await overhang(page)) > 0 ? ['too wide'] : [])];
      found.push(...faults.map((fault) => `${path}: ${fault}`));
    }
    expect(found).toEqual([]);
  }, 60_000);

  it('the plan Free has one action, in the first view: the upgrade', async () => {
    const { page } = await browser.visit({ viewport, colorScheme });
    await page.goto(`${dashboard.url}/dashboard/plan`);
    const actions = await actionsOf(page);
    expect(actions.map(({ href }) => href)).toEqual([brand.upgradeUrl]);
    for (const { words, bottom } of actions) {
      expect(words).toBeLessThanOrEqual(40);
      expect(bottom).toBeLessThanOrEqual(viewport.height);
    }
  });
});

describe('colours of the brand', () => {
  it.each([
    ['light', 'rgb(122, 31, 162)'],
    ['dark', 'rgb(224, 176, 255)'],
  ] as const)('are those of the page in the %s theme', async (colorScheme, expected) => {
    const { page } = await browser.visit({ colorScheme });
    await page.goto(`${dashboard.url}/dashboard/plan`);
    const colour = await page.evaluate("getComputedStyle(document.querySelector('#upgrade')).backgroundColor");
    expect(colour).toBe(expected);
  });
});

describe('times', () => {
  it('are those of the visitor, with UTC as a tooltip', async () => {
    const { page } = await browser.visit({ timezoneId: 'Asia/Tokyo' });
    await page.goto(`${dashboard.url}/dashboard/keys`);
    const used = page.locator('time[datetime="2026-11-20T23:15:00Z"]');
    expect(await used.innerText()).toMatch(/^(?:Nov 21(?:, 2026)? at 8:15\sAM|21 Nov(?: 2026)? at 08:15)$/);
    expect(await used.getAttribute('title')).toBe('20 Nov 2026, 23:15 UTC');
  });

  it('are in UTC without script', async () => {
    const { page } = await browser.visit({ timezoneId: 'Asia/Tokyo', javaScriptEnabled: false });
    await page.goto(`${dashboard.url}/dashboard/keys`);
    const used = page.locator('time[datetime="2026-11-20T23:15:00Z"]');
    expect(await used.innerText()).toBe('20 Nov 2026, 23:15 UTC');
  });
});
