import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { customerStatusOf } from '../../src/help/customer-status.ts';
import { nextStepOf } from '../../src/help/next-step.ts';
import { domainStateNames as states } from '../../src/rules/domain-state.ts';
import { hostnameCodes } from '../../src/rules/hostname.ts';
import { issueActs } from '../../src/rules/issue-acts.ts';
import { acceptedReasons, certificateReasons, routedReasons, verifiedReasons } from '../../src/rules/reasons.ts';
import { issueCodes } from '../../src/rules/issue-params.ts';
import { issueView } from '../../src/use-cases/issue-view.ts';
import type { Browsing } from '../support/browser.ts';
import { startBrowser } from '../support/browser.ts';
import type { DashboardInMemory } from '../support/dashboard-in-memory.ts';
import { startDashboardInMemory } from '../support/dashboard-in-memory.ts';
import type { PageCase } from '../support/domain-cases.ts';
import { caseIssue, longHostname, putCase } from '../support/domain-cases.ts';
import type { InMemoryApi } from '../support/in-memory-api.ts';
import { createInMemoryApi } from '../support/in-memory-api.ts';
import { actionFaults } from '../support/one-action.ts';
import { presentation } from '../support/view-context.ts';

/**
 * The contract of a domain's page, in both browsers, for every state with every reason, also with hostnames of 253
 * characters: whoever sees it knows what to do next, or who acts. That the action ends the state is what robot.test.ts proves.
 */

let api: InMemoryApi;
let dashboard: DashboardInMemory;
let browser: Browsing;
let page: Page;

beforeAll(async () => {
  api = createInMemoryApi();
  api.account('acme', 'enterprise');
  dashboard = await startDashboardInMemory(api);
  browser = await startBrowser(dashboard.url);
  ({ page } = await browser.visit({ javaScriptEnabled: true }));
}, 120_000);

afterAll(async () => {
  await browser.close();
  dashboard.stop();
});

const reasons = [
  ...new Set(
    [acceptedReasons, hostnameCodes, verifiedReasons, certificateReasons, routedReasons, issueCodes].flatMap((table) =>
      Object.keys(table),
    ),
  ),
];

const short = 'www.example.com';
const hostnames = [short, 'example.com', longHostname(253), longHostname(228)] as const;

/** One sentence where somebody else acts, and at most two where the customer does. */
const stepFault = (most: number) => `(() => {
  const step = document.querySelector('.step').textContent.replace(/\\s+/g, ' ').trim();
  const sentences = step.match(/[^.?!]+[.?!]/g) ?? [];
  return sentences.join('') !== step || sentences.length > ${most} ? ['not a sentence: ' + step] : [];
})()`;

/** Every fault of a case at every size, in both themes. */
async function faultsOf(one: PageCase, { query = '' } = {}): Promise<readonly string[]> {
  putCase(api, one);
  const { state, reason, issues = [], hostname = short } = one;
  const subject = { state, reason, waits: null, issues: issues.map(issueView) };
  const { kind } = nextStepOf(subject, { nextCheckAt: null, refusal: null });
  await page.goto(`${dashboard.url}/dashboard/projects/shop/domains/${hostname}${query}`, { waitUntil: 'load' });
  const pill = await page.locator('#state .pill').innerText();
  const expected = presentation.words.text(`status.${customerStatusOf(subject)}`);
  const found = [
    ...(pill === expected ? [] : [`"${pill}" instead of "${expected}"`]),
    ...(await page.evaluate<readonly string[]>(stepFault(kind === null ? 1 : 2))),
    ...(await actionFaults(page, kind !== null)),
  ];
  return found.map((text) => `${state} ${reason} ${hostname.length}: ${text}`);
}

describe('one action', () => {
  it.each(
    [short, longHostname(253)].flatMap((hostname) =>
      states.map((state) => [state, hostname.length, hostname] as const),
    ),
  )(
    '%s with every reason, of a hostname of %d characters',
    async (state, _, hostname) => {
      const found: string[] = [];
      for (const reason of reasons) found.push(...(await faultsOf({ hostname, state, reason })));
      expect(found).toEqual([]);
    },
    300_000,
  );

  it('for everything that can have to be done about an issue', async () => {
    const found: string[] = [];
    for (const [act, { actor }] of Object.entries(issueActs))
      for (const state of ['Unverified', 'Degraded'] as const) {
        const changes = act === 'ChangeRecords' ? {} : { delete: [], create: [] };
        const issues = [caseIssue({ act, actor, ...changes })];
        found.push(...(await faultsOf({ state, reason: 'StrayAddress', issues })));
      }
    expect(found).toEqual([]);
  }, 300_000);

  it('for short and long hostnames, right after an action', async () => {
    const found: string[] = [];
    for (const hostname of hostnames)
      for (const state of ['Unverified', 'Live', 'Degraded'] as const)
        for (const done of ['added', 'there', 'verify']) {
          const one = { hostname, state, reason: 'StrayAddress', issues: [caseIssue()] };
          found.push(...(await faultsOf(one, { query: `?done=${done}` })));
        }
    expect(found).toEqual([]);
  }, 300_000);
});
