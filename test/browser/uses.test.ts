import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { eventually, expectThat } from '../../dev/lib/eventually.ts';
import { restClient } from '../../dev/lib/rest.ts';
import { platformDeadlineMs } from '../support/platform.ts';
import { axe, overhang } from '../support/browser.ts';
import { shot } from '../support/picture.ts';
import {
  addDomain,
  button,
  domainRow,
  hasFocus,
  heading,
  navigation,
  notice,
  openProject,
  records,
  recordsShown,
  removeDomain,
  see,
  signIn,
  verifyDomain,
} from './customer.ts';
import type { Setup } from './setup.ts';
import { api, hostnames, startWorld } from './setup.ts';

/** Other ways to use the dashboard: without script, without a mouse, with many domains, on a plan that has none. */

let setup: Setup;

beforeAll(async () => {
  setup = await startWorld();
}, platformDeadlineMs);

afterEach(async () => {
  expect(await setup.browser.leave()).toEqual([]);
});

afterAll(async () => {
  await setup.close();
}, platformDeadlineMs);

const www = 'www.example.com';

describe('without script', () => {
  it('signing in, adding, verifying, becoming Live, removing and signing out work', async () => {
    const key = await setup.customer('plain', 'pro');
    const { page } = await setup.browser.visit({ javaScriptEnabled: false });
    await signIn(page, key);
    await openProject(page, 'shop');
    await addDomain(page, { hostname: www });
    const [record] = await recordsShown(page);
    await setup.stage.putZone('example.com', 'www A 198.51.100.7');
    await verifyDomain(page);
    await reloadUntil(page, records(page).getByText(/198\.51\.100\.7/));
    await setup.stage.putZone('example.com', `www CNAME ${record?.value}.`);
    await verifyDomain(page);
    await reloadUntil(page, page.getByRole('main').getByText('Live', { exact: true }));
    await shot(page, 'scriptless-live');
    await removeDomain(page, www);
    await see(notice(page));
    await openProject(page, 'shop');
    await reloadUntil(page, page.getByRole('textbox', { name: 'Domain name' }));
    await eventually('it is in the list no more', 20_000, async () => {
      await page.reload();
      expect(await domainRow(page, www).count()).toBe(0);
    });
    expect(await hostnames(setup, 'plain')).toEqual([]);
    await button(page, 'Sign out').click();
    await see(button(page, 'Sign in'));
  }, 180_000);
});

const reloadUntil = (page: Page, locator: Locator): Promise<void> =>
  eventually(`${String(locator)} is seen`, 90_000, async () => {
    if (await locator.first().isVisible()) return;
    await page.reload();
    expectThat(await locator.first().isVisible(), await page.innerText('body'));
  });

/** Presses Tab until the wanted thing has the focus, which must be seen. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  for (let presses = 0; presses < 120; presses += 1) {
    await page.keyboard.press('Tab');
    if (!(await hasFocus(wanted))) continue;
    const seen = await page.evaluate<string>(focusRing);
    expect([String(wanted), seen]).toEqual([String(wanted), 'seen']);
    return;
  }
  throw new Error(`Tab never comes to ${String(wanted)} at ${page.url()}`);
}

/** An outline of two pixels and more, or a shadow; for boxes also of what is drawn around them. */
const focusRing = `(() => {
  const rings = [document.activeElement, document.activeElement.closest('label')].filter(Boolean).map((element) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
    return (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2) || boxShadow !== 'none';
  });
  return rings.includes(true) ? 'seen' : 'not seen';
})()`;

