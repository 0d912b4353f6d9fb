import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { axe, overhang } from '../support/browser.ts';
import { platformDeadlineMs } from '../support/platform.ts';
import {
  addDomain,
  button,
  openProject,
  recordsShown,
  region,
  removeDomain,
  see,
  signIn,
  stayOn,
  verifyButton,
} from './customer.ts';
import { askRaw } from './raw.ts';
import type { Setup } from './setup.ts';
import { hostnames, seeLive, startWorld } from './setup.ts';

/** The dashboard in a real browser in short: one domain from its name to Live to removal, by clicks alone. */

let setup: Setup;
let page: Page;
const account = 'acme';
const www = 'www.example.com';

beforeAll(async () => {
  setup = await startWorld();
  const key = await setup.customer(account, 'pro');
  ({ page } = await setup.browser.visit());
  await signIn(page, key);
}, platformDeadlineMs);

afterAll(async () => {
  const faults = await setup.browser.leave();
  await setup.close();
  expect(faults).toEqual([]);
}, platformDeadlineMs);

/** Nothing that axe finds, on a desk and on the narrowest phone. */
async function well(): Promise<void> {
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 720 });
    expect([width, await axe(page), await overhang(page)]).toEqual([width, [], 0]);
  }
  await page.setViewportSize({ width: 1280, height: 720 });
}

describe('a domain by clicks alone', () => {
  it('is added, told what is wrong, mended, and Live without loading the page again', async () => {
    await openProject(page, 'shop');
    await well();
    await addDomain(page, { hostname: www });
    const [record] = await recordsShown(page);
    await setup.stage.putZone('example.com', 'www A 198.51.100.7');
    await see(region(page, 'What was found').getByText(/198\.51\.100\.7/), 30_000);
    await well();
    await setup.stage.putZone('example.com', `www CNAME ${record?.value}.`);
    await verifyButton(page).click();
    await see(page.getByRole('status'));
    const check = await stayOn(page);
    await seeLive(setup, page.getByRole('main'), 60_000);
    await check();
    await well();
  }, 120_000);

  it('is not removed by a form that another page sends, nor with a cookie that another browser sends', async () => {
    const [cookie] = await page.context().cookies();
    const agent = await page.evaluate<string>('navigator.userAgent');
    const csrf = await page.evaluate<string>("document.querySelector('input[name=csrf]').value");
    const remove = (form: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>>) =>
      askRaw(`${setup.url}/dashboard/projects/shop/domains/${www}/remove`, {
        method: 'POST',
        form,
        headers: { cookie: `${cookie?.name}=${cookie?.value}`, 'user-agent': agent, ...headers },
      });
    expect((await remove({}, {})).status).toBe(403);
    expect((await remove({ csrf }, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await remove({ csrf }, { 'user-agent': 'curl/8.0' })).status).toBe(401);
    expect(await hostnames(setup, account)).toEqual([www]);
  });

  it('is removed, and signing out ends the session', async () => {
    await removeDomain(page, www);
    await see(page.getByRole('textbox', { name: 'Hostname' }), 30_000);
    expect(await hostnames(setup, account)).toEqual([]);
    await button(page, 'Sign out').click();
    await see(button(page, 'Sign in'));
    await page.goto('/dashboard/projects');
    await see(button(page, 'Sign in'));
  });
});
