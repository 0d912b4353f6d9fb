import { dirname } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually, expectThat } from '../../dev/lib/eventually.ts';
import type { Part } from '../../dev/platform/process.ts';
import type { Around } from '../../dev/platform/services.ts';
import { startRedis } from '../../dev/platform/services.ts';
import { findTools } from '../../dev/platform/tools.ts';
import type { Visitor } from '../support/browser.ts';
import { axe } from '../support/browser.ts';
import { shot } from '../support/picture.ts';
import { platformDeadlineMs } from '../support/platform.ts';
import {
  button,
  domainRow,
  heading,
  notice,
  openDomain,
  openProject,
  recordsShown,
  see,
  signIn,
  typeDomain,
  verifyDomain,
} from './customer.ts';
import type { Setup } from './setup.ts';
import { hostnames, startWorld } from './setup.ts';

/** The dashboard while what it rests on is away: a clear word, nothing lost, and it comes back without a click. */

let setup: Setup;
let key: string;
let visitor: Visitor;
let page: Page;
let redis: Part;

const account = 'acme';
const www = 'www.example.com';
const www2 = 'shop.example.org';
const away = /cannot be|cannot confirm/i;

beforeAll(async () => {
  setup = await startWorld();
  redis = setup.platform.parts.redis;
  key = await setup.customer(account, 'pro');
}, platformDeadlineMs);

beforeEach(async () => {
  visitor = await setup.browser.visit();
  ({ page } = visitor);
  visitor.expectFaults(/503|events|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_EMPTY_RESPONSE|ERR_CONNECTION/);
  await signIn(page, key);
});

afterEach(async () => {
  redis.signal('SIGCONT');
  setup.platform.controlPlane.parts.apiServer.signal('SIGCONT');
  expect(await setup.browser.leave()).toEqual([]);
});

afterAll(async () => {
  if (redis !== setup.platform.parts.redis) await redis.stop();
  await setup.close();
}, platformDeadlineMs);

const cookieOf = async ({ context }: Visitor) => (await context.cookies())[0]?.value;

/** A page of its own that says what is the matter, while it is, and signs nobody out. */
async function seeAway(): Promise<void> {
  await see(heading(page, away));
  expect(await button(page, 'Sign in').count()).toBe(0);
  expect(await axe(page)).toEqual([]);
}

const backAgain = () =>
  eventually('the page is back', 20_000, async () => {
    await page.reload();
    expectThat(await page.getByRole('textbox', { name: 'Domain name' }).isVisible(), await page.innerText('body'));
  });

describe('Redis', () => {
  it('frozen: a page that says so, the form is not sent in vain, and the session goes on afterwards', async () => {
    await openProject(page, 'shop');
    const cookie = await cookieOf(visitor);
    await typeDomain(page, { hostname: www });
    redis.signal('SIGSTOP');
    await button(page, 'Add domain').click();
    await seeAway();
    await shot(page, 'problem-sessions-away');
    expect(await hostnames(setup, account)).toEqual([]);
    redis.signal('SIGCONT');
    await page.goto('/dashboard/projects/shop');
    await backAgain();
    expect(await cookieOf(visitor)).toBe(cookie);
    await typeDomain(page, { hostname: www });
    await button(page, 'Add domain').click();
    await see(heading(page, www));
    expect(await hostnames(setup, account)).toEqual([www]);
  });

  it('frozen: whoever signs in is told to come back', async () => {
    const stranger = await setup.browser.visit();
    stranger.expectFaults(/503/);
    redis.signal('SIGSTOP');
    await stranger.page.goto('/dashboard/sign-in');
    await stranger.page.getByLabel('API key').fill(key);
    await button(stranger.page, 'Sign in').click();
    await see(heading(stranger.page, away));
    redis.signal('SIGCONT');
    await eventually('signs in', 20_000, () => signIn(stranger.page, key));
  });

  it('killed and started anew: whoever signs in again finds everything as it was', async () => {
    await openProject(page, 'shop');
    redis.signal('SIGKILL');
    await eventually('Redis is dead', 5_000, () =>
      Promise.resolve(expectThat(redis.exitStatus() !== null, 'it lives')),
    );
    await page.reload();
    await seeAway();
    redis = await anotherRedis();
    await eventually('the way to sign in', 20_000, async () => {
      await page.reload();
      expectThat(await button(page, 'Sign in').isVisible(), await page.innerText('body'));
    });
    await see(page.getByText(/session has ended/));
    await page.getByLabel('API key').fill(key);
    await button(page, 'Sign in').click();
    await openProject(page, 'shop');
    await see(domainRow(page, www));
  });
});

async function anotherRedis(): Promise<Part> {
  const { kubeconfig, ingressAddress, redisUrl } = setup.platform.facts;
  const tools = await findTools(() => undefined);
  const around = { dir: dirname(kubeconfig), tools, corner: { address: ingressAddress } } as Around;
  const { part, url } = await startRedis(around);
  expect(url).toBe(redisUrl);
  return part;
}

describe('the API server of Kubernetes, frozen', () => {
  const freeze = () => setup.platform.controlPlane.parts.apiServer.signal('SIGSTOP');
  const thaw = () => setup.platform.controlPlane.parts.apiServer.signal('SIGCONT');

  it('pages go on; adding says that it cannot be done now and keeps what was typed; afterwards it can', async () => {
    await openProject(page, 'shop');
    freeze();
    await page.reload();
    await see(domainRow(page, www));
    await typeDomain(page, { hostname: www2, redirectTo: www });
    await button(page, 'Add domain').click();
    await see(notice(page).filter({ hasText: /again|later|now/i }));
    expect(await page.getByRole('textbox', { name: 'Domain name' }).inputValue()).toBe(www2);
    expect(await page.locator('#to').inputValue()).toBe(www);
    expect(await axe(page)).toEqual([]);
    await shot(page, 'domains-cluster-away');
    thaw();
    await eventually('it is added', 60_000, async () => {
      if (await heading(page, www2).isVisible()) return;
      await button(page, 'Add domain').click();
      await heading(page, www2).waitFor({ timeout: 15_000 });
    });
    expect(await hostnames(setup, account)).toEqual([www2, www].toSorted());
  }, 180_000);

  it('verifying and removing say that they cannot be done now, and can afterwards', async () => {
    await openDomain(page, 'shop', www2);
    freeze();
    await verifyDomain(page, { timeout: 60_000 });
    await see(page.getByRole('alert').filter({ hasText: 'cluster-unavailable' }));
    await see(heading(page, www2));
    expect(await recordsShown(page)).toHaveLength(1);
    await shot(page, 'domain-cluster-away');
    await page.goto(`/dashboard/projects/shop/domains/${www2}/remove`);
    await button(page, `Remove ${www2}`).click({ timeout: 60_000 });
    await see(page.getByRole('alert').filter({ hasText: 'cluster-unavailable' }));
    await see(button(page, `Remove ${www2}`));
    thaw();
    await eventually('it is removed', 60_000, async () => {
      await page.goto(`/dashboard/projects/shop/domains/${www2}/remove`);
      await button(page, `Remove ${www2}`).click({ timeout: 5_000 });
      await page.getByRole('textbox', { name: 'Domain name' }).waitFor({ timeout: 20_000 });
    });
    expect(await hostnames(setup, account)).toEqual([www]);
  }, 240_000);
});
