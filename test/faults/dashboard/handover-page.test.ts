import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Browsing } from '../../support/browser.ts';
import { axe, overhang, startBrowser } from '../../support/browser.ts';
import type { DashboardOnStores } from '../../support/dashboard-on-stores.ts';
import { startDashboardOnStores } from '../../support/dashboard-on-stores.ts';
import { makeLink, waiting } from '../../support/handover.ts';
import type { InMemoryApi } from '../../support/in-memory-api.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';

/** The page of a hand-over link in a real browser: what to do is seen at once, and the ticks come without a reload. */

const short = 'www.customer.example';
const label = (letter: string) => letter.repeat(63);
const long = `${label('a')}.${label('b')}.${label('c')}.${'d'.repeat(44)}.customer.example`;
let api: InMemoryApi;
let key: string;
let dashboard: DashboardOnStores;
let browser: Browsing;

beforeAll(async () => {
  api = createInMemoryApi();
  key = api.account('acme', 'business');
  dashboard = await startDashboardOnStores(api);
  browser = await startBrowser(dashboard.url);
}, 120_000);

afterEach(async () => expect(await browser.leave()).toEqual([]));

afterAll(async () => {
  await browser.close();
  await dashboard.stop();
});

const record = async (path: string, hostname: string) => {
  const { body } = await fetch(dashboard.url + path).then(async (answer) => ({ body: await answer.text() }));
  const value = /data-copy="(p-[^"]*)"/.exec(body)?.[1] ?? '';
  const name = hostname.replace('.customer.example', '');
  return { type: 'CNAME', name, fqdn: hostname, value, ttl: 3600, found: [] };
};

/** Puts the domain into one of its states, as the operator would. */
async function become(path: string, hostname: string, change: 'missing' | 'only to delete' | 'spreading' | 'done') {
  const domain = api.stores.domains.get({ namespace: 'acme', name: hostname });
  const statuses = { missing: 'Missing', 'only to delete': 'Found', spreading: 'Stale', done: 'Found' } as const;
  const all = waiting('shop', hostname).status.issues;
  const deletions = all.map((issue) => ({ ...issue, create: [] }));
  const issues = { missing: all, 'only to delete': deletions, spreading: [], done: [] }[change];
  const one = { ...(await record(path, hostname)), status: statuses[change] };
  api.put({ ...domain, status: { ...domain?.status, issues, records: [one] } });
}

async function linkTo(hostname: string): Promise<string> {
  api.domain('acme', hostname, waiting('shop', hostname));
  await revokeAll(hostname);
  return (await makeLink(api, key, hostname)).path;
}

async function revokeAll(hostname: string): Promise<void> {
  const { uid = '' } = api.stores.domains.get({ namespace: 'acme', name: hostname })?.metadata ?? {};
  for (const { id } of await api.handoverLinks.list(uid)) await api.handoverLinks.revoke(uid, id);
}

const main = (page: Page) => page.locator('main :is(button, a).main:visible');

const wordsBefore = (page: Page): Promise<number> =>
  page.evaluate(`(() => {
    const range = document.createRange();
    range.setStart(document.querySelector('main'), 0);
    range.setEndBefore(document.querySelector('main .main'));
    return range.toString().split(/\\s+/).filter(Boolean).length;
  })()`);

const sizes = [
  { width: 1280, height: 720 },
  { width: 390, height: 664 },
  { width: 320, height: 568 },
];
const looks = sizes.flatMap((viewport) =>
  (['light', 'dark'] as const).flatMap((colorScheme) => [
    ['a short name', viewport.width, colorScheme, viewport, short] as const,
    ['a name of 253 characters', viewport.width, colorScheme, viewport, long] as const,
  ]),
);

