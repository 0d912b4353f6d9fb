import type { Locator, Page } from 'playwright-core';
import { eventually } from '../../dev/lib/eventually.ts';

/** What a customer does in the dashboard, found by role and name as a screen reader finds it. */

const patienceMs = 60_000;

/** Waits until it is there. Rejects with what the page says instead. */
export async function see(locator: Locator, withinMs = patienceMs): Promise<Locator> {
  try {
    await locator.first().waitFor({ timeout: withinMs });
    return locator.first();
  } catch (error) {
    const page = locator.page();
    const text = await page.innerText('body').catch(() => 'nothing that can be read');
    const [why] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new Error(`${String(locator)} is not seen (${why}) at ${page.url()}, which says:\n${text}`, { cause: error });
  }
}

export const seeText = (page: Page, text: string | RegExp, withinMs?: number): Promise<Locator> =>
  see(page.getByRole('main').getByText(text), withinMs);

export const heading = (page: Page, name: string | RegExp): Locator => page.getByRole('heading', { level: 1, name });
export const button = (page: Page, name: string | RegExp): Locator => page.getByRole('button', { name });
export const navigation = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true });

/** "Re-verify" once there is a certificate to look after. */
const verifyButton = (page: Page): Locator => button(page, /^(Verify|Re-verify)$/);
export const notice = (page: Page): Locator =>
  page.getByRole('alert').or(page.getByRole('status')).filter({ hasText: /\S/ });
export const region = (page: Page, name: string): Locator => page.getByRole('region', { name });
export const domainRow = (page: Page, hostname: string): Locator =>
  page
    .getByRole('table', { name: 'Domains' })
    .getByRole('row')
    .filter({
      has: page.getByRole('link', { name: hostname, exact: true }),
    });

export async function signIn(page: Page, key: string): Promise<void> {
  await page.goto('/dashboard/sign-in');
  await page.getByLabel('API key').fill(key);
  await button(page, 'Sign in').click();
  await see(navigation(page, 'Projects'));
}

/** From wherever one is to the project's domains, by links. */
export async function openProject(page: Page, project: string): Promise<void> {
  await navigation(page, 'Projects').click();
  await page.getByRole('main').getByRole('link', { name: project, exact: true }).click();
  await see(heading(page, project));
}

export async function openDomain(page: Page, project: string, hostname: string): Promise<void> {
  await openProject(page, project);
  await page.getByRole('link', { name: hostname, exact: true }).first().click();
  await see(heading(page, hostname));
}

export interface Wish {
  readonly hostname: string;
  readonly redirectTo?: string;
}

const hostnameField = (page: Page): Locator => page.getByRole('textbox', { name: 'Domain name' });

/**
 * Fills in the form that adds one domain, without its counterpart. Where the project has a primary there is nothing to
 * choose between: another domain redirects.
 */
export async function typeDomain(page: Page, { hostname, redirectTo }: Wish): Promise<void> {
  await hostnameField(page).fill(hostname);
  await uncheckCounterpart(page);
  if (redirectTo === undefined) return;
  if (!(await page.locator('#to').isVisible())) await page.getByText('More options').click();
  const redirect = page.getByRole('radio', { name: /^Redirect/ });
  if ((await redirect.count()) > 0) await redirect.check();
  await choose(page, 'Redirect to', redirectTo);
}

/** What is known of the hostname hides the choice where it has no counterpart, even while it is being clicked. */
async function uncheckCounterpart(page: Page): Promise<void> {
  const pair = page.getByRole('checkbox', { name: /^Also add/ });
  while (await pair.isVisible()) {
    const isDone = await pair.uncheck({ timeout: 1_000 }).then(
      () => true,
      () => false,
    );
    if (isDone) return;
  }
}

const tagOf = (element: unknown) => (element as { readonly tagName: string }).tagName;

interface Focusable {
  readonly ownerDocument: { readonly activeElement: unknown };
}

/** Whether one of what the locator finds has the focus. */
export const hasFocus = (locator: Locator): Promise<boolean> =>
  locator.evaluateAll((elements: unknown) =>
    (elements as readonly Focusable[]).some((element) => element === element.ownerDocument.activeElement),
  );

/** A list to choose from, or a field to write in. */
async function choose(page: Page, name: string, value: string): Promise<void> {
  const field = page.getByRole('combobox', { name }).or(page.getByRole('textbox', { name }));
  if ((await field.evaluate(tagOf)) === 'SELECT') await field.selectOption(value);
  else await field.fill(value);
}

/** Adds a domain and arrives at its page. */
export async function addDomain(page: Page, wish: Wish): Promise<void> {
  await typeDomain(page, wish);
  await button(page, 'Add domain').click();
  await see(heading(page, wish.hostname));
}

export interface ShownRecord {
  readonly type: string;
  readonly name: string;
  readonly value: string;
}

const menu = (page: Page): Locator => page.locator('#menu');

/** Opens what can be done with a domain beside the next step. */
export async function openMenu(page: Page): Promise<void> {
  if ((await menu(page).getAttribute('open')) === null) await menu(page).locator('summary').click();
}

/**
 * Requests a check: by the page's primary action, or from its menu where something else comes next. The page moves the button whenever the
 * domain's state changes, as after a check that comes by itself, so it is looked for again where it has gone meanwhile.
 */
export function verifyDomain(page: Page, { timeout = 10_000 }: { readonly timeout?: number } = {}): Promise<void> {
  return eventually('a click on Verify', patienceMs, async () => {
    if (!(await verifyButton(page).isVisible())) await openMenu(page);
    await verifyButton(page).click({ timeout });
  });
}

/** The records of a domain with what is to be done and what was found. */
export const records = (page: Page): Locator => page.locator('#records');

/** The records to add and to keep, as the page shows them. */
export async function recordsShown(page: Page): Promise<readonly ShownRecord[]> {
  const table = await see(records(page).getByRole('table'));
  const rows = await table.locator('tr.add, tr.keep').all();
  return Promise.all(
    rows.map(async (row) => {
      const [type = '', name = '', value = ''] = await Promise.all(
        (await row.getByRole('cell').all()).slice(0, 3).map((cell) => cell.getByRole('code').first().innerText()),
      );
      return { type, name, value };
    }),
  );
}

/** Clicks Remove, is asked, and says yes. */
export async function removeDomain(page: Page, hostname: string): Promise<void> {
  await openMenu(page);
  await page.getByRole('link', { name: 'Remove', exact: true }).click();
  await button(page, `Remove ${hostname}`).click();
}

const mark = 'window.projectdomainMark';

/** Resolves to a check that rejects when the page was loaded again since. */
export async function stayOn(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(`${mark} = true`);
  return async () => {
    if ((await page.evaluate(mark)) !== true) throw new Error('the page was loaded again');
  };
}
