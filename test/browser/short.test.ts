import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Browsing } from '../support/browser.ts';
import { axe, overhang, startBrowser } from '../support/browser.ts';
import { platformDeadlineMs } from '../support/platform.ts';
import {
  addDomain,
  button,
  openProject,
  records,
  recordsShown,
  removeDomain,
  see,
  signIn,
  stayOn,
  verifyDomain,
} from './customer.ts';
import { askRaw } from './raw.ts';
import type { SharedSetup } from './setup.ts';
import { hostnames, seeLive, sharedWorld } from './setup.ts';

/** The dashboard in real browsers in short: one domain from its name to Live to removal, by clicks alone. */

let setup: SharedSetup;
let key: string;
const account = 'short';
const zone = 'short.example';

beforeAll(async () => {
  setup = await sharedWorld();
  key = await setup.customer(account, 'pro');
}, platformDeadlineMs);

afterAll(() => setup.close(), platformDeadlineMs);

/** Nothing that axe finds, on a desk and on the narrowest phone. */
async function well(page: Page): Promise<void> {
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 720 });
    expect([width, await axe(page), await overhang(page)]).toEqual([width, [], 0]);
  }
  await page.setViewportSize({ width: 1280, height: 720 });
}

describe.each([
  ['chromium', 'www'],
  ['firefox', 'shop'],
] as const)('a domain by clicks alone, in %s,', (name, label) => {
  let browser: Browsing;
  let page: Page;
  const hostname = `${label}.${zone}`;

  beforeAll(async () => {
    browser = await startBrowser(setup.url, name);
    ({ page } = await browser.visit());
    await signIn(page, key);
  }, platformDeadlineMs);

  afterAll(async () => {
    const faults = await browser.leave();
    await browser.close();
    expect(faults).toEqual([]);
  }, platformDeadlineMs);

  it('is added, told what is wrong, mended, and Live without loading the page again', async () => {
    await openProject(page, 'shop');
    await well(page);
    await addDomain(page, { hostname });
    const [record] = await recordsShown(page);
    await setup.stage.putZone(zone, `${label} A 198.51.100.7`);
    await see(records(page).getByText(/198\.51\.100\.7/), 90_000);
    await well(page);
    await setup.stage.putZone(zone, `${label} CNAME ${record?.value}.`);
    await verifyDomain(page);
    await see(page.getByRole('status'));
    const check = await stayOn(page);
    await seeLive(setup, page.getByRole('main'), 180_000);
    await check();
    await well(page);
  }, 120_000);

  it('is not removed by a form that another page sends, nor with a cookie that another browser sends', async () => {
    const [cookie] = await page.context().cookies();
    const agent = await page.evaluate<string>('navigator.userAgent');
    const csrf = await page.evaluate<string>("document.querySelector('input[name=csrf]').value");
    const remove = (form: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>>) =>
      askRaw(`${setup.url}/dashboard/projects/shop/domains/${hostname}/remove`, {
        method: 'POST',
        form,
        headers: { cookie: `${cookie?.name}=${cookie?.value}`, 'user-agent': agent, ...headers },
      });
    expect((await remove({}, {})).status).toBe(403);
    expect((await remove({ csrf }, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await remove({ csrf }, { 'user-agent': 'curl/8.0' })).status).toBe(401);
    expect(await hostnames(setup, account)).toEqual([hostname]);
  });

  it('is removed, and signing out ends the session', async () => {
    await removeDomain(page, hostname);
    await see(page.getByRole('textbox', { name: 'Domain name' }), 90_000);
    expect(await hostnames(setup, account)).toEqual([]);
    await button(page, 'Sign out').click();
    await see(button(page, 'Sign in'));
    await page.goto('/dashboard/projects');
    await see(button(page, 'Sign in'));
  });
});