describe('without a mouse', () => {
  it('signing in, adding, removing and signing out work, and the focus is always seen', async () => {
    const key = await setup.customer('keys', 'pro');
    const { page } = await setup.browser.visit();
    await page.goto('/dashboard/sign-in');
    await tabTo(page, page.getByLabel('API key'));
    await page.keyboard.type(key);
    await page.keyboard.press('Enter');
    await see(heading(page, 'Projects'));

    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('main').getByRole('link', { name: 'shop' }).first());
    await page.keyboard.press('Enter');
    await see(page.getByRole('textbox', { name: 'Domain name' }));

    await tabTo(page, page.getByRole('textbox', { name: 'Domain name' }));
    await page.keyboard.type('www.keys.example');
    await tabTo(page, page.getByRole('checkbox', { name: /^Also add/ }));
    await page.keyboard.press('Space');
    await tabTo(page, page.getByText('More options'));
    await page.keyboard.press('Enter');
    const [here, redirect] = [/^Show the project/, /^Redirect/].map((name) => page.getByRole('radio', { name }));
    if (!here || !redirect) throw new Error('no roles to choose from');
    await tabTo(page, here);
    await page.keyboard.press('ArrowDown');
    expect(await redirect.isChecked()).toBe(true);
    await page.keyboard.press('ArrowUp');
    expect(await here.isChecked()).toBe(true);
    await page.keyboard.press('Enter');
    await see(heading(page, 'www.keys.example'));

    await tabTo(page, button(page, 'Copy value'));
    await tabTo(page, page.locator('#menu > summary'));
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('link', { name: 'Remove', exact: true }));
    await page.keyboard.press('Enter');
    await see(button(page, 'Remove www.keys.example'));
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    await see(button(page, 'Remove www.keys.example'));
    await tabTo(page, button(page, 'Remove www.keys.example'));
    await page.keyboard.press('Enter');
    await see(page.getByRole('textbox', { name: 'Domain name' }));
    await see(notice(page));
    expect(await hostnames(setup, 'keys')).toEqual([]);

    await tabTo(page, button(page, 'Sign out'));
    await page.keyboard.press('Enter');
    await see(button(page, 'Sign in'));
  }, 120_000);
});

const domain = (hostname: string, namespace: string) => ({
  apiVersion: api,
  kind: 'ProjectDomain',
  metadata: { name: hostname, namespace },
  spec: { project: 'shop', hostname, role: 'Redirect', redirect: { to: `${namespace}-shop.apps.example.net` } },
});

describe('an event stream that opens long after its page', () => {
  const [kept, gone, late] = ['kept.late.example', 'gone.late.example', 'late.late.example'] as const;
  /** 51, because of fewer the page could simply be loaded again */
  const others = Array.from({ length: 50 }, (_, index) => `other-${index}.late.example`);

  it('tells what was added, changed and removed meanwhile, without the page being asked for again', async () => {
    const key = await setup.customer('late', 'business');
    await setup.stage.kubectl.apply(...[kept, gone, ...others].map((hostname) => domain(hostname, 'late')));
    const { page } = await setup.browser.visit();
    await signIn(page, key);
    await eventually('all domains have a state', 60_000, async () => {
      await openProject(page, 'shop');
      expectThat((await page.getByRole('link', { name: 'Needs action 52' }).count()) === 1, 'not all');
    });
    let open = () => {};
    const closed = new Promise<void>((resolve) => (open = resolve));
    await page.route('**/events?*', async (route) => {
      await closed;
      await route.continue();
    });
    const asked: string[] = [];
    page.on('request', (request) => {
      if (!request.url().includes('/assets/')) asked.push(new URL(request.url()).pathname);
    });
    await page.reload();
    await setup.stage.kubectl.run(['delete', 'projectdomain', gone, '-n', 'late']);
    await setup.stage.kubectl.apply(domain(late, 'late'), {
      ...domain(kept, 'late'),
      spec: { ...domain(kept, 'late').spec, redirect: { to: 'late-shop.apps.example.net', status: 308 } },
    });
    const rest = restClient(setup.url, key);
    await eventually('the dashboard knows of it', 60_000, async () => {
      const [left, come, changed] = await Promise.all(
        [gone, late, kept].map((hostname) => rest(`/v1/projects/shop/domains/${hostname}`)),
      );
      expectThat(left?.status === 404 && come?.status === 200, 'not of what is gone, or come');
      expectThat(JSON.stringify(changed?.body ?? {}).includes('308'), 'not of the change');
    });
    expect(await domainRow(page, gone).count()).toBe(1);
    open();
    await see(domainRow(page, late));
    await see(domainRow(page, kept).getByText(/\(308\)/));
    await domainRow(page, gone).waitFor({ state: 'detached' });
    const [reloaded, ...since] = asked;
    expect(reloaded).toBe('/dashboard/projects/shop');
    expect(new Set(since)).toEqual(new Set(['/dashboard/projects/shop/events']));
  }, 180_000);
});

