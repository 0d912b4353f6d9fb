import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { axe, overhang } from '../support/browser.ts';
import { platformDeadlineMs } from '../support/platform.ts';
import { button, heading, openMenu, openProject, see, signIn, typeDomain } from './customer.ts';
import { gallery, hang } from './gallery.ts';
import type { Setup } from './setup.ts';
import { startWorld } from './setup.ts';

/** Every page in every state, on a desk and on a phone, light and dark: nothing overhangs, and axe finds nothing. */

let setup: Setup;
let key: string;
const account = 'acme';

beforeAll(async () => {
  setup = await startWorld();
  key = await setup.customer(account, 'business');
  await setup.stage.kubectl.apply({
    apiVersion: 'projectdomain.io/v1alpha1',
    kind: 'Project',
    metadata: { name: 'empty', namespace: account },
    spec: { service: { name: 'web', port: 8080 }, subdomain: 'empty-shop' },
  });
  await setup.customer('bare', 'pro');
  await setup.stage.kubectl.run(['delete', 'project', 'shop', '-n', 'bare']);
  await setup.platform.ours('operator')?.stop();
  await hang(setup.stage.kubectl, account);
}, platformDeadlineMs);

afterEach(async () => {
  expect(await setup.browser.leave()).toEqual([]);
});

afterAll(async () => {
  await setup.close();
}, platformDeadlineMs);

const shop = '/dashboard/projects/shop';

interface View {
  readonly name: string;
  readonly path: string;
  /** what is done there before it is looked at */
  readonly before?: (page: Page) => Promise<unknown>;
}

const views: readonly View[] = [
  { name: 'projects', path: '/dashboard/projects' },
  { name: 'project', path: shop },
  { name: 'project-without-domains', path: '/dashboard/projects/empty' },
  {
    name: 'add-preview',
    path: shop,
    before: async (page) => {
      await typeDomain(page, { hostname: 'new.example.com', redirectTo: 'acme-shop.apps.example.net' });
      await see(page.getByText(/can be added/));
    },
  },
  {
    name: 'add-refused',
    path: shop,
    before: async (page) => {
      await typeDomain(page, { hostname: 'co.uk' });
      await button(page, 'Add domain').click();
      await see(page.getByRole('alert'));
    },
  },
  { name: 'plan', path: '/dashboard/plan' },
  { name: 'keys', path: '/dashboard/keys' },
  { name: 'help', path: '/dashboard/help' },
  { name: 'not-found', path: '/dashboard/projects/nothing' },
  ...gallery.map(({ hostname, name }) => ({ name: `domain-${name}`, path: `${shop}/domains/${hostname}` })),
  { name: 'remove', path: `${shop}/domains/${gallery[0]?.hostname}/remove` },
  {
    name: 'remove-dialog',
    path: `${shop}/domains/${gallery[0]?.hostname}`,
    before: async (page) => {
      await openMenu(page);
      await page.getByRole('link', { name: 'Remove', exact: true }).click();
      await see(button(page, /^Remove /));
    },
  },
];

const windows = [
  { name: 'desk-light', colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { name: 'desk-dark', colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  { name: 'phone-light', colorScheme: 'light', viewport: { width: 320, height: 640 }, isMobile: true, hasTouch: true },
  { name: 'phone-dark', colorScheme: 'dark', viewport: { width: 320, height: 640 }, isMobile: true, hasTouch: true },
] as const;

/** What is wrong with the page as it stands, each with where. */
async function wrong(page: Page, where: string): Promise<readonly string[]> {
  const wide = await overhang(page);
  const titles = await page.getByRole('heading', { level: 1 }).count();
  return [
    ...(wide > 0 ? [`${where}: ${wide} pixels too wide`] : []),
    ...(titles === 1 ? [] : [`${where}: ${titles} first headings`]),
    ...(await axe(page)).map((line) => `${where}: ${line}`),
  ];
}

describe.each(windows)('$name', ({ name: _, ...how }) => {
  it('before sign-in', async () => {
    const { page } = await setup.browser.visit(how);
    await page.goto('/dashboard/sign-in');
    expect(await wrong(page, 'sign-in')).toEqual([]);
    await page.getByLabel('API key').fill('pd_nonsense');
    await button(page, 'Sign in').click();
    await see(page.getByRole('alert'));
    expect(await wrong(page, 'sign-in refused')).toEqual([]);
  });

  it('every page and every state of a domain', async () => {
    const { page } = await setup.browser.visit(how);
    await signIn(page, key);
    const found: string[] = [];
    for (const { name, path, before } of views) {
      await page.goto(path);
      await before?.(page);
      found.push(...(await wrong(page, name)));
    }
    expect(found).toEqual([]);
  }, 180_000);

  it('an account without projects', async () => {
    const { page } = await setup.browser.visit(how);
    await signIn(page, await setup.key('bare'));
    await see(heading(page, 'Projects'));
    expect(await wrong(page, 'no projects')).toEqual([]);
  });
});

describe('text at twice its size', () => {
  it('stays inside the page', async () => {
    const { page } = await setup.browser.visit({ viewport: { width: 640, height: 800 } });
    await signIn(page, key);
    await openProject(page, 'shop');
    for (const { name, path } of views) {
      await page.goto(path);
      await page.evaluate("document.documentElement.style.setProperty('font-size', '200%')");
      expect([name, await overhang(page)]).toEqual([name, 0]);
    }
  }, 120_000);
});
