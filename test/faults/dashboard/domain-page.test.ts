import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { ProjectDomain } from '../../../src/generated/project-domain.ts';
import { verifyAnnotation } from '../../../src/resources/object-metadata.ts';
import type { Browsing } from '../../support/browser.ts';
import { axe, overhang, startBrowser } from '../../support/browser.ts';
import type { DashboardInMemory } from '../../support/dashboard-in-memory.ts';
import { startDashboardInMemory } from '../../support/dashboard-in-memory.ts';
import type { PageCase } from '../../support/domain-cases.ts';
import { caaIssue, caseIssue, longHostname, putCase } from '../../support/domain-cases.ts';
import type { InMemoryApi } from '../../support/in-memory-api.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';
import { themes, viewports } from '../../support/one-action.ts';
import { fromNow } from '../../support/from-now.ts';

/** A domain's page in Chromium for everybody: accessible, as wide as its window, without script, and while it changes. */

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

const urlOf = (hostname: string) => `${dashboard.url}/dashboard/projects/shop/domains/${hostname}`;

/** Labels of names and targets that take more than one line, or leave their cell; of a text without dots one label may be longer than any column. */
const brokenLabels = `(() => {
  const broken = [];
  for (const code of document.querySelectorAll('#records td .copyable code')) {
    const { right } = code.closest('td').getBoundingClientRect();
    const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      for (const label of node.textContent.split('.').filter((one) => one !== '' && one.length <= 28)) {
        const range = document.createRange();
        const from = node.textContent.indexOf(label);
        range.setStart(node, from);
        range.setEnd(node, from + label.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size !== 1 || range.getBoundingClientRect().right > right) broken.push(label);
      }
  }
  return broken;
})()`;

describe('for everybody', () => {
  const steps: readonly PageCase[] = [
    { state: 'Pending', reason: 'PlanUpgradeRequired' },
    { state: 'Pending', reason: 'PrimaryExists' },
    { state: 'Pending', reason: 'PublicSuffix' },
    { state: 'Unverified', reason: 'Waiting' },
    { state: 'Unverified', reason: 'StrayAddress', issues: [caseIssue()] },
    {
      state: 'Unverified',
      reason: 'RecordMissing',
      hostname: 'example.com',
      issues: [caseIssue({ delete: [], create: [] })],
    },
    {
      state: 'Unverified',
      reason: 'ServersDisagree',
      issues: [caseIssue({ act: 'WaitForServers', actor: 'DnsHost', delete: [], create: [] })],
    },
    {
      state: 'Verified',
      reason: 'CAAForbids',
      issues: [caaIssue()],
    },
    { state: 'Verified', reason: 'Issuing' },
    { state: 'Live', reason: 'Routed' },
    { state: 'Degraded', reason: 'WrongTarget', issues: [caseIssue()] },
    { state: 'Suspended', reason: 'Withdrawn' },
    { state: 'Unverified', reason: 'StrayAddress', hostname: longHostname(228), issues: [caseIssue()] },
  ];
  it.each(steps.map((one) => [`${one.state} ${one.reason} ${(one.hostname ?? '').slice(0, 12)}`, one] as const))(
    'axe finds nothing: %s',
    async (_, one) => {
      putCase(api, one);
      await page.goto(urlOf(one.hostname ?? 'www.example.com'));
      const found: string[] = [];
      for (const colorScheme of themes)
        for (const viewport of [viewports[0], viewports[2]]) {
          await page.setViewportSize(viewport);
          await page.emulateMedia({ colorScheme });
          await page.evaluate("document.querySelectorAll('details').forEach((one) => one.setAttribute('open', ''))");
          found.push(...(await axe(page)));
        }
      expect(found).toEqual([]);
    },
    60_000,
  );

  it('nothing is wider than the window with text at twice its size', async () => {
    const found: string[] = [];
    await page.setViewportSize({ width: 640, height: 800 });
    for (const one of steps) {
      putCase(api, one);
      await page.goto(urlOf(one.hostname ?? 'www.example.com'));
      await page.evaluate("document.documentElement.style.setProperty('font-size', '200%')");
      found.push(...((await overhang(page)) > 0 ? [`${one.state} ${one.reason}`] : []));
    }
    expect(found).toEqual([]);
  }, 60_000);

  it.each([320, 700, 1_100, 1_280])(
    'a target and the name of the TXT record break at dots alone, inside of their cells, %d pixels wide',
    async (width) => {
      putCase(api, { hostname: 'example.com', state: 'Unverified', reason: 'RecordMissing' });
      await page.setViewportSize({ width, height: 800 });
      await page.goto(urlOf('example.com'));
      expect(await page.evaluate(brokenLabels)).toEqual([]);
      expect(await overhang(page)).toBe(0);
    },
    60_000,
  );

  it('everything can be done without script', async () => {
    const to = 'acme.apps.example.net';
    api.domain('acme', 'plain.example.com', {
      spec: { project: 'shop', hostname: 'plain.example.com', role: 'Redirect', redirect: { to } },
    });
    const { page: plain } = await browser.visit({ javaScriptEnabled: false });
    await plain.goto(urlOf('plain.example.com'));
    expect(await plain.getByRole('button', { name: 'Copy value' }).count()).toBe(0);
    await plain.getByText('Actions').click();
    await plain.getByRole('link', { name: 'Change destination' }).click();
    await plain.getByLabel('Status').selectOption('308');
    await plain.getByRole('button', { name: 'Save redirect' }).click();
    await plain.getByText('Redirect saved.').waitFor();
    expect(await plain.locator('.facts').innerText()).toContain(`Redirect to ${to}, status 308`);
    expect(await plain.locator('main').innerText()).not.toMatch(/this page updates/i);
  }, 60_000);

  it('an update keeps the menu open and the focus where it is, and times are counted down', async () => {
    const hostname = 'live.example.com';
    putCase(api, { hostname, state: 'Unverified', reason: 'RecordMissing' });
    await page.goto(urlOf(hostname));
    await page.getByText('This page updates itself').waitFor();
    // In Firefox one window at a time has the focus, and another test may have opened one since.
    await page.bringToFront();
    await page.locator('#menu > summary').focus();
    await page.keyboard.press('Enter');
    await page.locator('#ask-remove').focus();
    const lingersUntil = new Date(fromNow(600_000)).toISOString();
    putCase(api, { hostname, state: 'Unverified', reason: 'StrayAddress', issues: [caseIssue()], lingersUntil });
    await page.locator('#records .delete').first().waitFor();
    expect(await page.locator('#menu[open] #ask-remove:focus').count()).toBe(1);
    await page.keyboard.press('Escape');
    expect(await page.locator('#menu:not([open]) > summary:focus').count()).toBe(1);
    expect(await page.locator('.countdown').first().innerText()).toMatch(/^\d+ min \d+ s left$/);
  }, 60_000);
});

