import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Limiter } from '../../../src/quota/quota-port.ts';
import type { Browsing } from '../../support/browser.ts';
import { startBrowser } from '../../support/browser.ts';
import type { DashboardInMemory } from '../../support/dashboard-in-memory.ts';
import { startDashboardInMemory } from '../../support/dashboard-in-memory.ts';
import { putCase } from '../../support/domain-cases.ts';
import { fromNow } from '../../support/from-now.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';

/** Times as the visitor says them, and buttons that wait for one after a refusal. */

let dashboard: DashboardInMemory;
let browser: Browsing;
let refused = false;

const retryAfter = 30;
const limiter: Limiter = {
  recall: () => null,
  decide: () => {
    const now = fromNow(0);
    const minute = { limit: 120, remaining: refused ? 0 : 100, resetsAtMs: now + retryAfter * 1_000 };
    const common = {
      now,
      minute,
      day: minute,
      binding: 'minute',
      ban: null,
      banBegins: false,
      degraded: false,
    } as const;
    return Promise.resolve(
      refused ? { ...common, kind: 'limited', retryAfter } : { ...common, kind: 'allowed', retryAfter: null },
    );
  },
  close: () => Promise.resolve(),
};

const here = '/dashboard/projects/shop/domains/www.example.com';

beforeAll(async () => {
  const memory = createInMemoryApi();
  const api = { ...memory, dependencies: { ...memory.dependencies, limiter } };
  api.account('acme', 'business');
  putCase(api, { state: 'Unverified', reason: 'RecordMissing' });
  putCase(api, { state: 'Unverified', reason: 'RecordMissing', hostname: 'xn--mnchen-3ya.example.com' });
  dashboard = await startDashboardInMemory(api);
  browser = await startBrowser(dashboard.url);
}, 120_000);

beforeEach(() => {
  refused = false;
});

afterEach(async () => {
  expect(await browser.leave()).toEqual([]);
});

afterAll(async () => {
  await browser.close();
  dashboard.stop();
});

/** What the page's script says of a time; ICU writes a narrow space before "PM". */
const phrased = async (page: Page, at: string, form: string): Promise<unknown> =>
  page.evaluate(
    `import(document.querySelector('script[src*="/dashboard.js"]').src).then(({ phrase }) => phrase(new Date('${at}'), '${form}').replaceAll('\\u202f', ' '))`,
  );

describe('a time', () => {
  it.each<[string, readonly (readonly [at: string, form: string, expected: string])[]]>([
    [
      'en-US',
      [
        ['2026-11-20T10:03:00Z', 'at', 'in 3 minutes'],
        ['2026-11-20T10:00:20Z', 'at', 'in 1 minute'],
        ['2026-11-20T09:59:30Z', 'alone', 'just now'],
        ['2026-11-20T09:55:00Z', 'alone', '5 minutes ago'],
        ['2026-11-20T10:03:00Z', 'until', '5:03 AM'],
        ['2026-11-21T00:00:00Z', 'at', 'at 7:00 PM'],
        ['2026-11-21T00:00:00Z', 'until', '7:00 PM'],
        ['2026-11-21T00:00:00Z', 'alone', 'today at 7:00 PM'],
        ['2026-11-22T00:00:00Z', 'at', 'tomorrow at 7:00 PM'],
        ['2026-11-20T00:00:00Z', 'at', 'yesterday at 7:00 PM'],
        ['2026-11-29T06:45:00Z', 'at', 'on Nov 29 at 1:45 AM'],
        ['2026-11-29T06:45:00Z', 'until', 'Nov 29 at 1:45 AM'],
        ['2027-01-02T06:45:00Z', 'at', 'on Jan 2, 2027 at 1:45 AM'],
        ['2026-11-20T06:48:07Z', 'exact', 'at 1:48:07 AM'],
      ],
    ],
    ['en-GB', [['2026-11-29T06:45:00Z', 'at', 'on 29 Nov at 01:45']]],
    // The page is in English, so its times are, too.
    ['de-DE', [['2026-11-29T06:45:00Z', 'at', 'on 29 Nov at 01:45']]],
  ])('is said as a visitor with %s says it', async (locale, cases) => {
    const { page } = await browser.visit({ timezoneId: 'America/New_York', locale });
    await page.clock.setFixedTime('2026-11-20T10:00:00Z');
    await page.goto('/dashboard/help');
    const said: unknown[] = [];
    for (const [at, form] of cases) said.push([at, form, await phrased(page, at, form)]);
    expect(said).toEqual(cases);
  });

  it('is told anew while the page stays open, and its tooltip is whole', async () => {
    const { page } = await browser.visit({ timezoneId: 'America/New_York' });
    await page.clock.install({ time: '2026-11-20T08:17:30Z' });
    await page.goto(here);
    const added = page.locator('#timeline time').first();
    expect(await added.innerText()).toBe('2 minutes ago');
    expect(await added.getAttribute('title')).toBe('20 Nov 2026, 08:15 UTC');
    await page.clock.runFor(120_000);
    expect(await added.innerText()).toBe('4 minutes ago');
  });
});

