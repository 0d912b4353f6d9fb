import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Browsing } from '../../support/browser.ts';
import { startBrowser } from '../../support/browser.ts';
import { contradictions, differences } from '../../support/contradictions.ts';
import type { DashboardInMemory } from '../../support/dashboard-in-memory.ts';
import { startDashboardInMemory } from '../../support/dashboard-in-memory.ts';
import { hang } from '../../support/hang-domains.ts';
import { createInMemoryApi } from '../../support/in-memory-api.ts';
import { pageFacts } from '../../support/page-facts.ts';
import { fromNow } from '../../support/from-now.ts';

/**
 * What reads the pages before their pictures are taken finds each kind of contradiction: a true page is altered in one
 * place. Fails when a rule no longer sees what it is there for, as after a page has changed its ids or words.
 */

let dashboard: DashboardInMemory;
let browser: Browsing;
let page: Page;
let target: string;

beforeAll(async () => {
  const api = createInMemoryApi();
  api.account('acme', 'pro');
  const [own] = api.stores.apiKeys.list();
  const at = (days: number) => new Date(fromNow(days * 86_400_000)).toISOString();
  const metadata = { name: 'key-other', creationTimestamp: at(-9) };
  const spec = { ...own?.spec, keyId: 'other00000000000', expiresAt: at(-1) };
  api.put({ ...own, metadata, spec, status: { lastUsedAt: at(-2) } });
  api.put({ ...own, status: { lastUsedAt: at(-1) } });
  target = hang(api);
  dashboard = await startDashboardInMemory(api);
  browser = await startBrowser(dashboard.url);
  ({ page } = await browser.visit());
  // The live stream would put back what is altered.
  await page.route('**/events*', (route) => route.abort());
}, 120_000);

afterAll(async () => {
  await browser.close();
  dashboard.stop();
});

const shop = '/dashboard/projects/shop';
const ahead = new Date(fromNow(3_600_000)).toISOString();
const long = '2001-02-03T04:05:00Z';

/** Alterations of a page, as a script in it; `one` finds an element, `all` every one. */
const to = {
  text: (selector: string, text: string) => `one(${JSON.stringify(selector)}).textContent = ${JSON.stringify(text)}`,
  time: (selector: string, at: string) =>
    `{ const time = one(${JSON.stringify(selector)}); time.setAttribute('datetime', '${at}'); time.title = new Date('${at}').toUTCString().replace('GMT', 'UTC'); }`,
  class: (selector: string, name: string) => `one(${JSON.stringify(selector)}).className = '${name}'`,
  copy: (selector: string) =>
    `one(${JSON.stringify(selector)}).after(one(${JSON.stringify(selector)}).cloneNode(true))`,
  remove: (selector: string) => `one(${JSON.stringify(selector)}).remove()`,
} as const;
const said = (text: string): string =>
  `[...document.querySelectorAll('#details p')].find((p) => p.textContent.includes('${text}')).id = 'said'`;

const altered = async (path: string, script: string): Promise<readonly string[]> => {
  await page.goto(path);
  await page.evaluate(`{ const one = (selector) => document.querySelector(selector); ${script} }`);
  return contradictions(await pageFacts(page), { target });
};

const live = `${shop}/domains/www.example.com`;
const wrong = `${shop}/domains/shop.example.com`;
const offline = `${shop}/domains/old.example.com`;
const other = `p-${'a'.repeat(26)}.cname.apps.example.net`;

