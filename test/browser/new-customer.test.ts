import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually, expectThat } from '../../dev/lib/eventually.ts';
import { askHttps } from '../../dev/lib/https.ts';
import type { Rest } from '../../dev/lib/rest.ts';
import { restClient } from '../../dev/lib/rest.ts';
import { beTrue } from '../support/picture.ts';
import { platformDeadlineMs } from '../support/platform.ts';
import {
  addDomain,
  button,
  heading,
  navigation,
  notice,
  openDomain,
  openProject,
  recordsShown,
  removeDomain,
  see,
  seeText,
  signIn,
  stayOn,
  typeDomain,
  verifyDomain,
} from './customer.ts';
import type { InProcess } from './in-process.ts';
import { runInProcess } from './in-process.ts';
import type { Setup } from './setup.ts';
import { hostnames, seeLive, startWorld } from './setup.ts';

/**
 * A new customer from plan Free to a domain of its own and back, with what goes wrong on the way. Each page is read
 * whole: fails when one of them contradicts itself, or names another cause than the one there is.
 */

const account = 'newcomer';
const zone = 'example.com';
const www = `www.${zone}`;
const patienceMs = 270_000;
const stepMs = 180_000;

let setup: Setup;
let here: InProcess;
let page: Page;
let rest: Rest;
let target: string;

beforeAll(async () => {
  setup = await startWorld();
  here = await runInProcess(setup);
  const key = await setup.customer(account, 'free');
  rest = restClient(setup.url, key);
  const visitor = await setup.browser.visit();
  ({ page } = visitor);
  // A refused form answers 4xx, and a browser notes that.
  visitor.expectFaults(/4\d\d/);
  await signIn(page, key);
}, platformDeadlineMs);

afterAll(async () => {
  const faults = await setup.browser.leave();
  await here.stop();
  await setup.close();
  expect(faults).toEqual([]);
}, platformDeadlineMs);

const readPage = (name: string): Promise<void> =>
  eventually(`${name} contradicts nothing`, 20_000, () => beTrue(page, name, { now: here.now() }));

/** The page's one explanation of the domain's state, once it says this. */
const seeHeadline = (text: string | RegExp) => see(page.locator('#state').getByText(text), patienceMs);

const ofAccount = (spec: object) =>
  setup.stage.kubectl.run(['patch', 'account', account, '--type=merge', '-p', JSON.stringify({ spec })]);

describe('a new customer', () => {
  it(
    'on plan Free sees where the project is and what a domain of its own needs, and is offered no form',
    async () => {
      await openProject(page, 'shop');
      await seeText(page, `${account}-shop.`);
      await seeText(page, 'Custom domains require Pro or higher');
      expect(await page.getByRole('textbox', { name: 'Domain name' }).count()).toBe(0);
      await readPage('newcomer-free');
      const { status } = await rest('/v1/projects/shop/domains', { method: 'POST', body: { hostname: www } });
      expect(status).toBe(403);
    },
    stepMs,
  );

  it(
    'upgrades and types a name with slips: each is told, and none of them is lost',
    async () => {
      await ofAccount({ plan: 'pro' });
      await eventually('the form is there', 60_000, async () => {
        await openProject(page, 'shop');
        expectThat((await page.getByRole('textbox', { name: 'Domain name' }).count()) === 1, 'not yet');
      });
      for (const slip of ['www,example.com', 'www..example.com', 'localhost', '*.com']) {
        await typeDomain(page, { hostname: slip });
        await button(page, 'Add domain').click();
        await see(page.getByRole('alert').filter({ hasText: /\S/ }));
        expect(await page.getByRole('textbox', { name: 'Domain name' }).inputValue()).toBe(slip);
        await readPage(`newcomer-slip ${slip}`);
      }
      expect(await hostnames(setup, account)).toEqual([]);
      await addDomain(page, { hostname: www });
      const [record] = await recordsShown(page);
      target = record?.value ?? '';
      await readPage('newcomer-added');
    },
    stepMs,
  );

  it.each<[string, () => string, string]>([
    ['right but for the zone behind its value', () => `www CNAME ${target}.${zone}.`, 'added your domain to the value'],
    ['right but for a missing part of its value', () => `www CNAME ${target.replace('p-', '')}.`, 'has a typo'],
    ['at the full name once more', () => `www.${zone} CNAME ${target}.`, 'added the domain twice'],
    ['of another type', () => 'www A 198.51.100.7', 'An old A or AAAA record is blocking this domain'],
  ])(
    'whose record is %s is told so: the headline says which',
    async (_, record, said) => {
      await setup.stage.putZone(zone, record());
      await verifyDomain(page);
      await seeHeadline(said);
      await readPage('newcomer-wrong-record');
    },
    stepMs,
  );

  it(
    'whose record is right waits for an authority that is away for five minutes, and is Live without a click',
    async () => {
      const { pebble } = setup.platform.parts;
      pebble.signal('SIGSTOP');
      await setup.stage.putZone(zone, `www CNAME ${target}.`);
      await verifyDomain(page);
      await seeHeadline(/certificate/i);
      await readPage('newcomer-issuing');
      here.moveOn(5 * 60_000);
      await readPage('newcomer-issuing-for-five-minutes');
      pebble.signal('SIGCONT');
      const check = await stayOn(page);
      await seeLive(setup, page.getByRole('main'), patienceMs);
      await check();
      await readPage('newcomer-live');
      expect((await visit()).status).toBe(200);
    },
    stepMs,
  );

  it(
    'whose program spends the day can still look, verify and read when the day begins anew',
    async () => {
      const limit = 20;
      await ofAccount({ overrides: { rateLimit: { requestsPerMinute: 1_000, requestsPerDay: limit } } });
      await eventually('the day is spent', 60_000, async () => {
        const { status, body } = await rest('/v1/projects');
        expectThat(status === 429 && body.code === 'quota-exceeded', `status ${status}`);
      });
      await openDomain(page, 'shop', www);
      await verifyDomain(page);
      await see(notice(page));
      await readPage('newcomer-day-spent');
      await navigation(page, 'Plan and usage').click();
      await see(heading(page, /Plan/));
      await readPage('newcomer-plan');
    },
    stepMs,
  );

  it(
    'removes the domain on that day all the same, and it is gone at once',
    async () => {
      await openDomain(page, 'shop', www);
      await removeDomain(page, www);
      await see(page.getByRole('textbox', { name: 'Domain name' }));
      await readPage('newcomer-removed');
      expect(await hostnames(setup, account)).toEqual([]);
      expect(
        await visit().then(
          ({ status }) => status,
          () => 404,
        ),
      ).toBe(404);
    },
    stepMs,
  );
});

const visit = () =>
  askHttps({
    address: setup.platform.facts.ingressAddress,
    ca: readFileSync(setup.platform.facts.acmeRoot),
    hostname: www,
    path: '/',
  });
