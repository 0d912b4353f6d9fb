import { afterAll, beforeAll } from '@jest/globals';
import type { Page } from 'playwright-core';
import { customerStatusOf, domainCodes, nextStepOf } from '../../src/rules/next-step.ts';
import { issueView } from '../../src/use-cases/issue-view.ts';
import type { Browsing } from './browser.ts';
import { startBrowser } from './browser.ts';
import type { DashboardInMemory } from './dashboard-in-memory.ts';
import { startDashboardInMemory } from './dashboard-in-memory.ts';
import type { PageCase } from './domain-cases.ts';
import { longHostname, putCase } from './domain-cases.ts';
import type { InMemoryApi } from './in-memory-api.ts';
import { createInMemoryApi } from './in-memory-api.ts';
import { actionFaults } from './one-action.ts';
import { presentation } from './view-context.ts';

/** What a domain's page is held to, for files that hold it to that (test/browser). */

let api: InMemoryApi;
let dashboard: DashboardInMemory;
let browser: Browsing;
let page: Page;

/** Starts a dashboard and a browser for the file's tests. */
export function useDomainPages(): void {
  beforeAll(async () => {
    api = createInMemoryApi();
    api.account('acme', 'enterprise');
    dashboard = await startDashboardInMemory(api);
    browser = await startBrowser(dashboard.url);
    ({ page } = await browser.visit({ javaScriptEnabled: true }));
    // Just after the check that the cases tell of: of another day the page says the date too.
    await page.clock.setFixedTime('2026-11-20T08:15:30Z');
  }, 120_000);

  afterAll(async () => {
    await browser.close();
    dashboard.stop();
  });
}

/** Every reason that a domain's state can have. */
export const everyReason: readonly string[] = Object.keys(domainCodes);

export const short = 'www.example.com';
/** Short ones, and as long as hostnames may be. */
export const hostnames = [short, 'example.com', longHostname(253), longHostname(228)] as const;

/** One sentence where somebody else acts, and at most two where the customer does. */
const stepFault = (most: number) => `(() => {
  const step = document.querySelector('.step').textContent.replace(/\\s+/g, ' ').trim();
  const sentences = step.match(/[^.?!]+[.?!]/g) ?? [];
  return sentences.join('') !== step || sentences.length > ${most} ? ['not a sentence: ' + step] : [];
})()`;

/** Every fault of a case at every size, in both themes. */
export async function faultsOf(one: PageCase, { query = '' } = {}): Promise<readonly string[]> {
  putCase(api, one);
  const { state, reason, issues = [], hostname = short } = one;
  const subject = { state, reason, waits: null, issues: issues.map(issueView) };
  const { kind } = nextStepOf(subject, { nextCheckAt: null, refusal: null });
  await page.goto(`${dashboard.url}/dashboard/projects/shop/domains/${hostname}${query}`, { waitUntil: 'load' });
  const pill = await page.locator('#state .pill').innerText();
  const expected = presentation.words.text(`status.${customerStatusOf(subject, { nextCheckAt: null, refusal: null })}`);
  const found = [
    ...(pill === expected ? [] : [`"${pill}" instead of "${expected}"`]),
    ...(await page.evaluate<readonly string[]>(stepFault(kind === null ? 1 : 2))),
    ...(await actionFaults(page, kind !== null)),
  ];
  return found.map((text) => `${state} ${reason} ${hostname.length}: ${text}`);
}
