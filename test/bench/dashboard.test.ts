import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Browsing } from '../support/browser.ts';
import { startBrowser } from '../support/browser.ts';
import type { DashboardInMemory } from '../support/dashboard-in-memory.ts';
import { startDashboardInMemory } from '../support/dashboard-in-memory.ts';
import { createInMemoryApi } from '../support/in-memory-api.ts';
import { startStopwatch } from './stopwatch.ts';

/** Figures of the dashboard in Chromium over an API in memory: `npm run bench:dashboard`. */

let dashboard: DashboardInMemory;
let browser: Browsing;
const many = 200;
const shop = '/dashboard/projects/shop';
const nameOf = (index: number) => `shop-${String(index).padStart(3, '0')}.example.com`;

beforeAll(async () => {
  const api = createInMemoryApi();
  api.account('acme', 'business');
  api.project('acme', 'empty');
  for (let index = 0; index < many - 1; index += 1) api.domain('acme', nameOf(index));
  dashboard = await startDashboardInMemory(api);
  browser = await startBrowser(dashboard.url);
}, 120_000);

afterAll(async () => {
  await browser.close();
  dashboard.stop();
});

const print = (text: string): void => void process.stderr.write(`${text}\n`);

describe('two hundred domains', () => {
  it('need 60 kB at most for a first view', async () => {
    const { page } = await browser.visit();
    const sizes: Promise<readonly [string, number]>[] = [];
    page.on('requestfinished', (request) => {
      if (request.url().includes('/events')) return;
      sizes.push(request.sizes().then(({ responseBodySize }) => [new URL(request.url()).pathname, responseBodySize]));
    });
    await page.goto(shop, { waitUntil: 'load' });
    const parts = await Promise.all(sizes);
    const total = parts.reduce((sum, [, size]) => sum + size, 0);
    print(`first view: ${total} bytes transferred`);
    for (const [path, size] of parts) print(`  ${path}: ${size}`);
    expect(total).toBeLessThan(60_000);
    expect(parts.length).toBeGreaterThan(3);
  });
});

/** Every event that people cause, with the time from it to the paint that shows its effect; milliseconds. */
const observe = `(() => {
  window.paints = [];
  new PerformanceObserver((list) => window.paints.push(...list.getEntries()
    .filter(({ interactionId }) => interactionId > 0).map(({ name, duration }) => name + ' ' + duration)))
    .observe({ type: 'event', durationThreshold: 16, buffered: true });
})()`;

/** The browser tells of an event once its effect was painted, some frames later. */
const framesLater = `(async () => {
  for (let frame = 0; frame < 30; frame += 1) await new Promise(requestAnimationFrame);
})()`;

const interactions: readonly (readonly [string, string, (page: Page) => Promise<void>])[] = [
  ['typing a hostname', shop, (page) => page.locator('#hostname').pressSequentially('new.example.com', { delay: 60 })],
  ['opening a menu', shop, (page) => page.locator('#domains summary').first().click()],
  ['selecting all', shop, (page) => page.locator('#all').click()],
  ['copying a value', `${shop}/domains/${nameOf(1)}`, (page) => page.locator('#copy-value-0').click()],
  ['opening the actions', `${shop}/domains/${nameOf(1)}`, (page) => page.locator('#menu > summary').click()],
];

describe('from an interaction to its paint', () => {
  it.each(interactions)('%s', async (name, path, act) => {
    const { page } = await browser.visit({ permissions: ['clipboard-read', 'clipboard-write'] });
    await page.goto(path, { waitUntil: 'load' });
    await page.evaluate(observe);
    await act(page);
    await page.evaluate(framesLater);
    const found = await page.evaluate<readonly string[]>('window.paints');
    const longest = Math.max(0, ...found.map((text) => Number(text.split(' ')[1])));
    print(`${name}: ${longest === 0 ? 'under 16' : longest} ms at most (${found.length} slow enough to be timed)`);
    expect(await page.evaluate('PerformanceObserver.supportedEntryTypes.includes("event")')).toBe(true);
  });
});

describe('the look at DNS while somebody types', () => {
  it('comes after the last key', async () => {
    const { page } = await browser.visit();
    await page.goto('/dashboard/projects/empty', { waitUntil: 'load' });
    await page.locator('#hostname').pressSequentially('new.example.com', { delay: 60 });
    const watch = startStopwatch();
    await page.getByRole('region', { name: 'What we found in DNS' }).waitFor();
    print(`look at DNS: ${Math.round(watch.ms())} ms after the last key, where DNS answers at once`);
  });
});