const many = 200;
const perPage = 40;

describe('two hundred domains', () => {
  it('are listed, found and opened, in at most 60 kilobytes with style and script', async () => {
    const key = await setup.customer('large', 'business');
    const names = Array.from({ length: many }, (_, index) => `shop-${String(index).padStart(3, '0')}.large.example`);
    await setup.stage.kubectl.apply(...names.map((hostname) => domain(hostname, 'large')));
    const warm = await setup.browser.visit();
    await signIn(warm.page, key);
    await openProject(warm.page, 'shop');
    await see(warm.page.getByText('Page 1 of 5'));
    const { cookies } = await warm.context.storageState();

    const { page, context } = await setup.browser.visit();
    await context.addCookies(cookies);
    const sizes: Promise<readonly [string, number]>[] = [];
    page.on('requestfinished', (request) => {
      if (request.url().includes('/events?')) return;
      sizes.push(request.sizes().then(({ responseBodySize }) => [new URL(request.url()).pathname, responseBodySize]));
    });
    await page.goto('/dashboard/projects/shop', { waitUntil: 'load' });
    const timing = await page.evaluate<number>(
      "performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd",
    );
    const parts = await Promise.all(sizes);
    const total = parts.reduce((sum, [, size]) => sum + size, 0);
    process.stderr.write(
      `200 domains: ${total} bytes (${parts.map(([path, size]) => `${path} ${size}`).join(', ')}), ` +
        `DOMContentLoaded after ${Math.round(timing)} ms\n`,
    );
    expect(total).toBeLessThanOrEqual(60_000);
    expect(await page.getByRole('table', { name: 'Domains' }).getByRole('row').count()).toBe(perPage + 1);
    expect(await axe(page)).toEqual([]);
    expect(await overhang(page)).toBe(0);
    await shot(page, 'domains-many');

    await page.getByRole('searchbox', { name: 'Search domains' }).fill('shop-137');
    await page.keyboard.press('Enter');
    await domainRow(page, 'shop-000.large.example').waitFor({ state: 'detached' });
    await see(domainRow(page, 'shop-137.large.example'));
    expect(await domainRow(page, 'shop-000.large.example').count()).toBe(0);
    await page.getByRole('link', { name: 'shop-137.large.example', exact: true }).click();
    await see(heading(page, 'shop-137.large.example'));

    await openProject(page, 'shop');
    await see(page.getByRole('heading', { name: 'All 200 domains of your plan are in use' }));
    expect(await button(page, 'Add domain').count()).toBe(0);
  }, 180_000);
});

describe('an address that leads nowhere', () => {
  it('shows whoever is signed in the way on, and nobody else that anything is there', async () => {
    const key = await setup.customer('lost', 'pro');
    const { page } = await setup.browser.visit();
    const nowhere = '/dashboard/projects/shop/nowhere';
    expect((await page.goto(nowhere))?.status()).toBe(404);
    expect(await navigation(page, 'Projects').count()).toBe(0);
    await signIn(page, key);
    expect((await page.goto(nowhere))?.status()).toBe(404);
    expect(await axe(page)).toEqual([]);
    await openProject(page, 'shop');
  });
});

describe('on plan free', () => {
  it('it is said what the plan cannot do, what goes on, and what to do', async () => {
    const key = await setup.customer('hobby', 'free');
    const { page } = await setup.browser.visit();
    await signIn(page, key);
    await openProject(page, 'shop');
    await see(page.getByRole('heading', { name: 'Custom domains require Pro or higher' }));
    await see(page.getByRole('main').getByText(/upgrade|pro/i));
    await see(page.getByRole('main').getByText(/hobby-shop\.apps\.example\.net/));
    expect(await axe(page)).toEqual([]);
    await shot(page, 'domains-free');
    await navigation(page, 'Plan and usage').click();
    await see(heading(page, 'Plan and usage'));
    await page.waitForLoadState();
    expect(await page.getByRole('meter').count()).toBe(2);
    await shot(page, 'plan-free');
  });
});
