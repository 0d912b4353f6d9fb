import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { ProjectDomainKind } from '../../../src/resources/kinds.ts';
import type { Browsing } from '../../support/browser.ts';
import { startBrowser } from '../../support/browser.ts';
import type { DashboardInMemory } from '../../support/dashboard-in-memory.ts';
import { startDashboardInMemory } from '../../support/dashboard-in-memory.ts';
import type { InMemoryApi } from '../../support/in-memory-api.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';

/** The list of a project's domains in a browser while domains are added: the script of the dashboard on its own pages. */

let api: InMemoryApi;
let dashboard: DashboardInMemory;
let browser: Browsing;

beforeAll(async () => {
  api = createInMemoryApi();
  api.account('acme', 'enterprise');
  for (const project of ['small', 'moving', 'last']) api.project('acme', project);
  dashboard = await startDashboardInMemory(api);
  browser = await startBrowser(dashboard.url);
}, 120_000);

afterAll(async () => {
  await browser.close();
  dashboard.stop();
});

type State = 'Live' | 'Verified' | 'Unverified';
const reasons = { Live: 'Routed', Verified: 'Issuing', Unverified: 'RecordMissing' } as const;

const add = (project: string, name: string, state: State = 'Live') => {
  const hostname = `${name}.example.com`;
  const redirect = { to: 'acme.apps.example.net' };
  const ready = { type: 'Ready', status: 'True', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' } as const;
  api.domain('acme', hostname, {
    spec: { project, hostname, role: 'Redirect', redirect },
    status: { state, conditions: [{ ...ready, reason: reasons[state] }] },
  });
};
const remove = (name: string) =>
  api.cluster.remove(ProjectDomainKind, { namespace: 'acme', name: `${name}.example.com` });

const numbered = (index: number) => `d${String(index).padStart(3, '0')}`;

/** Opens the list and waits until its updates are live. */
async function openList(project: string, query = ''): Promise<Page> {
  const { page } = await browser.visit();
  await page.goto(`${dashboard.url}/dashboard/projects/${project}${query}`);
  await page.getByText('This page updates itself').waitFor();
  return page;
}

const row = (page: Page, name: string) => page.locator(`[id="row-${name}.example.com"]`);

/** Which of these names the page has a row of. */
async function shown(page: Page, names: readonly string[]): Promise<readonly string[]> {
  const counts = await Promise.all(names.map((name) => row(page, name).count()));
  return names.filter((_, index) => counts[index] === 1);
}

describe('the list of domains', () => {
  it('of several pages gets the rows of its own page only', async () => {
    for (let index = 0; index < 90; index += 1) add('shop', numbered(index));
    const first = await openList('shop');
    const second = await openList('shop');
    await second.getByRole('link', { name: 'Next' }).click();
    await second.getByText('Page 2 of 3').waitFor();
    await second.getByText('This page updates itself').waitFor();
    const names = ['a', 'd039a', 'd079a', 'd040a', 'd078a', 'd010a'];
    for (const name of names) add('shop', name);
    await row(first, 'd010a').waitFor();
    await row(second, 'd078a').waitFor();
    expect(await shown(first, names)).toEqual(['a', 'd010a']);
    expect(await shown(second, names)).toEqual(['d039a', 'd040a', 'd078a']);
    expect(await browser.leave()).toEqual([]);
  }, 60_000);

  it('that is searched or filtered gets only new rows that match', async () => {
    add('small', 's0', 'Unverified');
    const searched = await openList('small', '?q=s');
    const filtered = await openList('small', '?status=NeedsAction');
    const names = ['s1', 's2', 'x'];
    add('small', 's1', 'Live');
    add('small', 'x', 'Unverified');
    add('small', 's2', 'Unverified');
    await row(searched, 's2').waitFor();
    await row(filtered, 's2').waitFor();
    expect(await shown(searched, names)).toEqual(['s1', 's2']);
    expect(await shown(filtered, names)).toEqual(['s2', 'x']);
    expect(await browser.leave()).toEqual([]);
  }, 60_000);

  it('changes a row where it stands, and keeps its selection, its open menu and the focus', async () => {
    add('moving', 'm1', 'Unverified');
    add('moving', 'm2', 'Verified');
    const page = await openList('moving');
    const box = row(page, 'm1').getByRole('checkbox');
    await box.check();
    await row(page, 'm1').getByLabel('Actions for m1.example.com').click();
    await row(page, 'm1').getByRole('link', { name: 'Remove' }).focus();
    add('moving', 'm1', 'Live');
    await row(page, 'm1').getByText('Live', { exact: true }).waitFor();
    expect(await page.locator('#domains tbody tr').evaluateAll(idsOf)).toEqual([
      'row-m1.example.com',
      'row-m2.example.com',
    ]);
    expect(await box.isChecked()).toBe(true);
    const link = row(page, 'm1').getByRole('link', { name: 'Remove' });
    expect(await link.isVisible()).toBe(true);
    expect(await link.evaluate(hasFocus)).toBe(true);
    expect(await browser.leave()).toEqual([]);
  }, 60_000);

  it('whose last row goes from a later page never claims that there is no domain', async () => {
    for (let index = 0; index < 41; index += 1) add('last', `l${numbered(index)}`);
    const page = await openList('last', '?page=2');
    await remove(`l${numbered(40)}`);
    await page.getByText('There are no more domains on this page.').waitFor();
    expect(await page.getByText('No custom domain yet').count()).toBe(0);
    expect(await page.locator('#domains').isVisible()).toBe(false);
    await page.getByRole('link', { name: 'Show all domains' }).click();
    await row(page, 'ld000').waitFor();
    expect(await browser.leave()).toEqual([]);
  }, 60_000);
});

const idsOf = (elements: unknown) => (elements as readonly { readonly id: string }[]).map(({ id }) => id);
const hasFocus = (element: unknown) =>
  (element as { readonly ownerDocument: { readonly activeElement: unknown } }).ownerDocument.activeElement === element;