describe('a domain of other letters', () => {
  it('is written in them beside its A-labels, on its page and in the list', async () => {
    const { page } = await browser.visit();
    const both = 'münchen.example.com (xn--mnchen-3ya.example.com)';
    await page.goto('/dashboard/projects/shop/domains/xn--mnchen-3ya.example.com');
    expect(await page.locator('h1').innerText()).toBe(both);
    expect(await page.title()).toContain(both);
    await page.goto('/dashboard/projects/shop');
    await page.getByRole('link', { name: both }).waitFor();
  });
});

describe('after a refusal', () => {
  it('buttons wait on this page and on the next ones, say until when, and work again', async () => {
    const { page, expectFaults } = await browser.visit();
    // The stream of the page may begin while requests are refused.
    expectFaults(/429.*events/);
    await page.clock.install();
    await page.goto(here);
    refused = true;
    await page.locator('#verify').click();
    await page.getByText('Try again in 30 seconds. Your plan and usage stay open.').waitFor();
    const retry = page.locator('#retry');
    expect([await retry.innerText(), await retry.isDisabled()]).toEqual(['Try again in 1 minute', true]);
    refused = false;
    await page.goto(here);
    const verify = page.locator('#verify');
    expect([await verify.innerText(), await verify.isDisabled()]).toEqual(['Verify in 1 minute', true]);
    expect(await page.getByRole('button', { name: 'Sign out' }).isEnabled()).toBe(true);
    await page.clock.runFor(retryAfter * 1_000 + 1_000);
    expect([(await verify.innerText()).trim(), await verify.isDisabled()]).toEqual(['Verify', false]);
  }, 60_000);

  it('the refused page tries again by its button, once that is worth it', async () => {
    const { page } = await browser.visit();
    await page.clock.install();
    refused = true;
    await page.goto(here);
    refused = false;
    await page.clock.runFor(retryAfter * 1_000 + 1_000);
    await page.getByRole('button', { name: 'Try again', exact: true }).click();
    await page.locator('#verify').waitFor();
  }, 60_000);

  it('a sentence says it without scripts, and nothing is there that cannot be pressed', async () => {
    const { page } = await browser.visit({ javaScriptEnabled: false });
    refused = true;
    await page.goto(here);
    await page.getByText('Try again in 30 seconds.').waitFor();
    expect(await page.locator('#retry').isHidden()).toBe(true);
  });
});

describe('a double click', () => {
  it('sends once', async () => {
    const { page } = await browser.visit();
    await page.goto(here);
    const sent: string[] = [];
    await page.route('**/verify', (route) => {
      sent.push(route.request().method());
      return route.fulfill({ status: 204 });
    });
    await page.evaluate("{ const button = document.querySelector('#verify'); button.click(); button.click(); }");
    await page.getByText('Working…').first().waitFor();
    expect(sent).toEqual(['POST']);
  }, 60_000);
});