describe('the page of a link', () => {
  it.each(looks)(
    'for %s shows its one action in the first view, %d pixels wide and %s',
    async (_, __, colorScheme, viewport, hostname) => {
      const path = await linkTo(hostname);
      await become(path, hostname, 'missing');
      const { page } = await browser.visit({ viewport, colorScheme });
      await page.goto(path);
      expect(await main(page).count()).toBe(1);
      expect(await main(page).textContent()).toContain('Copy name');
      const box = await main(page).boundingBox();
      expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThanOrEqual(viewport.height);
      expect(await wordsBefore(page)).toBeLessThanOrEqual(40);
      expect(await overhang(page)).toBe(0);
      expect(await axe(page)).toEqual([]);
    },
    60_000,
  );

  it.each([
    ['only to delete', 'Check again'],
    ['spreading', null],
    ['done', null],
  ] as const)(
    'has the one action that helps when it is %s: %s',
    async (change, action) => {
      const path = await linkTo(short);
      await become(path, short, change);
      const { page } = await browser.visit();
      await page.goto(path);
      expect(await main(page).count()).toBe(action === null ? 0 : 1);
      if (action !== null) expect(await main(page).textContent()).toBe(action);
      expect(await axe(page)).toEqual([]);
    },
    60_000,
  );

  it('ticks a record without a reload, tells it, and keeps the focus', async () => {
    const path = await linkTo(short);
    await become(path, short, 'missing');
    const { page } = await browser.visit();
    await page.clock.install();
    await page.goto(path);
    await page.locator('#record-0-copy-value').focus();
    await page.evaluate('window.sameDocument = true');
    const summary = await page.locator('#records-summary').elementHandle();
    await become(path, short, 'done');
    await page.clock.runFor(15_000);
    await page.getByText('Everything is in place').waitFor();
    expect(await page.locator('#record-0 .record-status').textContent()).toBe('Found');
    expect(await summary?.textContent()).toContain('Everything is in place');
    expect(await page.evaluate('document.activeElement?.id')).toBe('record-0-copy-value');
    expect(await page.evaluate('window.sameDocument')).toBe(true);
  }, 60_000);

  it('asks no more after an hour, and again when it is told to', async () => {
    const path = await linkTo(short);
    const { page } = await browser.visit();
    // Counted where the clock is: the browser tells of a request when it gets to it, on a busy machine after minutes of that clock.
    await page.addInitScript(
      'const sent = window.fetch; window.asked = 0; window.fetch = (...of) => (window.asked++, sent(...of));',
    );
    const asked = () => page.evaluate<number>('window.asked');
    await page.clock.install();
    await page.goto(path);
    const answered = page.waitForResponse((response) => response.url().endsWith(path));
    await page.clock.runFor(15_000);
    await answered;
    expect(await asked()).toBe(1);
    await page.clock.fastForward(3_600_000);
    const atTheEnd = await asked();
    expect(atTheEnd).toBeLessThanOrEqual(2);
    await page.clock.runFor(600_000);
    expect(await asked()).toBe(atTheEnd);
    const again = page.waitForRequest((request) => request.isNavigationRequest() && request.url().endsWith(path));
    await page.getByRole('link', { name: 'Check again' }).click();
    await again;
  }, 60_000);

  it('says that the link does not work as soon as it is revoked', async () => {
    const path = await linkTo(short);
    const { page, expectFaults } = await browser.visit();
    expectFaults(/404/);
    await page.clock.install();
    await page.goto(path);
    await revokeAll(short);
    await page.clock.runFor(15_000);
    await page.getByRole('heading', { name: 'This link doesn’t work' }).waitFor();
    expect(await main(page).count()).toBe(0);
    expect(await axe(page)).toEqual([]);
  }, 60_000);

  it('works without script: everything is text, and a link asks again', async () => {
    const path = await linkTo(short);
    await become(path, short, 'missing');
    const { page } = await browser.visit({ javaScriptEnabled: false });
    await page.goto(path);
    expect(await page.getByRole('button').count()).toBe(0);
    await become(path, short, 'done');
    await page.getByRole('link', { name: 'Check again' }).click();
    await page.getByText('Everything is in place').waitFor();
  }, 60_000);

  it('copies what its buttons name', async () => {
    const path = await linkTo(short);
    await become(path, short, 'missing');
    const { page, context } = await browser.visit();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(path);
    const { name, value } = await record(path, short);
    for (const [button, copied] of [
      ['#record-0-copy-value', value],
      ['#record-0-copy-name', name],
      ['#record-1-copy-value', '0 issue "letsencrypt.org"'],
    ] as const) {
      await page.locator(button).click();
      await page.locator(`${button}.copied`).waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(copied);
    }
  }, 60_000);
});