describe('after Verify', () => {
  const hostname = 'asked.example.com';
  const key = { namespace: 'acme', name: hostname };
  const there = () => api.stores.domains.get(key) as ProjectDomain;
  const checkedAt = '2026-11-29T14:03:07Z';
  const ready = (reason: string) =>
    ({ type: 'Ready', status: 'False', reason, message: '', lastTransitionTime: '2026-01-01T00:00:00Z' }) as const;

  /** As the operator does: with what its check found, and what that check answers. */
  const check = (
    verifySeen: string | undefined,
    status: Pick<NonNullable<ProjectDomain['status']>, 'state'>,
    reason: string,
  ) =>
    api.put({
      ...there(),
      status: {
        ...status,
        conditions: [ready(reason)],
        check: { checkedAt, ...(verifySeen === undefined ? {} : { verifySeen }) },
      },
    });

  async function verify(): Promise<string> {
    const before = there()?.metadata.annotations?.[verifyAnnotation];
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(urlOf(hostname));
    if (!(await page.getByRole('button', { name: 'Verify' }).isVisible())) await page.getByText('Actions').click();
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByRole('status').getByText('Checking DNS…').waitFor();
    await page.getByText('This page updates itself').waitFor();
    const asked = there().metadata.annotations?.[verifyAnnotation] ?? '';
    expect(asked).not.toBe(before);
    return asked;
  }

  it.each<[string, string, string]>([
    ['that a check which began then found the same, and when', 'RecordMissing', 'still'],
    ['what it found', 'StrayAddress', 'now'],
  ])(
    'the page says %s, and waits no longer',
    async (_, reason, word) => {
      api.domain('acme', hostname, { status: { state: 'Unverified', conditions: [ready('RecordMissing')] } });
      const asked = await verify();
      // One that began before, whatever it found.
      check(undefined, { state: 'Unverified' }, 'ServersDisagree');
      await page.locator('#checked[data-key="Unverified ServersDisagree"]').waitFor();
      expect(await page.getByRole('status').getByText('Checking DNS…').count()).toBe(1);
      check(asked, { state: 'Unverified' }, reason);
      await page
        .getByRole('status')
        .getByText(new RegExp(`^Checked .*:03:07.*: ${word} `))
        .waitFor();
      expect(await page.getByText('Checking DNS…').count()).toBe(0);
    },
    60_000,
  );
});