const cases: readonly (readonly [string, path: string, alteration: string, found: RegExp])[] = [
  ['another name in the window', live, 'document.title = "shop.example.com"', /window is called/],
  ['a pill that is not that of its heading', wrong, to.text('#state .pill', 'Live'), /"Live" beside "An old A/],
  ['a pill that the timeline’s last state excludes', live, to.text('#state .pill', 'Offline'), /timeline ends with/],
  ['Live with a record to add', live, to.class('#records tbody tr', 'add'), /"Live" with 1 records/],
  ['Live, and something to do', live, to.text('.step', 'Add the record below.'), /"Live" with 0 records/],
  ['needs action, and nothing to do', wrong, to.text('.step', 'Nothing to do.'), /"Needs action", but/],
  ['two targets', wrong, to.text('#state .step', other), /two targets/],
  [
    'the target of another project',
    live,
    `document.body.innerHTML = document.body.innerHTML.replaceAll('{target}', '${other}')`,
    /target of another project/,
  ],
  ['a number of records that is not theirs', wrong, to.text('.step', 'Add the 2 records below.'), /above 1 records/],
  ['a heading for more records than there are', live, to.text('#records-title', 'Records to keep'), /above 1 records/],
  [
    'records to keep that are to be changed',
    wrong,
    to.text('#records-title', 'Records to keep'),
    /with 2 records to change/,
  ],
  ['a record to keep that is missing', live, to.text('.record-status', 'Missing'), /kept and missing/],
  ['a record to add that is found', wrong, to.text('tr.add .record-status', 'Found'), /to be added and found/],
  ['a record that is missing and there', wrong, to.text('tr.add .record-status', 'Missing'), /is missing, and is A/],
  [
    'a wrong record that is the right one',
    wrong,
    to.text('tr.add .hint code', 'CNAME {target}'),
    /is wrong, and right/,
  ],
  ['a button that copies another value', live, "one('#copy-value-0').dataset.copy = 'x'", /and copies/],
  [
    'a short name of another one',
    live,
    "one('#records td code[title]').title = 'blog.example.com'",
    /is not short for/,
  ],
  [
    'a record to add and to delete',
    wrong,
    `${to.copy('tr.add')}; ${to.class('tr.add', 'delete')}`,
    /to be deleted and needed/,
  ],
  [
    'two values for one name',
    live,
    `${to.copy('#records tbody tr')}; ${to.text('#records td:nth-of-type(3) code', 'x.example')}`,
    /has two values/,
  ],
  ['a time written otherwise than it is', live, "one('#timeline time').title = '3 Feb 2001, 04:05 UTC'", /is not 20/],
  [
    'a countdown to another time',
    `${shop}/domains/moved.example.com`,
    `one('.countdown').dataset.until = '${long}'`,
    /counted down to/,
  ],
  [
    'a next check in the past',
    wrong,
    `${said('keep checking')}; ${to.time('#said time', long)}`,
    /in the past: We keep/,
  ],
  [
    'an end of checks in the future',
    offline,
    `${said('checks ended')}; ${to.time('#said time', ahead)}`,
    /in the future: Automatic/,
  ],
  ['a past that is still to come', live, to.time('#timeline time', ahead), /tells of the future/],
  ['a past out of order', live, `one('#timeline ol').append(one('#timeline li'))`, /not in order/],
  ['a past before it was added', live, to.time('#timeline li:last-child time', long), /begins before/],
  [
    'Live without a certificate',
    live,
    "document.querySelectorAll('#details dd time')[0].remove()",
    /without a certificate/,
  ],
  ['Live with one that ended', live, to.time('#details dd time', long), /without a certificate that is valid/],
  [
    'a certificate that ended before the domain was added',
    offline,
    to.time('#details dd time', long),
    /ended before the domain/,
  ],
  ['two ends of one certificate', live, to.time('#timeline .certificate span time', ahead), /and at/],
  [
    'a certificate that ended before it was issued',
    live,
    to.time('#timeline .certificate span time', long),
    /before it was issued/,
  ],
  ['a row whose pill is not that of its reason', shop, to.text('#domains tbody .pill', 'Live'), /"Live" beside/],
  [
    'a redirect to itself',
    shop,
    to.text('#domains tbody tr td:nth-of-type(2)', 'Redirects to example.com (301)'),
    /to itself/,
  ],
  ['counts that do not add up', shop, to.text('.finding .count', '99'), /do not add up/],
  ['a count that is not that of its rows', shop, to.remove('#domains tbody tr'), /by the filter/],
  ['a key that has expired and is not said to', '/dashboard/keys', to.remove('.keys .pill'), /not expired: Expires/],
  [
    'a key that is in use and was never used',
    '/dashboard/keys',
    "one('.keys tr:has(th > .tag) td:nth-of-type(2)').textContent = 'Never'",
    /never used/,
  ],
  ['limits that are not those of the plan', '/dashboard/plan', 'void 0', /limits of 300/],
];

describe('a page that says', () => {
  it.each(cases)('%s, contradicts itself', async (_, path, alteration, found) => {
    const faults = await altered(path, alteration.replaceAll('{target}', target));
    expect(faults).toContainEqual(expect.stringMatching(found));
  });

  it.each([live, wrong, offline, shop, '/dashboard/keys'])('what is true, at %s, does not', async (path) => {
    expect(await altered(path, 'void 0')).toEqual([]);
  });
});

describe('a dry run', () => {
  it('that counts what it does not send contradicts itself', async () => {
    await page.goto(shop);
    await page.getByLabel('Select new.example.com').check();
    await page.locator('#bulk').getByRole('button', { name: 'Remove' }).click();
    await page.locator('table.outcomes').waitFor();
    expect(contradictions(await pageFacts(page))).toEqual([]);
    await page.evaluate("document.querySelector('input[name=hostname]').remove()");
    expect(contradictions(await pageFacts(page))).toContainEqual(expect.stringMatching(/but 0 are sent/));
    await page.evaluate("document.querySelector('table.outcomes tbody tr').remove()");
    expect(contradictions(await pageFacts(page))).toContainEqual(expect.stringMatching(/but 0 are listed/));
  });
});

describe('a list and the page of one of its domains', () => {
  it.each([
    ['agree', 'void 0', []],
    ['differ in the status', to.text('#state .pill', 'Offline'), [/"Needs action" in the list/]],
    ['differ in the reason', to.text('#state .pill + span', 'Other'), [/"Other" on its page/]],
    ['do not know each other', to.text('h1', 'x.example.com'), [/not in the list/]],
  ] as const)('%s', async (_, alteration, expected) => {
    await page.goto(shop);
    const list = await pageFacts(page);
    await altered(wrong, alteration);
    const found = differences(list, await pageFacts(page));
    expect(found).toEqual(expected.map((pattern) => expect.stringMatching(pattern)));
  });
});
